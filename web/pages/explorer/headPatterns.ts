// Heads that give most of their weight to one thing, in the text at hand or over held-out text.
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
  /** Its mean weight on that thing, 0 … 1. */
  weight: number
}

/** What says nothing where keys are of another text than queries: which is beside which. */
const ofPlace: readonly PatternKind[] = ['previous', 'next', 'same']

/**
 * The strongest head for each thing that any head looks at (no causal one looks ahead); of equal ones the first. `across`: keys are of
 * another text than queries.
 */
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

/** What was measured on this text; what only the book tells comes after it. */
export function allHeadPatterns(
  text: readonly MeasuredHead[],
  book: readonly MeasuredHead[],
  across = false,
): (HeadPattern & { of: 'text' | 'book' })[] {
  const here = headPatterns(text, across).map((pattern) => ({ ...pattern, of: 'text' as const }))
  const described = headPatterns(book, across).map((pattern) => ({ ...pattern, of: 'book' as const }))
  return [...here, ...described.filter(({ kind }) => !here.some((pattern) => pattern.kind === kind))]
}
