// The English words: a file a view or a part of the page.
import { about } from './about'
import { angles } from './angles'
import { bench } from './bench'
import { change } from './changed'
import { compare } from './compare'
import { decay } from './decay'
import { describedHeads } from './describedHeads'
import { distance } from './distance'
import { distances } from './distances'
import { elements } from './elements'
import { engine } from './engine'
import { errata } from './errata'
import { flow } from './flow'
import { frame } from './frame'
import { laboratory } from './laboratory'
import { lines } from './lines'
import { loading } from './loading'
import { loss } from './loss'
import { map } from './map'
import { models } from './models'
import { mute } from './mute'
import { offline } from './offline'
import { page } from './page'
import { points } from './points'
import { predictions } from './predictions'
import { rotation } from './rotation'
import { score } from './score'
import { shift } from './shift'
import { tour } from './tour'
import { verdict } from './verdict'
import { writing } from './writing'

export const en = {
  about,
  angles,
  bench,
  change,
  compare,
  decay,
  describedHeads,
  distance,
  distances,
  elements,
  engine,
  errata,
  flow,
  frame,
  laboratory,
  lines,
  loading,
  loss,
  map,
  models,
  mute,
  offline,
  page,
  points,
  predictions,
  rotation,
  score,
  shift,
  tour,
  verdict,
  writing,
}
