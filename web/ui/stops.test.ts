import { expect, test } from 'vitest'
import { linearStops, nearestStop } from './stops'

test('even head sizes', () => {
  const stops = linearStops(2, 256, 2)
  expect([stops.length, stops[0], stops.at(-1)]).toEqual([128, 2, 256])
})

test('a value off the list takes its nearest stop', () => {
  const stops = [32, 64, 256, 8192]
  expect(stops[nearestStop(stops, 258)]).toBe(256)
  expect(stops[nearestStop(stops, 1e9)]).toBe(8192)
  expect(stops[nearestStop(stops, -5)]).toBe(32)
})
