// What is said of a shift, measured.
import { words } from '../../words/words'
import type { Headline } from '../sheet.svelte'
import { rest, type Tried } from './model'

export interface Shifted {
  /** The shift that is shown; undefined: nothing is changed. */
  now: Tried | undefined
  /** Whether something else is changed, too. */
  others: boolean
  /** "2.6", and how many weights it has. */
  head: string
  weights: number
  /** Whether the model turns its values, too. */
  turnsValues: boolean
}

export function tellShift({ now, others, head, weights, turnsValues }: Shifted): Headline {
  const { headline } = words.shift
  if (others) return { title: headline.others, line: headline.othersLine }
  if (!now || now.offset === 0) return { title: headline.still, line: headline.stillLine }
  const { offset, weight, fill } = now
  if (turnsValues && (fill ?? weight) > rest) {
    const title = fill === undefined ? headline.moves(offset, weight) : headline.breaks(offset, fill)
    return { title, line: headline.turnsValues(head, weight) }
  }
  if (weight > rest) return { title: headline.moves(offset, weight), line: headline.movesLine(head) }
  return { title: headline.rests(offset, weight), line: headline.restsLine(head, weights, fill) }
}
