// What differs between two maps, in one sentence, and its numbers in another.
import { compare } from '../../i18n/en/views/compare'
import type { Headline } from '../sheet.svelte'
import type { Alignment } from './align'
import {
  alikeByDistance,
  correlation,
  difference,
  elsewhere,
  habitOf,
  habitsOf,
  largest,
  widest,
  type AttentionMap,
} from './model'

/** What differs between A and B. Heads as "2.6"; a change as "without head 2.6". */
export type Differs =
  | { by: 'head'; head: string; other: string }
  | { by: 'change'; head: string; change: string }
  | { by: 'text'; head: string }
  | { by: 'model'; head: string; other: string; model: string; otherModel: string }

export interface Matter {
  a: AttentionMap
  b: AttentionMap
  alignment: Alignment
  /** Whether no query sees a key ahead, in both. */
  causal: boolean
  differs: Differs
}

/** Changes up to this are rounding. */
const rounding = 1e-4

export interface Likeness {
  /** Undefined where nothing is compared cell by cell. */
  r: number | undefined
  elsewhere: number | undefined
  /** The part of their weight that lies at the same distances. */
  byDistance: number
}

export function likeness({ a, b, alignment, causal }: Omit<Matter, 'differs'>): Likeness {
  return {
    r: correlation(a, b, alignment, causal),
    elsewhere: elsewhere(a, b, alignment),
    byDistance: alikeByDistance(a, b),
  }
}

export function tellComparison({ a, b, alignment, differs }: Matter, alike: Likeness): Headline {
  const said = compare.headline
  const [inA, inB] = [habitsOf(a), habitsOf(b)]
  const [ofA, ofB] = [habitOf(inA), habitOf(inB)]
  // What both do is told; else where they differ most.
  const habit = ofA && ofA === ofB ? ofA : widest(inA, inB)
  return { title: title(), line: [line(), ...compared()].join(' ') }

  function title(): string {
    switch (differs.by) {
      case 'change':
        return ofChange(differs.head, differs.change)
      case 'text':
        return ofTexts(differs.head)
      case 'head':
        return ofHeads({ a: differs.head, b: differs.other })
      case 'model':
        return ofHeads({
          a: said.headOf(differs.head, differs.model),
          b: said.headOf(differs.other, differs.otherModel),
        })
    }
  }

  function ofHeads(heads: { a: string; b: string }): string {
    if (ofA && ofB) return said.habits(heads, ofA, ofB)
    if (ofA) return said.habit(heads.a, heads.b, ofA)
    if (ofB) return said.habit(heads.b, heads.a, ofB)
    return alike.elsewhere === undefined ? said.distances(heads, alike.byDistance) : said.spread(heads, alike.elsewhere)
  }

  function ofTexts(head: string): string {
    if (ofA && ofA === ofB) return said.bothTexts(head, ofA)
    if (ofA || ofB) return said.texts(head, ofA, ofB)
    return said.textsSpread(head, alike.byDistance)
  }

  function ofChange(head: string, change: string): string {
    const most = largest(difference(a, b, alignment))
    if (most <= rounding) return said.rests(head, change, most)
    if (ofA && ofA === ofB) return said.keeps(head, change, ofA)
    if (ofA && ofB) return said.turns(head, change, ofA, ofB)
    return ofA ? said.loses(head, change, ofA) : said.moves(head, change, alike.elsewhere ?? 0)
  }

  function line(): string {
    const names = {
      head: { a: compare.head(differs.head), b: 'other' in differs ? compare.head(differs.other) : '' },
      change: { a: said.whole, b: said.changed },
      text: { a: compare.a, b: compare.b },
      model: { a: compare.a, b: compare.b },
    }[differs.by]
    return said.line(names, habit, inA[habit], inB[habit], alike.elsewhere, alike.r)
  }

  /** What was compared, where that is not plain, and what can be said of any two maps. */
  function compared(): string[] {
    const { compared, shared } = alignment
    if (differs.by === 'model') return [said.modelsCompared(shared), said.byDistance(alike.byDistance)]
    if (differs.by !== 'text') return []
    return [said.textsCompared[compared](shared, Math.max(a.length, b.length)), said.byDistance(alike.byDistance)]
  }
}
