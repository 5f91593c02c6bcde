import { expect, test } from 'vitest'
import type { MeasuredHead } from '../../session/headStatistics'
import { barsOf, headAt, orderOf, placeOf } from './order'

const heads: MeasuredHead[] = [0.1, 0.4, 0.2, 0.3, 0, 0.3].map((previous, index) => ({
  layer: Math.floor(index / 3),
  head: index % 3,
  numbers: { previous },
}))

test('heads stand within their layer, the largest first; equal ones as they are numbered', () => {
  const order = orderOf(heads, 'previous')
  expect(order).toEqual([1, 2, 0, 0, 2, 1])
  expect(barsOf(heads, 'previous')).toEqual([0.25, 1, 0.5, 0.75, 0, 0.75].map((part) => expect.closeTo(part, 12)))
})

test('places and heads lead to each other, with an order and without', () => {
  for (const order of [orderOf(heads, 'previous'), []]) {
    for (const layer of [0, 1]) {
      for (const head of [0, 1, 2]) {
        expect(headAt(placeOf(head, layer, 3, order), layer, 3, order)).toBe(head)
      }
    }
  }
  expect(placeOf(1, 0, 3, orderOf(heads, 'previous'))).toBe(0)
  expect(placeOf(1, 1, 3, orderOf(heads, 'previous'))).toBe(2)
})
