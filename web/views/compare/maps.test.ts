import { describe, expect, it } from 'vitest'
import { looking } from '../../testing/attentionMaps'
import type { Reading } from '../../text/reading'
import {
  across,
  alignModels,
  alignSame,
  alignTexts,
  alikeByDistance,
  correlation,
  difference,
  elsewhere,
  gaps,
  patternOf,
  patternsOf,
  nearest,
  widest,
  type Alignment,
  type AttentionMap,
} from './maps'

const back = looking(8, -1, 0.75)
const ahead = looking(8, 1, 0.8)
const even = looking(8, 0, 0)
const same = alignSame(8)

/** A tokenized text of words; `around` adds [CLS] and [SEP]. */
function read(text: string, around = true, words = /\S+/g): Reading {
  const found = [...text.matchAll(words)].map(([word, ..._], at, all) => ({ word, start: all[at]?.index ?? 0 }))
  const own = found.map(({ word, start }) => ({ token: word, span: { start, end: start + word.length } }))
  const special = (token: string) => (around ? [{ token, span: null }] : [])
  const tokens = [...special('[CLS]'), ...own, ...special('[SEP]')]
  const id = (token: string) => [...token].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 100_003
  return {
    ids: Uint32Array.from(tokens, ({ token }) => id(token)),
    tokens: tokens.map(({ token }) => token),
    display: tokens.map(({ token }) => token),
    spans: tokens.map(({ span }) => span),
    before: around ? 1 : 0,
    after: around ? 1 : 0,
    truncated: false,
  }
}

describe('two texts', () => {
  it('that are one are compared whole, and equally long ones place by place', () => {
    expect(alignTexts(read('the dog sat'), read('the dog sat'))).toEqual(alignSame(5))
    expect(alignTexts(read('the dog sat'), read('a cat ran'))).toEqual({ ...alignSame(5), compared: 'places' })
  })

  it('are compared where they begin and end alike, each token once', () => {
    const { toB, toA, compared, shared } = alignTexts(read('the dog sat on it'), read('the big old dog sat on it'))
    expect(Array.from(toB)).toEqual([0, 1, 4, 5, 6, 7, 8])
    expect(Array.from(toA)).toEqual([0, 1, -1, -1, 2, 3, 4, 5, 6])
    expect([compared, shared]).toEqual(['ends', 7])
    // B has one more 'a'. Which one is new is ambiguous; no token is counted twice.
    const doubled = alignTexts(read('a a b'), read('a a a b'))
    expect(Array.from(doubled.toB)).toEqual([0, 1, 2, 4, 5])
    expect(doubled.shared).toBe(5)
  })

  it('with less than a quarter in common are not, and equal places are linked', () => {
    const { toB, toA, compared } = alignTexts(read('one two three four five six .'), read('seven eight .'))
    expect(compared).toBe('ends')
    const other = alignTexts(read('one two three four five six seven .'), read('eight nine ten eleven twelve .'))
    expect(other.compared).toBe('none')
    expect(Array.from(other.toB)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, -1, -1])
    expect(alignTexts(read('one two'), read('three')).compared).toBe('none')
    expect([toB.length, toA.length]).toEqual([9, 5])
  })
})

describe('two models', () => {
  it('that cut a text alike are compared whole, whatever their ids', () => {
    const other = read('the dog sat')
    expect(alignModels(read('the dog sat'), { ...other, ids: other.ids.map((id) => id + 1) })).toEqual(alignSame(5))
  })

  it('that cut it otherwise are linked by what stands there', () => {
    const { toB, toA, compared } = alignModels(read('dogs sat'), read('dogs sat', false, /[a-z]{1,2}/g))
    expect(compared).toBe('none')
    // [CLS] dogs sat [SEP] against do gs sa t
    expect(Array.from(toB)).toEqual([-1, 0, 2, -1])
    expect(Array.from(toA)).toEqual([1, 1, 2, 2])
    const both = alignModels(read('dogs'), read('dogs', true, /[a-z]{2}/g))
    expect(Array.from(both.toB)).toEqual([0, 1, 3])
  })
})

describe('a place', () => {
  const toB = Int32Array.of(0, 1, -1, -1, 2)

  it('is the same in the other map, or none', () => {
    expect(across({ query: 4, key: 2 }, toB)).toEqual({ query: 2, key: null })
    expect(across({ query: null, key: 9 }, toB)).toEqual({ query: null, key: null })
  })

  it('that a map has not is looked at beside it', () => {
    expect(nearest({ query: 2, key: null }, { query: 4, key: 2 }, toB, 3)).toEqual({ query: 2, key: 1 })
    expect(nearest({ query: null, key: null }, { query: null, key: 3 }, toB, 3)).toEqual({ query: 0, key: 2 })
    expect(nearest({ query: null, key: 0 }, { query: 5, key: 0 }, Int32Array.of(-1), 3).query).toBe(2)
  })

  it('is missing in stretches', () => {
    expect(gaps(toB)).toEqual([[2, 4]])
    expect(gaps(Int32Array.of(-1, 0, -1))).toEqual([
      [0, 1],
      [2, 3],
    ])
  })
})

