import { describe, expect, it } from 'vitest'
import { weightEntry } from '../../charts/colour'
import type { Comparison } from './comparison'
import { drawComparison } from './draw'
import { alignSame, type Alignment } from './align'
import type { Room } from './layout'
import {
  alikeByDistance,
  correlation,
  difference,
  elsewhere,
  habitOf,
  habitsOf,
  largest,
  nextHead,
  widest,
  type AttentionMap,
} from './model'
import { paintPane, signedEntry } from './paint'
import { likeness, tellComparison, type Matter } from './tell'

/** A map whose row m gives `share` to key m + by, where there is one, and the rest to all keys alike. */
function looking(length: number, by: number, share: number): AttentionMap {
  const attention = new Float32Array(length * length).map((_, cell) => {
    const [query, key] = [Math.floor(cell / length), cell % length]
    const there = query + by >= 0 && query + by < length
    return (there ? (1 - share) / length : 1 / length) + (there && key === query + by ? share : 0)
  })
  return { attention, length }
}

const back = looking(8, -1, 0.75)
const ahead = looking(8, 1, 0.8)
const even = looking(8, 0, 0)
const same = alignSame(8)

describe('two maps', () => {
  it('differ cell by cell, and each row of the difference sums to 0', () => {
    const apart = difference(back, ahead, alignSame(8))
    for (let query = 0; query < 8; query++) {
      const row = apart.subarray(query * 8, (query + 1) * 8)
      expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 5)
    }
    expect(apart[8]).toBeGreaterThan(0.7)
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
    // Row 0: 0.5 and 0.5 beside 0.5 and (0.3 + 0.2); row 1: 0.25 and 0.75 beside 0.25 and (0.25 + 0.5).
    const first: Alignment = { toB: Int32Array.of(0, -1), toA: Int32Array.of(0, -1, -1), compared: 'ends', shared: 1 }
    expect(elsewhere(one, other, first)).toBeCloseTo(0)
    const ends: Alignment = { toB: Int32Array.of(0, 2), toA: Int32Array.of(0, -1, 1), compared: 'ends', shared: 2 }
    // Row 0: |0| + |0.5 − 0.2| + |0 − 0.3|; row 1: |0| + |0.75 − 0.5| + |0 − 0.25|; half of each, their mean.
    expect(elsewhere(one, other, ends)).toBeCloseTo((0.3 + 0.25) / 2)
    expect(correlation(one, other, { ...ends, compared: 'none' }, false)).toBeUndefined()
    expect(elsewhere(one, other, { ...ends, compared: 'none' })).toBeUndefined()
  })

  it('have habits that are the mean of the queries that can have them', () => {
    expect(habitsOf(back).back).toBeCloseTo(0.75 + 0.25 / 8)
    expect(habitOf(habitsOf(back))).toBe('back')
    expect(habitOf(habitsOf(ahead))).toBe('ahead')
    expect(habitOf(habitsOf(even))).toBeUndefined()
    expect(widest(habitsOf(back), habitsOf(even))).toBe('back')
  })

  it('are of the head and the next one where no other is chosen', () => {
    expect(nextHead({ layer: 2, head: 7 }, 8)).toEqual({ layer: 2, head: 0 })
    expect(nextHead({ layer: 0, head: 0 }, 1)).toEqual({ layer: 0, head: 0 })
  })
})

