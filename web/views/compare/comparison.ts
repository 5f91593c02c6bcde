// Two maps and their difference, as they are drawn.
import type { Alignment, Spot } from './align'
import type { Pane } from './layout'
import type { Paint } from './paint'
import type { Likeness } from './tell'

export interface Comparison {
  /** A, B and A − B as they are painted. */
  maps: readonly [Paint, Paint, Paint]
  /** What A and B are. */
  names: readonly [string, string]
  /** Of A and of B. */
  tokens: readonly [readonly string[], readonly string[]]
  /** The chosen query and key in A and in B. */
  spots: readonly [Spot, Spot]
  alignment: Alignment
  likeness: Likeness
}

/** A − B has the tokens of A. */
export const sideOf = (which: Pane['which']) => (which === 1 ? 1 : 0)

/** Whether B has other tokens than A. */
export function hasOwnTokens({ tokens: [a, b] }: Pick<Comparison, 'tokens'>): boolean {
  return a.length !== b.length || a.some((name, at) => name !== b[at])
}
