// The views of the Explorer, in the order of their tabs. A view is a folder here and a line in this list.
import type { ModelInfo } from '../engine/protocol/protocol'
import { candidates } from './candidates'
import { compare } from './compare'
import { contacts } from './contacts'
import { distance } from './distance'
import { flow } from './flow'
import { lines } from './lines'
import { map } from './map'
import { masks } from './masks'
import { mute } from './mute'
import { points } from './points'
import { predictions } from './predictions'
import { score } from './score'
import { shift } from './shift'
import type { View } from './view'

export const views: readonly View[] = [
  map,
  score,
  lines,
  mute,
  distance,
  points,
  predictions,
  candidates,
  flow,
  compare,
  shift,
  contacts,
  masks,
]

/** Those that are named beside a model. */
export const viewsFor = (model: ModelInfo | undefined): readonly View[] =>
  views.filter(({ rare, serves }) => !rare || (model !== undefined && serves?.(model)))

export function viewOf(id: string): View | undefined {
  return views.find((view) => view.id === id)
}
