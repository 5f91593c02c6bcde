import { describe, expect, it } from 'vitest'
import type { Reading } from '../../text/reading'
import { across, alignModels, alignSame, alignTexts, gaps, nearest } from './align'

/** A text of words with spans, [CLS] before and [SEP] behind it where `around` says so. */
function read(text: string, around = true, cut = /\S+/g): Reading {
  const found = [...text.matchAll(cut)].map(([word, ..._], at, all) => ({ word, start: all[at]?.index ?? 0 }))
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
    // One 'a' more: which of them it is nobody knows, and none is counted twice.
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
    // [CLS] dogs sat [SEP] beside do gs sa t
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