describe('what is said of them', () => {
  const heads: Matter = {
    a: back,
    b: ahead,
    alignment: same,
    causal: false,
    differs: { by: 'head', head: '2.6', other: '2.5' },
  }
  const told = (matter: Matter) => tellComparison(matter, likeness(matter))
  const say = (matter: Matter) => told(matter).title

  it('is what each head looks at', () => {
    expect(say(heads)).toBe('2.6 looks one token back; 2.5 one token ahead.')
    expect(say({ ...heads, b: back })).toBe('2.6 and 2.5 both look one token back.')
    expect(say({ ...heads, b: even })).toBe('2.6 looks one token back; 2.5 does not.')
    expect(say({ ...heads, a: even })).toBe('2.5 looks one token ahead; 2.6 does not.')
    expect(say({ ...heads, a: even, b: even })).toBe('2.6 and 2.5 put 0\u00a0% of their weight on different tokens.')
  })

  it('is what a change does to a head', () => {
    const changed: Matter = {
      ...heads,
      differs: { by: 'change', head: '2.6', change: 'with 4 pairs of head 2.6 cut out' },
    }
    expect(say({ ...changed, b: even })).toBe(
      'With 4 pairs of head 2.6 cut out, head 2.6 no longer looks one token back.',
    )
    expect(say({ ...changed, b: looking(8, -1, 0.7) })).toContain('still looks one token back')
    expect(say(changed)).toContain('looks one token ahead, not one token back')
    expect(say({ ...changed, b: back })).toContain('looks exactly where it looked')
    const rounded = { ...back, attention: back.attention.map((weight) => weight + 3.4e-7) }
    expect(say({ ...changed, b: rounded })).toMatch(/no weight moves by more than 0\.000000\d\.$/)
    expect(say({ ...changed, a: even, b: looking(8, 0, 0.3) })).toMatch(/puts \d+\u00a0% of its weight on other tokens/)
  })

  it('is what a head does in two texts, what of them is compared, and how alike they are by distance', () => {
    const longer = looking(11, -1, 0.75)
    const toB = Int32Array.of(0, 1, 2, 3, 7, 8, 9, 10)
    const ends: Matter = {
      ...heads,
      b: longer,
      alignment: { toB, toA: new Int32Array(11), compared: 'ends', shared: 8 },
      differs: { by: 'text', head: '2.6' },
    }
    expect(say(ends)).toBe('2.6 looks one token back in both texts.')
    expect(told(ends).line).toMatch(
      /^A gives the token before 0\.78 of its weight on average, B 0\.77\. \d+\u00a0% of a row lies elsewhere; the maps correlate by 0\.9\d\. They begin and end with the same 8 of 11 tokens: these are compared\. By distance 9\d\u00a0% of their weight is alike\.$/,
    )
    expect(say({ ...ends, b: looking(11, 1, 0.8) })).toBe(
      '2.6 looks one token back in A’s text, one token ahead in B’s.',
    )
    expect(say({ ...ends, b: looking(11, 0, 0) })).toBe('2.6 looks one token back in A’s text; in B’s it does not.')
    expect(say({ ...ends, a: even })).toBe('2.6 looks one token back in B’s text; in A’s it does not.')
    const none: Matter = { ...ends, alignment: { ...ends.alignment, compared: 'none', shared: 0 } }
    expect(told(none).line).toContain('too few tokens alike')
    expect(told(none).line).not.toContain('elsewhere')
    expect(say({ ...none, a: even, b: even })).toBe(
      'In both texts 2.6 gives 100\u00a0% of its weight to the same distances.',
    )
  })

  it('names both models', () => {
    const models: Matter = {
      ...heads,
      differs: { by: 'model', head: '2.6', other: '1.3', model: 'one', otherModel: 'other' },
    }
    expect(say(models)).toBe('2.6 of one looks one token back; 1.3 of other one token ahead.')
    expect(told(models).line).toContain('Both models read the same 8 tokens.')
    const none: Matter = { ...models, a: even, b: even, alignment: { ...same, compared: 'none', shared: 0 } }
    expect(say(none)).toBe('2.6 of one and 1.3 of other give 100\u00a0% of their weight to the same distances.')
    expect(told(none).line).toContain('other tokens: these are not compared')
  })
})

