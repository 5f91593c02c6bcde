import { type DescribedHead, type DescribedHeads, type LookedAt, lookedAt } from '../../state/describedHeads'

/** The words for what a head looks at. */
export const words: Readonly<Record<LookedAt, string>> = {
  previous: 'previous token',
  next: 'next token',
  same: 'same token',
  repeated: 'repetition elsewhere',
  special: '[CLS] and [SEP]',
}

/** One row of the view: the head that gives most weight to a thing, and what the chosen head gives it. */
export interface KnownHead {
  kind: LookedAt
  strongest: DescribedHead
  weight: number
  chosen: number
}

/** The strongest head for each thing that any head looks at (no causal one looks ahead); of equal ones the first. */
export function knownHeads({ heads }: DescribedHeads, chosen: { layer: number; head: number }): readonly KnownHead[] {
  const shown = heads.find(({ layer, head }) => layer === chosen.layer && head === chosen.head)
  return lookedAt.flatMap((kind) => {
    const [first, ...others] = heads
    if (!first) return []
    const strongest = others.reduce((best, head) => (head[kind] > best[kind] ? head : best), first)
    const weight = strongest[kind]
    return weight > 0 ? [{ kind, strongest, weight, chosen: shown?.[kind] ?? 0 }] : []
  })
}
