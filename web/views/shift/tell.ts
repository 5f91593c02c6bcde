// What is said of a shift, measured.
import { words } from '../../i18n/words'
import type { Headline } from '../sheet.svelte'
import { holds, type Tried, type Values } from './model'

export interface Shifted {
  /** What is changed, as a sentence begins: "Shifted by 10 positions"; empty: nothing is shifted. */
  shifted: string
  /** What the shift did; undefined: not known yet. */
  now: Tried | undefined
  /** Why it is not known: what the engine says. */
  refused: string | undefined
  values: Values
  heads: number
  /** Of all heads. */
  weights: number
  /** The largest change's query and key, as they are named. */
  place: string
}

export function tellShift({ shifted, now, refused, values, heads, weights, place }: Shifted): Headline {
  const { headline } = words.shift
  if (shifted === '') return { title: headline.still, line: headline.stillLine[values] }
  if (!now) {
    const line = refused === undefined ? headline.comingLine : headline.refusedLine(refused)
    return { title: headline.coming(shifted), line }
  }
  const { weight, logit } = now
  if (holds(now)) {
    return { title: headline.rests(shifted, weight), line: headline.restsLine(weights, heads, logit, values) }
  }
  const broken = values === 'rotated' ? headline.rotatedLine : headline.movesLine
  return { title: headline.moves(shifted, weight, logit), line: broken(words.change.head(now), place, weight) }
}
