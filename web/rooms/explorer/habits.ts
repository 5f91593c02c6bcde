// Heads that give most of their weight to one thing over held-out text.
import { type DescribedHeads, type LookedAt, lookedAt } from '../../state/describedHeads'
import type { HeadPlace } from '../../state/choice'

export interface Habit {
  kind: LookedAt
  place: HeadPlace
  /** Its mean weight on that thing, 0 … 1. */
  weight: number
}

/** The strongest head for each thing that any head looks at (no causal one looks ahead); of equal ones the first. */
export function habits({ heads }: DescribedHeads): Habit[] {
  return lookedAt.flatMap((kind) => {
    const strongest = heads.reduce<DescribedHeads['heads'][number] | undefined>(
      (best, head) => (best && best[kind] >= head[kind] ? best : head),
      undefined,
    )
    if (!strongest || strongest[kind] <= 0) return []
    const { layer, head } = strongest
    return [{ kind, place: { layer, head }, weight: strongest[kind] }]
  })
}
