import { describe, expect, test } from 'vitest'
import { strongestCell } from './autoSelection.svelte'

const map = (rows: number[][]) => ({
  weights: Float32Array.from(rows.flat()),
  length: rows.length,
  special: new Set<number>(),
})

describe('the strongest cell', () => {
  const rows = [
    [0.9, 0.1, 0],
    [0.2, 0.1, 0.7],
    [0.3, 0.4, 0.3],
  ]

  test('is between ordinary tokens', () => {
    expect(strongestCell(map(rows))).toEqual({ query: 0, key: 0 })
    expect(strongestCell({ ...map(rows), special: new Set([0]) })).toEqual({ query: 1, key: 2 })
  })

  test('is an ordinary query’s strongest of all keys where it has no two ordinary ones', () => {
    const short = [
      [0.9, 0.05, 0.05],
      [0.7, 0.1, 0.2],
      [0, 0, 1],
    ]
    expect(strongestCell({ ...map(short), special: new Set([0, 2]) })).toEqual({ query: 1, key: 0 })
  })

  test('is of one row if one is given', () => {
    expect(strongestCell(map(rows), 2)).toEqual({ query: 2, key: 1 })
  })

  test('of one row has a special key where the ordinary ones get next to nothing', () => {
    const ends = [
      [1, 0, 0, 0],
      [0.5, 0.5, 0, 0],
      [0.001, 0.004, 0.005, 0.99],
      [0.1, 0.2, 0.3, 0.4],
    ]
    expect(strongestCell({ ...map(ends), special: new Set([3]) }, 2)).toEqual({ query: 2, key: 3 })
    expect(strongestCell({ ...map(ends), special: new Set([0, 1]) }, 3)).toEqual({ query: 3, key: 3 })
  })

  test('is never the one key that a row sees', () => {
    const causal = [
      [1, 0, 0],
      [0.4, 0.6, 0],
      [0.2, 0.7, 0.1],
    ]
    expect(strongestCell(map(causal))).toEqual({ query: 2, key: 1 })
    expect(strongestCell(map([[1]]))).toBeUndefined()
  })

  test('of cross-attention has its query in the text and its key in the source', () => {
    const source = Uint32Array.of(4, 5)
    const cross = [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0.4, 0.6, 0, 0],
      [0.8, 0.2, 0, 0],
    ]
    const pair = { source, text: Uint32Array.of(6, 7), part: 'cross' } as const
    expect(strongestCell({ ...map(cross), pair })).toEqual({ query: 3, key: 0 })
  })

  test('has a special token as query where there is no other', () => {
    const source = Uint32Array.of(4, 5)
    const start = [
      [0, 0, 0],
      [0, 0, 0],
      [0.1, 0.9, 0],
    ]
    const pair = { source, text: Uint32Array.of(6), part: 'cross' } as const
    expect(strongestCell({ ...map(start), special: new Set([2]), pair })).toEqual({ query: 2, key: 1 })
  })

  test('may have a negative weight, as linear attention has', () => {
    expect(
      strongestCell(
        map([
          [0.2, -0.8],
          [0.5, 0.5],
        ]),
      ),
    ).toEqual({ query: 0, key: 1 })
  })
})
