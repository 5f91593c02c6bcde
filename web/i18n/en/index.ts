// The English words: a file a view or a part of the page.
import { attention } from './attention'
import { backends } from './backends'
import { bench } from './bench'
import { bundled } from './bundled'
import { change } from './changed'
import { describedHeads } from './describedHeads'
import { distances } from './distances'
import { elements } from './elements'
import { engine } from './engine'
import { examples } from './examples'
import { frame } from './frame'
import { keys } from './keys'
import { heldOut } from './heldOut'
import { loading } from './loading'
import { offline } from './offline'
import { page } from './page'
import { pairs } from './pairs'
import { headStatistics } from './headStatistics'
import { tokenizers } from './tokenizers'
import { tour } from './tour'
import { troubles } from './troubles'
import { verdict } from './verdict'
import { writing } from './writing'

export const en = {
  attention,
  backends,
  bench,
  bundled,
  change,
  describedHeads,
  distances,
  elements,
  engine,
  examples,
  frame,
  keys,
  heldOut,
  loading,
  offline,
  page,
  pairs,
  headStatistics,
  tokenizers,
  tour,
  troubles,
  verdict,
  writing,
}