describe('the picture', () => {
  it('paints what is furthest from 0 where a cell stands for many', () => {
    const values = new Float32Array(100 * 100)
    values[57 * 100 + 43] = -0.25
    const table = Uint8Array.from({ length: 768 }, (_, at) => Math.floor(at / 3))
    const pane = {
      which: 2,
      x: 0,
      y: 0,
      side: 10,
      from: { query: 0, key: 0 },
      count: 100,
      part: false,
      rows: false,
      columns: false,
    } as const
    const { pixels, columns } = paintPane({ values, length: 100, table, entry: signedEntry }, pane)
    expect(columns).toBe(10)
    expect(pixels[(5 * 10 + 4) * 4]).toBe(signedEntry(-0.25))
    expect(pixels[(5 * 10 + 5) * 4]).toBe(signedEntry(0))
  })

  it('has both ends of the signed colours, and nothing in the middle', () => {
    expect([signedEntry(-1), signedEntry(1), signedEntry(-5)]).toEqual([0, 255, 0])
    expect(Math.abs(signedEntry(0) - 127.5)).toBeLessThan(1)
  })

  it('holds the numbers of the chosen cell', () => {
    const table = new Uint8Array(768)
    const apart = difference(back, ahead, alignSame(8))
    const maps: Comparison['maps'] = [
      { values: back.attention, length: 8, table, entry: weightEntry },
      { values: ahead.attention, length: 8, table, entry: weightEntry },
      { values: apart, length: 8, table, entry: signedEntry },
    ]
    const tokens = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const comparison: Comparison = {
      maps,
      names: ['head 2.6', 'head 2.5'],
      tokens: [tokens, tokens],
      spots: [
        { query: 3, key: 2 },
        { query: 3, key: 2 },
      ],
      alignment: same,
      likeness: { r: -0.5, elsewhere: 0.9, byDistance: 0.2 },
    }
    const textsOf = (comparison: Comparison, room: Room) =>
      drawComparison(comparison, room).marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    for (const [width, phone] of [
      [850, false],
      [440, false],
      [358, true],
    ] as const) {
      const texts = textsOf(comparison, { width, height: 396, phone })
      for (const text of ['d 3', 'c 2', '0.78', '0.03', '+0.76', 'head 2.6']) expect(texts).toContain(text)
      expect(texts.join(' ')).toContain('r −0.50')
    }
    // Of other tokens without any in common there are two maps, each with its own, and nothing is subtracted.
    const none: Comparison = {
      ...comparison,
      tokens: [tokens, tokens.map((token) => `${token}${token}`)],
      spots: [
        { query: 3, key: 2 },
        { query: null, key: 4 },
      ],
      alignment: { ...same, compared: 'none', shared: 0 },
    }
    const texts = textsOf(none, { width: 850, height: 396, phone: false })
    for (const text of ['d 3', 'ee 4', '–', 'by distance 20\u00a0% alike', 'dd']) expect(texts).toContain(text)
    expect(texts).not.toContain('A − B')
    expect(textsOf(none, { width: 440, height: 396, phone: false })).toContain('d 3 | –')
  })

  it('lays a ground where no query sees a key, and paints nothing there', () => {
    const values = new Float32Array(64).fill(0.5)
    const table = new Uint8Array(768).fill(9)
    const map = { values, length: 8, table, entry: weightEntry, causal: true }
    const pane = { x: 0, y: 0, side: 8, from: { query: 0, key: 0 }, count: 8 }
    const { pixels } = paintPane(map, pane)
    const opaque = (query: number, key: number) => pixels[(query * 8 + key) * 4 + 3] === 255
    expect([opaque(3, 3), opaque(7, 0), opaque(3, 4), opaque(0, 7)]).toEqual([true, true, false, false])
    const spot = { query: 3, key: 2 }
    const tokens = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const grounds = (causal: boolean) =>
      drawComparison(
        {
          maps: [{ ...map, causal }, map, { ...map, causal }],
          names: ['one', 'other'],
          tokens: [tokens, tokens],
          spots: [spot, spot],
          alignment: same,
          likeness: { r: 0, elsewhere: 0, byDistance: 1 },
        },
        { width: 850, height: 396, phone: false },
      ).marks.filter((mark) => mark.kind === 'path' && mark.fill === 'rule').length
    expect([grounds(true), grounds(false)]).toEqual([3, 1])
  })

  it('leaves out what is not compared, on a ground of its own', () => {
    const alignment: Alignment = {
      toB: Int32Array.of(0, 1, -1, -1, 2, 3, 4, 5),
      toA: Int32Array.of(0, 1, 4, 5, 6, 7),
      compared: 'ends',
      shared: 6,
    }
    const apart = difference(back, looking(6, -1, 0.75), alignment)
    const table = new Uint8Array(768).fill(9)
    const pane = { x: 0, y: 0, side: 8, from: { query: 0, key: 0 }, count: 8 }
    const { pixels } = paintPane({ values: apart, length: 8, table, entry: signedEntry }, pane)
    const opaque = (query: number, key: number) => pixels[(query * 8 + key) * 4 + 3] === 255
    expect([opaque(0, 0), opaque(7, 4), opaque(2, 0), opaque(0, 3)]).toEqual([true, true, false, false])
    expect(apart[1 * 8 + 0]).toBeCloseTo(0.25 / 8 - 0.25 / 6)
    expect(apart[3 * 8 + 2]).toBeNaN()
    expect(largest(apart)).toBeCloseTo(0.75 + 0.25 / 6, 1)
  })
})
