// The views that hang under each station of a model.
import { isWeighing, type MapKind, type ModelInfo } from '../engine/protocol/protocol'
import type { Choice } from '../viewstate/choice'
import { viewsFor } from '.'
import { map } from './map'
import { readParams, stations, turns, writeParams, type Station, type View } from './view'

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
    .filter((station) => station !== 'rotate' || model === undefined || turns(model))
    .filter((station) => station !== 'guess' || model?.predicts_tokens !== false)
    .map((station) => ({ station, views: views.filter((view) => view.station === station) }))
}

/** Views over all heads, which belong to no station. */
export const viewsOfAllHeads = (model: ModelInfo | undefined): View[] =>
  viewsFor(model).filter(({ station }) => station === 'heads')

/** The numbers by which the map shows a station: where nothing rotates, the contents are the score. */
const kindOf = (station: Station, model: ModelInfo | undefined): MapKind | undefined =>
  station === 'qk' && model && !turns(model) ? 'score' : kinds[station]

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
