// Heads with a pattern, that is with most of their weight on one kind of token, in this text or in held-out text.
import type { HeadPlace } from '../../viewstate/choice'
import type { MeasuredHead, StatisticId } from '../../session/headStatistics'

export const patternKinds = [
  'previous',
  'next',
  'same',
  'first',
  'repeated',
  'special',
] as const satisfies StatisticId[]
export type PatternKind = (typeof patternKinds)[number]

export interface HeadPattern {
  kind: PatternKind
  place: HeadPlace
  /** Its mean weight on that kind of token, 0 … 1. */
  weight: number
}

/** Patterns of neighbouring positions mean nothing in cross-attention: keys belong to another text. */
const ofPlace: readonly PatternKind[] = ['previous', 'next', 'same']

/** The strongest head of each pattern; of equally strong ones the first. `across`: cross-attention. */
export function headPatterns(heads: readonly MeasuredHead[], across = false): HeadPattern[] {
  return patternKinds.flatMap((kind) => {
    if (across && ofPlace.includes(kind)) return []
    const strongest = heads.reduce<MeasuredHead | undefined>(
      (best, head) => (best && (best.numbers[kind] ?? 0) >= (head.numbers[kind] ?? 0) ? best : head),
      undefined,
    )
    const weight = strongest?.numbers[kind] ?? 0
    return strongest && weight > 0 ? [{ kind, place: { layer: strongest.layer, head: strongest.head }, weight }] : []
  })
}

/** Patterns measured on this text, then those known from the book alone. */
export function allHeadPatterns(
  text: readonly MeasuredHead[],
  book: readonly MeasuredHead[],
  across = false,
): (HeadPattern & { of: 'text' | 'book' })[] {
  const here = headPatterns(text, across).map((pattern) => ({ ...pattern, of: 'text' as const }))
  const described = headPatterns(book, across).map((pattern) => ({ ...pattern, of: 'book' as const }))
  return [...here, ...described.filter(({ kind }) => !here.some((pattern) => pattern.kind === kind))]
}
