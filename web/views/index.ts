// The views of the Explorer, in the order of their tabs. A view is a folder here and a line in this list.
import { candidates } from './candidates'
import { compare } from './compare'
import { contacts } from './contacts'
import { distance } from './distance'
import { flow } from './flow'
import { lines } from './lines'
import { map } from './map'
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
]

export function viewOf(id: string): View | undefined {
  return views.find((view) => view.id === id)
}
