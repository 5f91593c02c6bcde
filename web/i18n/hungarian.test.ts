import { expect, it } from 'vitest'
import { the } from './hungarian'

it('the article of a number is that of its first sound', () => {
  const long = [1, 5, 50, 59, 512, 1000, 1984, 5000, 1_000_000]
  const short = [0, 2, 3, 4, 6, 10, 12, 15, 40, 100, 128, 10_000, 16_384, 100_000]
  expect(long.map(the)).toEqual(long.map(() => 'az'))
  expect(short.map(the)).toEqual(short.map(() => 'a'))
})
