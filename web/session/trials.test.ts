import { describe, expect, it } from 'vitest'
import { distance, foretell, type Point } from './trials.svelte'

const line = (...milliseconds: number[]): Point[] =>
  milliseconds.map((milliseconds, at) => ({
    backend: 'cpu',
    what: 'softmax',
    headSize: 64,
    length: 64 * 2 ** at,
    milliseconds,
    bytes: 1,
    apart: 0,
  }))

describe('a line of trials', () => {
  it('is foretold by how it grew, and never to be quicker', () => {
    expect(foretell(line(1))).toBeUndefined()
    expect(foretell(line(1, 4))).toBe(16)
    expect(foretell(line(9, 10, 40))).toBe(160)
    expect(foretell(line(4, 2))).toBe(2)
  })

  it('tells how far numbers are apart', () => {
    expect(distance(Float64Array.of(1, -2, 3), Float64Array.of(1, -2.5, 3))).toBe(0.5)
    expect(distance(Float64Array.of(1), Float64Array.of(1, 2))).toBe(Infinity)
  })
})
