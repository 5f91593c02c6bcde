// The views of the Explorer, in the order of their tabs: every folder here whose index.ts exports a view under the folder's name; and the stations of a
// model under which they hang.
import { type ModelInfo, isWeighing, type MapKind } from '../engine/protocol/protocol'
import { isRotary, servesModel, type View, readParams, stations, writeParams, type Station } from './view'
import type { Choice } from '../viewstate/choice'
import { map } from './map'

const declarations = import.meta.glob<Readonly<Record<string, View>>>('./*/index.ts', { eager: true })

export const views: readonly View[] = Object.entries(declarations)
  .map(([path, exports]) => {
    const id = path.split('/')[1] ?? ''
    const view = exports[id]
    if (view?.id !== id || view.order === undefined) throw new Error(`${path} declares no view ${id} with its order`)
    return { view, order: view.order }
  })
  .sort((one, other) => one.order - other.order)
  .map(({ view }) => view)

/** Those that are named beside a model: rare ones, and those about rotation, only where it has something for them. */
export const viewsFor = (model: ModelInfo | undefined): readonly View[] =>
  views.filter((view) => {
    if (view.rare) return model !== undefined && servesModel(view, model)
    return !view.needsRotation || model === undefined || isRotary(model)
  })

export function viewOf(id: string): View | undefined {
  return views.find((view) => view.id === id)
}

/** The kinds of numbers by which the map shows another station than the weights. */
const kinds: Partial<Record<Station, MapKind>> = { qk: 'content', value: 'value' }
const stationOfKind: Readonly<Record<string, Station>> = {
  rotation: 'rotate',
  score: 'score',
  value: 'value',
  output: 'value',
}

export interface Stop {
  station: Station
  /** None: the station is shown by the map, or is on the page already. */
  views: readonly View[]
}

/** The stations of a model; before one is loaded, all of them. */
export function stopsOf(model: ModelInfo | undefined): Stop[] {
  const views = viewsFor(model)
  return stations
    .filter((station) => station !== 'rotate' || model === undefined || isRotary(model))
    .filter((station) => station !== 'guess' || model?.predicts_tokens !== false)
    .map((station) => ({ station, views: views.filter((view) => view.station === station) }))
}

/** Views over all heads, which belong to no station. One that goes from station to station has a link elsewhere. */
export const viewsOfAllHeads = (model: ModelInfo | undefined): View[] =>
  viewsFor(model).filter(({ station, stationOf }) => station === 'heads' && !stationOf)

/** The numbers by which the map shows a station: where nothing rotates, the contents are the score. */
const kindOf = (station: Station, model: ModelInfo | undefined): MapKind | undefined =>
  station === 'qk' && model && !isRotary(model) ? 'score' : kinds[station]

/** The station that a view shows. */
export function stationOf(
  view: View | undefined,
  viewParams: Choice['viewParams'],
  model: ModelInfo | undefined,
): Station | undefined {
  if (view?.id === map.id) {
    const { kind } = readParams(map, viewParams)
    const isOfContents = kind === 'content' || kind === kindOf('qk', model)
    return isOfContents ? 'qk' : (stationOfKind[String(kind)] ?? 'weight')
  }
  if (view?.stationOf) return view.stationOf(readParams(view, viewParams))
  return view?.station === 'heads' ? undefined : view?.station
}

/** The view that opens with a station, and its parameters; undefined where the station is on the page already. */
export function opening(
  { station, views }: Stop,
  viewParams: Choice['viewParams'],
  model: ModelInfo | undefined,
): { view: View; viewParams: Choice['viewParams'] } | undefined {
  const kindOfMap = kindOf(station, model)
  const view = kindOfMap ? map : views[0]
  if (!view) return undefined
  if (view.id !== map.id) return { view, viewParams }
  const kind = kindOfMap ?? 'weight'
  // Scores are of one head.
  return { view, viewParams: writeParams(map, { kind, ...(isWeighing(kind) ? {} : { mean: 'head' }) }, viewParams) }
}
