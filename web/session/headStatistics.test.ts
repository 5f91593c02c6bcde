import { describe, expect, it } from 'vitest'
import type { HeadByDistance } from '../engine/protocol/protocol'
import type { DescribedHead } from './describedHeads'
import { t as headMessages } from '../charts/head-grid/messages.en'
import {
  knownOf,
  largest,
  least,
  nearestKnown,
  ofBook,
  ofText,
  partOf,
  rankOf,
  sortedBy,
  statisticIds,
  statistics,
  walked as walkedStatistics,
  type MeasuredHead,
} from './headStatistics'

const described = (layer: number, head: number, over: Partial<DescribedHead> = {}): DescribedHead => ({
  layer,
  head,
  previous: 0.5,
  next: 0.25,
  same: 0.1,
  repeated: 0.05,
  special: 0,
  ...over,
})

const head = (layer: number, head: number, distance: number, entropy = 1): MeasuredHead => ({
  layer,
  head,
  numbers: { distance, entropy },
})

const four = [head(0, 0, 3, 4), head(0, 1, 1, 3), head(1, 0, 7, 1), head(1, 1, 1, 2)]
const names = (heads: readonly MeasuredHead[]) => heads.map(({ layer, head }) => `${layer}.${head}`)

describe('statistics', () => {
  it('are listed once each, and all have words', () => {
    expect(statistics.map(({ id }) => id).sort()).toEqual([...statisticIds].sort())
    for (const { id, text, book } of statistics) {
      expect(headMessages().statistics.statistics[id].name).not.toBe('')
      expect(book).toBe(id)
      expect(text === undefined).toBe(walkedStatistics.includes(id))
    }
    expect(statistics.flatMap(({ text }) => text ?? []).sort()).toEqual([...Array(10).keys()])
  })

  it('of cross-attention have nothing of distances', () => {
    const numbers = Float32Array.from({ length: 40 }, (_, index) => index)
    const known = knownOf(ofText({ layers: 2, heads: 2, numbers }, true))
    expect(known).toEqual(['entropy', 'largest', 'first', 'repeated', 'induction', 'special'])
  })

  it('of the text are read in the order of the engine, entropies in bits', () => {
    const numbers = Float32Array.from({ length: 40 }, (_, index) => index)
    const heads = ofText({ layers: 2, heads: 2, numbers }, false)
    expect(names(heads)).toEqual(['0.0', '0.1', '1.0', '1.1'])
    const { entropy, ...others } = heads[1]?.numbers ?? {}
    expect(entropy).toBeCloseTo(10 / Math.log(2), 12)
    const weights = {
      previous: 12,
      same: 13,
      next: 14,
      first: 15,
      largest: 16,
      repeated: 17,
      special: 18,
      induction: 19,
    }
    expect(others).toEqual({ distance: 11, ...weights })
    expect(ofText({ layers: 0, heads: 0, numbers: new Float32Array(0) }, false)).toEqual([])
  })

  it('that take a walk over all heads are known once all are told', () => {
    const numbers = new Float32Array(40)
    const curves = (correlation: number) =>
      ({ correlation, strength: Float64Array.of(1, 3), constancy: Float64Array.of(1, 0.5) }) as HeadByDistance
    expect(knownOf(ofText({ layers: 2, heads: 2, numbers }, false, [curves(1), curves(1), curves(1)]))).not.toContain(
      'correlation',
    )
    const heads = ofText({ layers: 2, heads: 2, numbers }, false, [curves(-0.5), curves(0.25), curves(0), curves(1)])
    expect(heads[0]?.numbers).toMatchObject({ concentration: 0.625, correlation: -0.5 })
    expect(least(heads, 'correlation')).toBe(-0.5)
    expect(least(heads, 'concentration')).toBe(0)
    expect(heads.map(partOf(heads, 'correlation'))).toEqual([0, 0.25, 0, 1])
  })

  it('of the book are what the file holds', () => {
    const heads = ofBook({
      book: 'A Book',
      heads: [described(1, 0, { entropy: Math.LN2, distance: 2 }), described(0, 0)],
    })
    expect(names(heads)).toEqual(['0.0', '1.0'])
    expect(heads[1]?.numbers).toMatchObject({ entropy: 1, distance: 2, previous: 0.5, special: 0 })
    // One head without them: there is no such axis.
    expect(knownOf(heads)).toEqual(['previous', 'same', 'next', 'repeated', 'special'])
    expect(knownOf([])).toEqual([])
    expect(
      knownOf(ofText({ layers: 1, heads: 1, numbers: new Float32Array([NaN, 1, 1, 1, 1, 1]) }, false)),
    ).not.toContain('entropy')
  })

  it('that are not known give way to one that is', () => {
    expect(nearestKnown(['entropy', 'first', 'special'], ['previous', 'special'])).toBe('special')
    expect(nearestKnown(['entropy'], ['previous', 'special'])).toBe('previous')
    expect(nearestKnown(['entropy'], [])).toBeUndefined()
  })

  it('shade from 0 to the largest', () => {
    expect(largest(four, 'distance')).toBe(7)
    expect(four.map(partOf(four, 'distance'))).toEqual([3 / 7, 1 / 7, 1, 1 / 7])
    expect(four.map(partOf(four, 'special'))).toEqual([0, 0, 0, 0])
  })

  it('sort, all heads or each layer by itself; equal ones stay as they were', () => {
    expect(names(sortedBy(four, 'distance'))).toEqual(['0.1', '1.1', '0.0', '1.0'])
    expect(names(sortedBy(four, 'distance', { falling: true }))).toEqual(['1.0', '0.0', '0.1', '1.1'])
    expect(names(sortedBy(four, 'distance', { within: true }))).toEqual(['0.1', '0.0', '1.1', '1.0'])
    expect(names(four)).toEqual(['0.0', '0.1', '1.0', '1.1'])
  })

  it('rank from the nearer end', () => {
    const rank = (at: number) => rankOf(four, 'distance', four[at] ?? head(0, 0, 0))
    expect(rank(2)).toEqual({ rank: 1, from: 'most' })
    expect(rank(0)).toEqual({ rank: 2, from: 'most' })
    expect(rank(1)).toEqual({ rank: 1, from: 'least' })
  })
})
