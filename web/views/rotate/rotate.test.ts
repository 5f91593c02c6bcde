import { describe, expect, it } from 'vitest'
import { fine } from '../../charts/sweep/model'
import type { ScoreParts } from '../../engine/protocol/mathematics'
import { dialsOf, partsAt } from './view'

/** Three pairs at distances −2 … 2; the part of pair i at distance d is 10·i + d. */
const explained: ScoreParts = {
  parts: Float64Array.of(1, 11, 21),
  running: Float64Array.of(1, 12, 33),
  score: 33,
  sweep: new Float64Array(4 * fine + 1),
  pairSweeps: Float64Array.from(
    { length: 3 * (4 * fine + 1) },
    (_, index) => 10 * Math.floor(index / (4 * fine + 1)) + (index % (4 * fine + 1)) / fine - 2,
  ),
  hands: [
    { query: 1, key: 2, angle: 0.5 },
    { query: 3, key: 4, angle: -0.5 },
    { query: 5, key: 6, angle: 0 },
  ],
  steepest: 0,
  maxDistance: 2 * fine,
}

describe('the dials of a score', () => {
  it('are the pairs that rotate, the fastest first', () => {
    const dials = dialsOf(explained, [0.01, 1, 0], 0)
    expect(dials.map(({ pair, selected }) => [pair, selected])).toEqual([
      [1, false],
      [0, true],
    ])
    expect(dials[0]).toMatchObject({ query: 3, key: 4, angle: -0.5, theta: 1 })
  })

  it('add their parts of the distance that the key has', () => {
    expect(partsAt(explained, 1)).toEqual([1, 11, 21])
    expect(partsAt(explained, -2)).toEqual([-2, 8, 18])
  })
})
