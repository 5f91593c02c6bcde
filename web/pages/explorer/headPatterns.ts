// Heads with a pattern, that is with most of their weight on one kind of token, in this text or in held-out text.
import type { HeadPlace } from '../../viewstate/choice'
import { distanceStatistics, type MeasuredHead, type StatisticId } from '../../session/headStatistics.svelte'

const patternKinds = [
  'previous',
  'next',
  'first',
  'induction',
  'repeated',
  'same',
  'special',
] as const satisfies StatisticId[]
export type PatternKind = (typeof patternKinds)[number]

export interface HeadPattern {
  kind: PatternKind
  place: HeadPlace
  /** Its mean weight on that kind of token, 0 … 1. */
  weight: number
  of: 'text' | 'book'
  /** How many tokens the mean is over; unknown of a book. */
  queries?: number
}

/** A text as the patterns need it. */
interface PatternText {
  ids: ArrayLike<number>
  /** Positions of special tokens, which ask for nothing. */
  special: ReadonlySet<number>
  causal: boolean
  /** How many of the tokens are the keys of cross-attention; the others are its queries. */
  source?: number | undefined
}

interface PatternQueries {
  /** How many tokens the engine's means are over. */
  all: number
  /** How many of them have a key of that kind. */
  each: Readonly<Record<PatternKind, number>>
}

/** How many tokens can show each pattern. */
export function queriesOf({ ids, special, causal, source }: PatternText): PatternQueries {
  const cross = source !== undefined
  const queries = Array.from(ids, (_, position) => position).filter(
    (position) => position >= (source ?? 0) && !special.has(position),
  )
  const count = (has: (position: number) => boolean) => queries.filter(has).length
  const keys = source ?? ids.length
  const [first, last] = occurrences(ids, keys, special)
  const own = (position: number) => ids[position] ?? -1
  const isEarlier = (position: number) => (first.get(own(position)) ?? Infinity) < position
  const isLater = (position: number) => !causal && (last.get(own(position)) ?? -Infinity) > position
  const firstSpecial = Math.min(...[...special].filter((position) => position < keys))
  return {
    all: queries.length,
    each: {
      previous: count((position) => position > 0),
      next: causal ? 0 : count((position) => position + 1 < keys),
      first: queries.length,
      // In cross-attention the last token of the source has none after it.
      induction: count((position) => (cross ? (first.get(own(position)) ?? keys) + 1 < keys : isEarlier(position))),
      repeated: count((position) => (cross ? first.has(own(position)) : isEarlier(position) || isLater(position))),
      same: queries.length,
      special: count((position) => firstSpecial < (causal && !cross ? position : keys)),
    },
  }
}

/** The first and the last position of each id among the keys. */
function occurrences(ids: ArrayLike<number>, keys: number, special: ReadonlySet<number>) {
  const [first, last] = [new Map<number, number>(), new Map<number, number>()]
  for (let position = 0; position < keys; position++) {
    const id = ids[position]
    if (id === undefined || special.has(position)) continue
    if (!first.has(id)) first.set(id, position)
    last.set(id, position)
  }
  return [first, last] as const
}

/** The strongest head of each pattern; of equally strong ones the first. @param cross whether they are of cross-attention */
export function headPatterns(heads: readonly MeasuredHead[], cross: boolean): Omit<HeadPattern, 'of'>[] {
  return patternKinds.flatMap((kind) => {
    if (cross && distanceStatistics.includes(kind)) return []
    const strongest = heads.reduce<MeasuredHead | undefined>(
      (best, head) => (best && (best.numbers[kind] ?? 0) >= (head.numbers[kind] ?? 0) ? best : head),
      undefined,
    )
    const weight = strongest?.numbers[kind] ?? 0
    return strongest && weight > 0 ? [{ kind, place: { layer: strongest.layer, head: strongest.head }, weight }] : []
  })
}

/**
 * A pattern as the mean over the tokens that can show it: of a word that stands twice the engine's mean over all tokens says little.
 * One token has no pattern.
 */
function overItsQueries(pattern: Omit<HeadPattern, 'of'>, { all, each }: PatternQueries): HeadPattern[] {
  const queries = each[pattern.kind]
  return queries > 1 ? [{ ...pattern, weight: (pattern.weight * all) / queries, of: 'text', queries }] : []
}

/** Patterns measured on this text and, in the same order, those known from the book alone. */
export function allHeadPatterns(
  text: readonly MeasuredHead[],
  queries: PatternQueries,
  book: readonly MeasuredHead[],
  cross: boolean,
): HeadPattern[] {
  const here = headPatterns(text, cross).flatMap((pattern) => overItsQueries(pattern, queries))
  const described = headPatterns(book, cross).map((pattern) => ({ ...pattern, of: 'book' as const }))
  return patternKinds.flatMap((kind) => {
    const found = here.find((pattern) => pattern.kind === kind) ?? described.find((pattern) => pattern.kind === kind)
    return found ? [found] : []
  })
}

/** Whether a pattern is a mean over so few tokens that it says how many they are. */
export const fewQueries = (queries: number | undefined): queries is number => queries !== undefined && queries < 6

/** Heads that look at one special place say little about a text. */
const plain: readonly PatternKind[] = ['first', 'special', 'same']

/** The strongest pattern of many tokens: of tokens and their places if there is one. */
export function mostTelling(patterns: readonly HeadPattern[]): HeadPattern | undefined {
  const measured = patterns.filter(({ queries }) => !fewQueries(queries))
  const telling = measured.filter(({ kind }) => !plain.includes(kind))
  const strongest = (best: HeadPattern | undefined, pattern: HeadPattern) =>
    best && best.weight >= pattern.weight ? best : pattern
  return (telling.length > 0 ? telling : measured).reduce<HeadPattern | undefined>(strongest, undefined)
}
