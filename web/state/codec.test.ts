import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Choice } from './choice'
import { decode, defaults, encode, fields, longestLinkedText, ranges } from './codec'

const choices: fc.Arbitrary<Choice> = fc.record({
  room: fc.constantFrom('explorer', 'laboratory', 'models', 'about'),
  text: fc.string({ unit: 'binary', maxLength: 80 }),
  layer: fc.nat(9999),
  head: fc.nat(9999),
  query: fc.nat(1_000_000),
  key: fc.nat(1_000_000),
  pair: fc.option(fc.nat(100_000), { nil: null }),
  backend: fc.constantFrom('auto', 'gpu', 'cpu'),
  headSize: fc.nat(255).map((half) => 2 + half * 2),
  base: fc.double({ min: ranges.base.least, max: ranges.base.most, noNaN: true }),
  maxDistance: fc.integer({ min: 8, max: 8192 }),
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  topK: fc.integer({ min: 1, max: 64 }),
  topP: fc.double({ min: ranges.topP.least, max: 1, noNaN: true }),
  minP: fc.double({ min: 0, max: ranges.minP.most, noNaN: true }),
  repetitionPenalty: fc.double({ min: 1, max: 2, noNaN: true }),
  seed: fc.nat(ranges.seed.most),
  maxNewTokens: fc.integer({ min: 1, max: 512 }),
})

describe('the link', () => {
  it('gives back every state, 0, nothing and an empty text included', () => {
    fc.assert(
      fc.property(choices, (choice) => {
        expect(decode(`#${encode(choice)}`)).toEqual(choice)
      }),
      { numRuns: 1000 },
    )
    const zeros: Choice = { ...defaults, text: '', layer: 0, head: 0, query: 0, key: 0, pair: 0 }
    expect(decode(encode(zeros))).toEqual(zeros)
    expect(decode(encode({ ...defaults, pair: null })).pair).toBeNull()
  })

  it('is empty by default and names only what differs', () => {
    expect(encode(defaults)).toBe('')
    expect(encode({ ...defaults, layer: 0, room: 'about' })).toBe('room=about&layer=0')
  })

  it('takes anything a stranger writes', () => {
    expect(decode('#layer=-5&head=1e9&query=99999999999&pair=x&room=attic&backend=tpu&base=NaN&headSize=33')).toEqual({
      ...defaults,
      layer: 0,
      query: 1_000_000,
      headSize: 34,
    })
    expect(decode('#base=1e99').base).toBe(ranges.base.most)
    expect(decode('#base=-Infinity').base).toBe(ranges.base.least)
    expect(decode('#layer=%E0%A4%A&text=%').text).toBe('%')
    expect(decode(`#text=${'a'.repeat(50_000)}`).text.length).toBe(longestLinkedText)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (fragment) => {
        const choice = decode(fragment)
        expect(decode(encode(choice))).toEqual(choice)
      }),
    )
  })

  it('leaves out a text that is too long for it', () => {
    expect(encode({ ...defaults, text: 'a'.repeat(longestLinkedText + 1) })).toBe('')
  })

  it('has one name for each value', () => {
    const names = Object.values(fields).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
