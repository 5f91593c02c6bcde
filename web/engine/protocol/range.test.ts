import { expect, it } from 'vitest'
import { clamp, clampIndex } from './range'

it('the nearest number and index of a range', () => {
  expect([-1, 2, 9].map((value) => clamp(value, 0, 5))).toEqual([0, 2, 5])
  expect([-1, 2, 9].map((index) => clampIndex(index, 5))).toEqual([0, 2, 4])
  expect(clampIndex(3, 0)).toBe(0)
})
