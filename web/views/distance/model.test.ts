import { describe, expect, it } from 'vitest'
import type { Foretold, MeanPair } from '../../engine/protocol/mathematics'
import type { HeadResult } from '../../engine/protocol/protocol'
import { changeKey } from '../../session/change'
import type { Shown } from '../../session/runs.svelte'
import {
  cloudsOf,
  constancyOf,
  curvesOf,
  foretoldAsks,
  listed,
  nextRound,
  peakOf,
  placesAt,
  strongestOf,
  weightAt,
} from './model'

const pair = (strength: number, queryConstancy = 1): MeanPair => ({
  strength,
  queryConstancy,
  keyConstancy: 1,
  phase: 0,
  wants: 0,
})

function head(attention: number[], length: number): HeadResult {
  const none = new Float32Array(0)
  return { run: 1, layer: 0, head: 0, length, attention: Float32Array.from(attention), query: none, key: none }
}

describe('weights by distance', () => {
  // Rows ask: the second and third look one back in full.
  const looksBack = head([0.5, 0.25, 0.25, 1, 0, 0, 0, 1, 0], 3)

  it('are means over the queries that have a key there', () => {
    const curves = curvesOf(looksBack, new Float64Array(5), false)
    expect(Array.from(curves.measured)).toEqual([0.25, 0.125, 0.5 / 3, 1, 0])
    expect(weightAt(curves, curves.measured, 1)).toBe(1)
    expect(weightAt(curves, curves.measured, -2)).toBe(0.25)
    for (const even of curves.even) expect(even).toBeCloseTo(1 / 3, 12)
    expect(peakOf(curves, curves.measured)).toBe(1)
  })

  it('of a causal head have an even share that falls with the distance', () => {
    const causal = curvesOf(head([1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5], 3), new Float64Array(5), true)
    expect(Array.from(causal.measured.subarray(0, 2))).toEqual([0, 0])
    expect(weightAt(causal, causal.even, 0)).toBeCloseTo((1 + 1 / 2 + 1 / 3) / 3, 12)
    expect(weightAt(causal, causal.even, 2)).toBeCloseTo(1 / 3, 12)
    expect(weightAt(causal, causal.even, -1)).toBe(0)
  })

  it('have their peak where at least half of the queries have a key', () => {
    // One query only is four back.
    const curves = { length: 5, causal: false, even: new Float64Array(9), foretold: new Float64Array(9) }
    const measured = Float64Array.of(0, 0, 0, 0.2, 0, 0.2, 0.1, 0, 1)
    expect(peakOf({ ...curves, measured }, measured)).toBe(1)
    expect(peakOf({ ...curves, causal: true, measured }, Float64Array.of(9, 9, 9, 9, 0, 0, 1, 0, 0))).toBe(2)
  })

  it('of a text without tokens are none', () => {
    expect(curvesOf(head([], 0), new Float64Array(0), false).measured).toHaveLength(0)
  })
})

describe('what is asked of the engine', () => {
  const shown = {
    model: {
      info: {
        head_size: 4,
        scale: 0.5,
        attention: 'softmax',
        is_decoder: true,
        num_attention_heads: 4,
        num_key_value_heads: 2,
      },
      tokenizer: { maskId: 7, isSpecial: (id: number) => id > 5 },
    },
    reading: { ids: Uint32Array.of(9, 1, 7, 6, 9), spans: [null, {}, {}, {}, null] },
    result: { theta: Float64Array.of(7, 7, 1, 0.5) },
    head: { layer: 1, head: 3, query: Float32Array.of(1), key: Float32Array.of(2) },
    changed: '',
  } as unknown as Shown

  it('leaves special tokens out, a mask not', () => {
    const { head } = shown
    expect(foretoldAsks(shown)).toEqual({
      query: head.query,
      key: head.key,
      headSize: 4,
      offset: 0,
      theta: Float64Array.of(1, 0.5),
      scale: 0.5,
      counted: Uint8Array.of(0, 1, 1, 0, 0),
      causal: true,
    })
  })

  it('is of the run: its offset, and pairs that do not turn', () => {
    const changed = (head: number) =>
      changeKey({ offset: 40, stop: [{ layer: 1, head, pairs: [1] }], cut: [], off: [] })
    // The key that heads 2 and 3 share stops for both.
    expect(foretoldAsks({ ...shown, changed: changed(2) })).toMatchObject({ offset: 40, theta: Float64Array.of(1, 0) })
    expect(foretoldAsks({ ...shown, changed: changed(1) })).toMatchObject({ theta: Float64Array.of(1, 0.5) })
  })
})

