import { expect, test } from 'vitest'
import { away, greatest, rank, rowOf } from './row'

const attention = Float32Array.of(0.5, 0.25, 0.25, 0.125, 0.125, 0.75, 0, 1, 0)

test('a row is its query’s weights', () => {
  expect([...rowOf(attention, 3, 1)]).toEqual([0.125, 0.125, 0.75])
})

test('ranks count from 1 and ties share the better one', () => {
  const row = rowOf(attention, 3, 0)
  expect([0, 1, 2].map((key) => rank(row, key))).toEqual([1, 2, 2])
})

test('the greatest weights come first, ties by position', () => {
  expect(greatest(rowOf(attention, 3, 1), 2)).toEqual([
    { key: 2, weight: 0.75 },
    { key: 0, weight: 0.125 },
  ])
})

test('distances in words', () => {
  expect([away(9, 8), away(3, 5), away(4, 4)]).toEqual(['1 back', '2 ahead', 'itself'])
})
