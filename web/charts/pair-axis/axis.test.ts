import { describe, expect, it } from 'vitest'
import { bySpeed, decades, placedTicks, wavelengthsOf } from './axis'

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
    expect(placedTicks(ticks, (rank) => rank * 20)).toHaveLength(4)
    expect(placedTicks(ticks, (rank) => rank)).toHaveLength(1)
  })
})
