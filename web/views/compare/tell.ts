// What differs between two maps, in one sentence, and its numbers in another.
import { words } from '../../words/words'
import type { Headline } from '../sheet.svelte'
import { correlation, difference, elsewhere, habitOf, habitsOf, largest, widest, type AttentionMap } from './model'

export interface Compared {
  a: AttentionMap
  b: AttentionMap
  causal: boolean
  /** "2.6": the head of A. */
  head: string
  /** The head of B, where that is another one. */
  other: string | undefined
  /** What is changed in B: "without head 2.6"; used where B is the same head. */
  change: string
}

/** Changes up to this are rounding. */
const rounding = 1e-4

export interface Likeness {
  r: number | undefined
  elsewhere: number
}

export function likeness({ a, b, causal }: Compared): Likeness {
  return { r: correlation(a, b, causal), elsewhere: elsewhere(a, b) }
}

export function tellComparison(compared: Compared, { r, elsewhere }: Likeness): Headline {
  const { headline, head: headOf } = words.compare
  const { a, b, head, other, change } = compared
  const [inA, inB] = [habitsOf(a), habitsOf(b)]
  const [ofA, ofB] = [habitOf(inA), habitOf(inB)]
  const apart = widest(inA, inB)
  const names = other === undefined ? { a: headline.whole, b: headline.changed } : { a: headOf(head), b: headOf(other) }
  const line = headline.line(names, apart, inA[apart], inB[apart], elsewhere, r)
  return { title: other === undefined ? ofChange() : ofHeads(other), line }

  function ofHeads(other: string): string {
    const heads = { a: head, b: other }
    if (ofA && ofB) return headline.habits(heads, ofA, ofB)
    if (ofA) return headline.habit(head, other, ofA)
    if (ofB) return headline.habit(other, head, ofB)
    return headline.spread(heads, elsewhere)
  }

  function ofChange(): string {
    const most = largest(difference(a.attention, b.attention))
    if (most <= rounding) return headline.rests(head, change, most)
    if (ofA && ofA === ofB) return headline.keeps(head, change, ofA)
    if (ofA && ofB) return headline.turns(head, change, ofA, ofB)
    return ofA ? headline.loses(head, change, ofA) : headline.moves(head, change, elsewhere)
  }
}
