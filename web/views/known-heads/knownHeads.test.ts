import { describe, expect, it } from 'vitest'
import type { DescribedHead } from '../../state/describedHeads'
import { knownHeads } from './knownHeads'

const head = (layer: number, head: number, over: Partial<DescribedHead>): DescribedHead => ({
  layer,
  head,
  previous: 0.1,
  next: 0.1,
  same: 0.1,
  repeated: 0,
  special: 0.2,
  ...over,
})
const described = {
  book: 'A Book',
  heads: [head(0, 0, { next: 0.7 }), head(0, 1, { previous: 0.9 }), head(1, 0, { same: 0.3, previous: 0.4 })],
}

describe('known heads', () => {
  it('are the strongest of each kind that occurs, the first of equal ones, beside the chosen head', () => {
    const rows = knownHeads(described, { layer: 1, head: 0 })
    expect(
      rows.map(({ kind, strongest, weight, chosen }) => [kind, strongest.layer, strongest.head, weight, chosen]),
    ).toEqual([
      ['previous', 0, 1, 0.9, 0.4],
      ['next', 0, 0, 0.7, 0.1],
      ['same', 1, 0, 0.3, 0.3],
      ['special', 0, 0, 0.2, 0.2],
    ])
  })

  it('of nothing are none', () => {
    expect(knownHeads({ book: '', heads: [] }, { layer: 0, head: 0 })).toEqual([])
  })
})
