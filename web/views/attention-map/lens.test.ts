import { expect, test } from 'vitest'
import { intoLens, lensAround, lensWeights } from './lens'

test('the lens is centred on its place and stays within the map', () => {
  expect(lensAround({ query: 100, key: 50 }, 200)).toEqual({ query: 93, key: 43, length: 15 })
  expect(lensAround({ query: 0, key: 199 }, 200)).toEqual({ query: 0, key: 185, length: 15 })
  expect(lensAround({ query: 2, key: 1 }, 4)).toEqual({ query: 0, key: 0, length: 4 })
})

test('the lens shows the weights of its part', () => {
  const attention = Float32Array.from({ length: 400 }, (_, index) => index)
  const part = lensWeights(attention, 20, { query: 3, key: 5, length: 2 })
  expect([...part]).toEqual([65, 66, 85, 86])
})

test('places are moved into the lens, or are outside of it', () => {
  const lens = lensAround({ query: 100, key: 50 }, 200)
  expect(intoLens({ query: 100, key: 50 }, lens)).toEqual({ query: 7, key: 7 })
  expect(intoLens({ query: 100, key: 70 }, lens)).toBeNull()
})
