import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundReach, signedScale, weightScale, weightScales } from './scale'

test('weights lie by their square root, as they are, or by their magnitude', () => {
  expect(weightScale('root').place(0.25)).toBe(0.5)
  expect(weightScale('linear').place(0.25)).toBe(0.25)
  expect(weightScale('log').place(0.01)).toBeCloseTo(0.5)
  expect(weightScale('log').place(0)).toBe(0)
})

test('every scale rises from one end of the bar to the other', () => {
  for (const scale of weightScales) {
    const { place, ticks } = weightScale(scale)
    const places = ticks.map(place)
    expect([places[0], places.at(-1)]).toEqual([0, 1])
    expect(places).toEqual([...places].sort((one, other) => one - other))
  }
})

test('signed numbers lie around the middle', () => {
  const { place, ticks } = signedScale(8)
  expect([-8, -4, 0, 8, 99].map(place)).toEqual([0, 0.25, 0.5, 1, 1])
  expect(ticks).toEqual([-8, -4, 0, 4, 8])
})

test('the reach is a round number not below the greatest', () => {
  expect([0.35, 1, 2.5, 7, 8.4, 12.9, 163].map(roundReach)).toEqual([0.4, 1, 3, 8, 10, 15, 200])
  expect([0, Number.NaN, Infinity].map(roundReach)).toEqual([1, 1, 1])
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (value) => {
      expect(roundReach(value)).toBeGreaterThanOrEqual(value * (1 - 1e-6))
      expect(roundReach(value)).toBeLessThanOrEqual(value * 2.01)
    }),
  )
})
