// The views that hang under each station of a model.
import type { ModelInfo } from '../engine/protocol/protocol'
import type { Choice } from '../viewstate/choice'
import { viewsFor } from '.'
import { map } from './map'
import { readParams, stations, turns, writeParams, type Station, type View } from './view'

/** The kinds of numbers by which the map shows another station than the weights. */
const kindOf: Partial<Record<Station, string>> = { qk: 'content', value: 'value' }
const stationOfKind: Readonly<Record<string, Station>> = {
  content: 'qk',
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

/** The station that a view shows. */
export function stationOf(view: View | undefined, viewParams: Choice['viewParams']): Station | undefined {
  if (view?.id === map.id) return stationOfKind[String(readParams(map, viewParams)['kind'])] ?? 'weight'
  return view?.station === 'heads' ? undefined : view?.station
}

/** The view that opens with a station, and its parameters; undefined where the station is on the page already. */
export function opening(
  { station, views }: Stop,
  viewParams: Choice['viewParams'],
): { view: View; viewParams: Choice['viewParams'] } | undefined {
  const view = kindOf[station] ? map : views[0]
  if (!view) return undefined
  if (view.id !== map.id) return { view, viewParams }
  const kind = kindOf[station] ?? 'weight'
  // Only weights have means over heads.
  return { view, viewParams: writeParams(map, { kind, ...(kind === 'content' ? { mean: 'head' } : {}) }, viewParams) }
}