describe('pairs', () => {
  it('are weighed by their strength', () => {
    expect(constancyOf([pair(3, 1), pair(1, 0.2)])).toBeCloseTo(0.8, 12)
    expect(constancyOf([pair(0, 1)])).toBe(0)
    expect(strongestOf([pair(1), pair(5), pair(5), pair(2)])).toBe(1)
  })

  it('come round, where one stands out and turns', () => {
    const strong = { ...pair(9), wants: 1.03 }
    const theta = Float64Array.of(1, 0.5)
    expect(nextRound([strong, pair(1)], theta)).toEqual({ pair: 0, distances: [7, -5] })
    expect(nextRound([{ ...strong, wants: NaN }, pair(1)], Float64Array.of(0, 0.5))).toBeUndefined()
    const even = Array.from({ length: 16 }, () => pair(1))
    expect(nextRound(even, new Float64Array(16).fill(1))).toBeUndefined()
  })

  it('are all listed where there is room', () => {
    expect(listed([pair(1), pair(2)], 2, 0)).toEqual({ shown: [0, 1], left: 0, most: 0 })
  })

  it('are left out from the weakest on, the chosen one never', () => {
    const pairs = [pair(5), pair(1), pair(4), pair(0.5), pair(3)]
    expect(listed(pairs, 4, 0)).toEqual({ shown: [0, 2, 4], left: 2, most: 1 })
    expect(listed(pairs, 3, 3)).toEqual({ shown: [0, 3], left: 3, most: 4 })
  })
})

describe('clouds', () => {
  // Two pairs a row; pair 1 of the queries points along −y, that of the keys along −x: a quarter turn clockwise from them.
  const foretold = {
    query: Float64Array.of(9, 9, 9, 9, 0, 0, 0, -2, 0, 0, 0, -4),
    key: Float64Array.of(9, 9, 9, 9, 0, 0, -1, 0, 0, 0, -1, 0),
  } as unknown as Foretold
  const clouds = cloudsOf(foretold, 1, 4, Uint8Array.of(0, 1, 1))

  it('have the mean query on top', () => {
    expect(clouds.query.mean).toEqual({ x: 3, y: 0 })
    expect(Array.from(clouds.query.x)).toEqual([2, 4])
    expect(clouds.longest).toBe(4)
  })

  it('have keys where the query comes to by turning', () => {
    expect(clouds.key.mean.x).toBeCloseTo(0, 12)
    expect(clouds.key.mean.y).toBe(-1)
  })

  it('of very many tokens are thinned evenly', () => {
    const length = 1000
    const rows = Float64Array.from({ length: 2 * length }, (_, index) => (index % 2 === 0 ? 1 : 0))
    const many = cloudsOf({ query: rows, key: rows } as unknown as Foretold, 0, 2, new Uint8Array(length).fill(1))
    expect(many.query.x.length).toBeLessThanOrEqual(240)
    expect(many.query.x.length).toBeGreaterThan(200)
  })
})

describe('a distance that is chosen', () => {
  it('moves the key, and the query only where the text ends', () => {
    expect(placesAt(2, 5, 10)).toEqual({ query: 5, key: 3 })
    expect(placesAt(7, 5, 10)).toEqual({ query: 7, key: 0 })
    expect(placesAt(-7, 5, 10)).toEqual({ query: 2, key: 9 })
    expect(placesAt(0, 5, 10)).toEqual({ query: 5, key: 5 })
    expect(placesAt(10, 5, 10)).toBeUndefined()
  })
})
