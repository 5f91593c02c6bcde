import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../engine/protocol/protocol'
import { readDescribedHeads } from './describedHeads'

const info = { num_hidden_layers: 2, num_attention_heads: 2 } as ModelInfo
const head = (layer: number, head: number, over: object = {}) => ({
  layer,
  head,
  entropy: 1,
  distance: 3,
  previous: 0.5,
  next: 0.25,
  same: 0.125,
  repeated: 0,
  special: 0.1,
  ...over,
})
const all = [head(0, 0), head(0, 1), head(1, 0), head(1, 1)]
const file = (heads: unknown, protocol: unknown = { book: 'A Book' }) => JSON.stringify({ protocol, heads })

describe('heads.json', () => {
  it('is read in the words of describe_heads.py', () => {
    expect(readDescribedHeads(file(all), info)).toEqual({
      book: 'A Book',
      heads: all,
    })
  })

  it('may say nothing of how the weights lie, or nothing that can be', () => {
    const { entropy: _, distance: __, ...weights } = head(0, 0)
    const read = (first: object) => readDescribedHeads(file([first, ...all.slice(1)]), info)
    expect(read(weights)).toEqual({ book: 'A Book', heads: [weights, ...all.slice(1)] })
    expect(read({ ...weights, entropy: -1, distance: '3' })).toEqual(read(weights))
    const more = { first: 0.1, induction: 0, largest: 1, concentration: 0.5, correlation: -0.25 }
    expect(read({ ...weights, ...more })).toMatchObject({ heads: [{ ...weights, ...more }, ...all.slice(1)] })
    const wrong = { first: 1.1, induction: null, largest: '1', concentration: -0.5, correlation: -1.5 }
    expect(read({ ...weights, ...wrong })).toEqual(read(weights))
  })

  it('without the name of a book is of held-out text', () => {
    for (const protocol of [{}, null, { book: 7 }, 'A Book']) {
      expect(readDescribedHeads(file(all, protocol), info)).toMatchObject({ book: 'held-out text' })
    }
    expect(readDescribedHeads(file(all, { book: 'x'.repeat(1000) }), info)).toMatchObject({ book: 'x'.repeat(200) })
  })

  it.each([
    ['not JSON', '{'],
    ['no object', 'null'],
    ['no heads', '{}'],
    ['heads that are no list', file({ length: 4 })],
    ['too few heads', file(all.slice(1))],
    ['too many heads', file([...all, head(1, 1)])],
    ['a head twice', file([...all.slice(1), head(1, 1)])],
    ['a layer beyond the model', file([...all.slice(1), head(2, 0)])],
    ['a negative head', file([...all.slice(1), head(0, -1)])],
    ['a head between two', file([...all.slice(1), head(0, 0.5)])],
    ['a weight above 1', file([...all.slice(1), head(0, 0, { previous: 1.5 })])],
    ['a negative weight', file([...all.slice(1), head(0, 0, { next: -0.1 })])],
    ['a weight that is no number', file([...all.slice(1), head(0, 0, { same: '0.5' })])],
    ['a missing weight', file([...all.slice(1), head(0, 0, { special: undefined })])],
    ['no entries', file([null, 1, 'a', []])],
  ])('that holds %s is a problem said in words', (_, text) => {
    const described = readDescribedHeads(text, info)
    expect('problem' in described && described.problem()).toMatch(/^heads\.json .*ropescope heads/)
  })
})