describe('two maps', () => {
  it('differ cell by cell, and each row of the difference sums to 0', () => {
    const differences = difference(back, ahead, alignSame(8))
    for (let query = 0; query < 8; query++) {
      const row = differences.subarray(query * 8, (query + 1) * 8)
      expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 5)
    }
    expect(differences[8]).toBeGreaterThan(0.7)
  })

  it('correlate by 1 with themselves, and by nothing with one that is even', () => {
    expect(correlation(back, back, same, false)).toBeCloseTo(1)
    expect(correlation(back, ahead, same, false)).toBeLessThan(0)
    expect(correlation(back, even, same, false)).toBeUndefined()
  })

  it('correlate over the keys that a causal head can see', () => {
    const half = { attention: Float32Array.of(1, 0, 0.25, 0.75), length: 2 }
    const other = { attention: Float32Array.of(1, 0, 0.75, 0.25), length: 2 }
    // (1, 0.25, 0.75) and (1, 0.75, 0.25), both with the mean 2/3: 6/144 of 42/144.
    expect(correlation(half, other, alignSame(2), true)).toBeCloseTo(1 / 7)
    expect(correlation(half, other, alignSame(2), true)).not.toBeCloseTo(
      correlation(half, other, alignSame(2), false) ?? 0,
      3,
    )
  })

  it('say which part of a row lies elsewhere: all of it where they have no key in common', () => {
    expect(elsewhere(back, back, same)).toBe(0)
    const [one, other] = [
      { attention: Float32Array.of(1, 0, 1, 0), length: 2 },
      { attention: Float32Array.of(0, 1, 0, 1), length: 2 },
    ]
    expect(elsewhere(one, other, alignSame(2))).toBe(1)
  })

  it('of other lengths are as alike as their distances are, and elsewhere counts all that only one has as one place', () => {
    expect(alikeByDistance(back, back)).toBeCloseTo(1)
    expect(alikeByDistance(back, ahead)).toBeLessThan(0.4)
    const long = looking(40, -1, 0.95)
    expect(alikeByDistance(looking(20, -1, 0.95), long)).toBeGreaterThan(0.9)
    const one = { attention: Float32Array.of(0.5, 0.5, 0.25, 0.75), length: 2 }
    const other = { attention: Float32Array.of(0.5, 0.3, 0.2, 0, 1, 0, 0.25, 0.25, 0.5), length: 3 }
    // Row 0: 0.5 and 0.5 against 0.5 and (0.3 + 0.2). Row 1: 0.25 and 0.75 against 0.25 and (0.25 + 0.5).
    const first: Alignment = { toB: Int32Array.of(0, -1), toA: Int32Array.of(0, -1, -1), compared: 'ends', shared: 1 }
    expect(elsewhere(one, other, first)).toBeCloseTo(0)
    const ends: Alignment = { toB: Int32Array.of(0, 2), toA: Int32Array.of(0, -1, 1), compared: 'ends', shared: 2 }
    // Row 0: |0| + |0.5 − 0.2| + |0 − 0.3|. Row 1: |0| + |0.75 − 0.5| + |0 − 0.25|. The mean of half of each.
    expect(elsewhere(one, other, ends)).toBeCloseTo((0.3 + 0.25) / 2)
    expect(correlation(one, other, { ...ends, compared: 'none' }, false)).toBeUndefined()
    expect(elsewhere(one, other, { ...ends, compared: 'none' })).toBeUndefined()
  })

  it('have patterns that are the mean of the queries that can have them', () => {
    expect(patternsOf(back).back).toBeCloseTo(0.75 + 0.25 / 8)
    expect(patternOf(patternsOf(back))).toBe('back')
    expect(patternOf(patternsOf(ahead))).toBe('ahead')
    expect(patternOf(patternsOf(even))).toBeUndefined()
    expect(widest(patternsOf(back), patternsOf(even))).toBe('back')
  })
})

describe('cross-attention', () => {
  // Three tokens of a source, two of a text.
  const cross = (first: readonly number[], second: readonly number[]): AttentionMap => {
    const attention = new Float32Array(25)
    attention.set(first, 15)
    attention.set(second, 20)
    return { attention, length: 5, source: 3 }
  }
  const a = cross([1, 0, 0], [1, 0, 0])
  const b = cross([0, 0, 1], [0.5, 0, 0.5])

  it('is compared over the rows of its text and the columns of its source', () => {
    expect(elsewhere(a, b, alignSame(5))).toBe(0.75)
    expect(correlation(a, a, alignSame(5), false)).toBeCloseTo(1)
    const left = difference(a, b, alignSame(5))
    expect([left[15], left[17], left[22]]).toEqual([1, -1, -0.5])
    expect(left[0]).toBeNaN()
  })

  it('has its patterns in the source', () => {
    expect(patternsOf(b)).toEqual({ sourceStart: 0.25, sourceEnd: 0.75 })
    expect(patternOf(patternsOf(b))).toBe('sourceEnd')
    expect(widest(patternsOf(a), patternsOf(a))).toBe('sourceStart')
    // Beside a map of one text there is nothing that both can have.
    expect(widest(patternsOf(a), patternsOf(looking(5, -1, 0.9)))).toBeUndefined()
  })

  it('of two texts aligns sources with sources and texts with texts', () => {
    const pair = (source: string, text: string): Reading => {
      const [one, other] = [read(source, false), read(text, false)]
      const all = read(`${source} ${text}`, false)
      return { ...all, pair: { source: one.ids, text: other.ids, part: 'cross' } }
    }
    const alignment = alignTexts(pair('one two three', 's a b'), pair('one two three four', 's a'))
    // Two texts of six tokens in all: their places are not those of one text.
    expect([...alignment.toB.subarray(3)].every((at) => at < 0 || at >= 4)).toBe(true)
    expect(alignTexts(pair('one two', 's a'), pair('one three', 's a'))).toMatchObject({
      compared: 'places',
      shared: 4,
      sameSource: false,
    })
    expect(alignTexts(pair('one two', 's a'), pair('one two', 's b'))).toMatchObject({ sameSource: true })
    expect(alikeByDistance(a, b)).toBeUndefined()
  })
})
