import { expect, test } from 'vitest'
import { decadeStops, linearStops, nearestStop, octaveStops } from './stops'

test('even head sizes', () => {
  const stops = linearStops(2, 256, 2)
  expect([stops.length, stops[0], stops.at(-1)]).toEqual([128, 2, 256])
})

test('decades hit the powers of ten and the half decade at the end', () => {
  const stops = decadeStops(2, 6.5, 20)
  expect(stops).toHaveLength(91)
  for (const base of [100, 1000, 10_000, 100_000, 1_000_000, 3_160_000]) expect(stops).toContain(base)
})

test('octaves hit the powers of two', () => {
  const stops = octaveStops(32, 8192, 4)
  expect(stops.slice(0, 6)).toEqual([32, 40, 48, 56, 64, 80])
  for (let distance = 32; distance <= 8192; distance *= 2) expect(stops).toContain(distance)
})

test('a value off the list takes its nearest stop', () => {
  const stops = octaveStops(32, 8192, 4)
  expect(stops[nearestStop(stops, 258)]).toBe(256)
  expect(stops[nearestStop(stops, 1e9)]).toBe(8192)
  expect(stops[nearestStop(stops, -5)]).toBe(32)
})
