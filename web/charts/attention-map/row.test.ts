import { expect, test } from 'vitest'
import { greatest, rank } from './row'

test('ranks count from 1 and ties share the better one', () => {
  const row = Float32Array.of(0.5, 0.25, 0.25)
  expect([0, 1, 2].map((key) => rank(row, key))).toEqual([1, 2, 2])
})

test('the greatest come first, ties by position', () => {
  expect(greatest(Float32Array.of(0.125, 0.125, 0.75), 2)).toEqual([
    { key: 2, value: 0.75 },
    { key: 0, value: 0.125 },
  ])
})
