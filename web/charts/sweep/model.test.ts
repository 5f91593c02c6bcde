import { describe, expect, it } from 'vitest'
import type { Run } from '../../session/runs.svelte'
import {
  boundOf,
  explainRequest,
  fine,
  keyAt,
  peakOf,
  reachFor,
  scoreAt,
  spanOf,
  thetaOf,
  type ScoreCurve,
} from './model'

/** A curve with these scores at distances −2 … 2, and something else between them. */
function curveOf(...scores: number[]): ScoreCurve {
  const reach = (scores.length - 1) / 2
  const values = new Float64Array(2 * reach * fine + 1).fill(99)
  scores.forEach((score, index) => (values[index * fine] = score))
  return { values, reach }
}

function runWith(changed: object | undefined): Run {
  const rows = Float32Array.from({ length: 3 * 4 }, (_, index) => index)
  return {
    interventions: changed ? JSON.stringify({ offset: 0, frozen: [], ablated: [], ablatedHeads: [], ...changed }) : '',
    model: { info: { attention: 'softmax', head_size: 4, scale: 0.5, num_attention_heads: 2, num_key_value_heads: 1 } },
    id: 7,
    // Another layer turns by another θ.
    result: { theta: Float64Array.of(7, 7, 1, 0.01) },
    head: { layer: 1, head: 1, length: 3, query: rows, key: rows.map((x) => -x) },
  } as unknown as Run
}

describe('the curve over distances', () => {
  it('is highest at a whole distance, of equal ones at the nearest', () => {
    expect(peakOf(curveOf(1, 2, 3, 9, 4), false)).toEqual({ distance: 1, score: 9 })
    expect(peakOf(curveOf(9, 2, 3, 9, 4), false)).toEqual({ distance: 1, score: 9 })
    expect(peakOf(curveOf(1, 9, 3, 2, 4), false)).toEqual({ distance: -1, score: 9 })
  })

  it('has no key ahead in a causal model', () => {
    expect(peakOf(curveOf(1, 9, 3, 2, 4), true)).toEqual({ distance: 2, score: 4 })
  })

  it('is read at a distance, and nowhere beyond', () => {
    expect(scoreAt(curveOf(1, 2, 3, 9, 4), 2)).toBe(4)
    expect(scoreAt(curveOf(1, 2, 3, 9, 4), 3)).toBeNaN()
  })

  it('spans from its lowest score to its highest', () => {
    expect(spanOf({ values: Float64Array.of(3, 3, 3), reach: 1 })).toBe(0)
    expect(spanOf({ values: Float64Array.of(3, -1, 5), reach: 1 })).toBe(6)
  })

  it('reaches to the key', () => {
    expect([reachFor(0), reachFor(-32), reachFor(33), reachFor(500)]).toEqual([32, 32, 64, 512])
  })
})

describe('the request for a score', () => {
  it('is the rows of query and key, at a fine step', () => {
    const request = explainRequest(runWith(undefined), { query: 2, key: 1 }, 32)
    expect(request?.params).toEqual({
      query: Float32Array.of(8, 9, 10, 11),
      key: Float32Array.of(-4, -5, -6, -7),
      m: 8,
      n: 4,
      theta: Float64Array.of(0.25, 0.0025),
      scale: 0.5,
      maxDistance: 128,
    })
  })

  it('is one pair alone where one is named', () => {
    const request = explainRequest(runWith(undefined), { query: 2, key: 1 }, 32, 1)
    expect(request?.params.query).toEqual(Float32Array.of(10, 11))
    expect(request?.params.theta).toEqual(Float64Array.of(0.0025))
  })

  it('is nothing where the text has no such token', () => {
    expect(explainRequest(runWith(undefined), { query: 3, key: 0 }, 32)).toBeUndefined()
  })

  it('does not turn what was stopped, for the heads of the key’s group too', () => {
    expect(thetaOf(runWith({ frozen: [{ layer: 1, head: 0, pairs: [0] }] }))).toEqual(Float64Array.of(0, 0.01))
    expect(thetaOf(runWith({ ablated: [{ layer: 1, head: 1, pairs: [0] }] }))).toEqual(Float64Array.of(1, 0.01))
  })
})

describe('the paper’s bound', () => {
  it('is as high ahead as behind', () => {
    const decay = Float64Array.from({ length: 2 * fine + 1 }, (_, index) => 10 - index)
    const bound = boundOf(0.5, decay, 2, 2)
    expect(bound && scoreAt(bound, 0)).toBe(10)
    expect(bound && [scoreAt(bound, -2), scoreAt(bound, 2)]).toEqual([2, 2])
  })

  it('is not drawn from what is not known', () => {
    expect(boundOf(NaN, new Float64Array(9), 2, 2)).toBeUndefined()
    expect(boundOf(1, new Float64Array(8), 2, 2)).toBeUndefined()
  })
})

describe('the key along the curve', () => {
  it('stands on tokens of the text only', () => {
    expect([keyAt(2, 1, 4, false), keyAt(2, 3, 4, false), keyAt(2, -2, 4, false)]).toEqual([1, undefined, undefined])
    expect([keyAt(2, -1, 4, false), keyAt(2, -1, 4, true)]).toEqual([3, undefined])
  })
})
