import { expect, test } from 'vitest'
import { covered } from './matrix'

const shares = (pixels: number, count: number) =>
  Array.from({ length: pixels }, (_, pixel) => covered(pixel, pixels, count))

test('more items than pixels: every item is in exactly one pixel', () => {
  const all = shares(300, 512).flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index))
  expect(all).toEqual(Array.from({ length: 512 }, (_, index) => index))
})

test('fewer items than pixels: every pixel has one, in order', () => {
  expect(shares(7, 3)).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
    [1, 2],
    [1, 2],
    [2, 3],
    [2, 3],
  ])
})
