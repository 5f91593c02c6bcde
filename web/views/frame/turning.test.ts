import { expect, it } from 'vitest'
import { dialsOf, placeDials } from './Turning.svelte'

it('a dial says how many tokens a turn takes, and how much of one the context has', () => {
  const [fast, slow, still] = dialsOf({ theta: [1, 0.01, 0], context: 128 })
  expect(fast).toEqual({ tokens: 2 * Math.PI, reach: 2 * Math.PI })
  expect(slow?.tokens).toBeCloseTo(628.3, 1)
  expect(slow?.reach).toBeCloseTo(1.28, 12)
  expect(still).toEqual({ tokens: Infinity, reach: 0 })
})

it('of many pairs evenly some have one', () => {
  const theta = Array.from({ length: 128 }, (_, pair) => 1 / (1 + pair))
  expect(dialsOf({ theta, context: 8 }).map(({ tokens }) => Math.round(tokens / 2 / Math.PI))).toEqual(
    Array.from({ length: 32 }, (_, index) => 1 + 4 * index),
  )
  expect(dialsOf({ theta: [], context: 8 })).toEqual([])
})

it.each([
  [16, 408, 330],
  [16, 360, 420],
  [32, 1200, 500],
  [4, 300, 200],
  [1, 240, 200],
])('%i dials stay within %i by %i px, apart from each other', (count, width, height) => {
  const { radius, height: dialHeight, middle } = placeDials(count, width, height)
  expect(dialHeight).toBeLessThanOrEqual(height)
  const middles = Array.from({ length: count }, (_, index) => middle(index))
  for (const { x, y } of middles) {
    expect(x - radius).toBeGreaterThanOrEqual(0)
    expect(x + radius).toBeLessThanOrEqual(width)
    expect(y - radius).toBeGreaterThanOrEqual(0)
    expect(y + radius).toBeLessThanOrEqual(dialHeight)
  }
  for (const [index, one] of middles.entries())
    for (const other of middles.slice(index + 1))
      expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(2 * radius)
})
