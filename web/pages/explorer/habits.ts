// Heads that give most of their weight to one thing, in the text at hand or over held-out text.
import type { HeadPlace } from '../../viewstate/choice'
import type { MeasuredHead, StatisticId } from '../../session/headStatistics'

export const habitKinds = ['previous', 'next', 'same', 'first', 'repeated', 'special'] as const satisfies StatisticId[]
export type HabitKind = (typeof habitKinds)[number]

export interface Habit {
  kind: HabitKind
  place: HeadPlace
  /** Its mean weight on that thing, 0 … 1. */
  weight: number
}

/** What says nothing where keys are of another text than queries: which is beside which. */
const ofPlace: readonly HabitKind[] = ['previous', 'next', 'same']

/**
 * The strongest head for each thing that any head looks at (no causal one looks ahead); of equal ones the first. `across`: keys are of
 * another text than queries.
 */
export function habits(heads: readonly MeasuredHead[], across = false): Habit[] {
  return habitKinds.flatMap((kind) => {
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
export function allHabits(
  text: readonly MeasuredHead[],
  book: readonly MeasuredHead[],
  across = false,
): (Habit & { of: 'text' | 'book' })[] {
  const here = habits(text, across).map((habit) => ({ ...habit, of: 'text' as const }))
  const told = habits(book, across).map((habit) => ({ ...habit, of: 'book' as const }))
  return [...here, ...told.filter(({ kind }) => !here.some((habit) => habit.kind === kind))]
}
