import fc from 'fast-check'
import { expect, test, describe, it } from 'vitest'
import { columns, roundStep, thinLabels, thinTicks, bySpeed, decades, placeTicks, wavelengthsOf } from './labels'

test('a text takes two columns a CJK character or emoji and none for a combining mark', () => {
  expect(columns('mask')).toBe(4)
  expect(columns('今天')).toBe(4)
  expect(columns('e\u0301')).toBe(1)
  expect(columns('🙂')).toBe(2)
})

test('steps are round', () => {
  expect([0.3, 1, 1.1, 3, 6, 11, 21].map(roundStep)).toEqual([1, 1, 2, 5, 10, 20, 50])
})

test('all labels are drawn where there is room', () => {
  expect(thinLabels(4, 14, 12)).toEqual([0, 1, 2, 3])
})

test('a pinned label pushes out the neighbours it would touch', () => {
  expect(thinLabels(21, 3, 12, [9])).toEqual([0, 5, 9, 15, 20])
  expect(thinLabels(21, 3, 12, [11])).toEqual([0, 5, 11, 15, 20])
})

test('labels never touch, and the first pinned one is always there', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 512 }),
      fc.double({ min: 0.2, max: 60, noNaN: true }),
      fc.double({ min: 6, max: 60, noNaN: true }),
      fc.array(fc.nat(511), { maxLength: 3 }),
      (count, pitch, room, pinned) => {
        const drawn = thinLabels(count, pitch, room, pinned)
        for (let i = 1; i < drawn.length; i++) {
          expect(((drawn[i] ?? 0) - (drawn[i - 1] ?? 0)) * pitch).toBeGreaterThanOrEqual(room - 1e-3)
        }
        const first = pinned.find((index) => index < count)
        if (first !== undefined) expect(drawn).toContain(first)
      },
    ),
  )
})

test('ticks whose texts would touch are left out', () => {
  expect(thinTicks([0, 20, 40, 60], [6, 30, 30, 30], 4)).toEqual([true, false, true, false])
})

const theta = Float64Array.from({ length: 16 }, (_, pair) => 10_000 ** (-pair / 16))
const still = Float64Array.of(1, 0.1, 0, 0)

describe('the axis of frequency pairs', () => {
  it('puts the fastest first and what stands still last', () => {
    expect(bySpeed(wavelengthsOf(Float64Array.of(0.1, 0, 1, 0.1)))).toEqual([2, 0, 3, 1])
  })

  it('has its ticks at 2π times powers of ten, where the pairs are', () => {
    const ticks = decades(wavelengthsOf(theta))
    expect(ticks.map(({ text }) => text)).toEqual(['6.3', '63', '628', '6,283'])
    expect(ticks.map(({ rank }) => Math.round(rank * 1e6) / 1e6)).toEqual([0, 4, 8, 12])
  })

  it('puts a decade between two pairs in its place', () => {
    const [tick] = decades([2 * Math.PI * 5, 2 * Math.PI * 20])
    expect(tick?.rank).toBeCloseTo(0.5, 9)
    expect(tick?.text).toBe('63')
  })

  it('has a place for what does not turn', () => {
    expect(decades(wavelengthsOf(still)).at(-1)).toEqual({ rank: 2.5, text: '∞' })
    expect(decades([Infinity])).toEqual([{ rank: 0, text: '∞' }])
    expect(decades([])).toEqual([])
  })

  it('thins its ticks out', () => {
    const ticks = decades(wavelengthsOf(theta))
    expect(placeTicks(ticks, (rank) => rank * 20)).toHaveLength(4)
    expect(placeTicks(ticks, (rank) => rank)).toHaveLength(1)
  })
})
