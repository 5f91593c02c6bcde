import { expect, test } from 'vitest'
import { layOutBars, mainPart, pairAt } from './scoreBars'

const parts = Float64Array.of(6, 1, -3, 0)
const running = Float64Array.of(6, 7, 4, 4)
const wavelengths = Float64Array.of(6.28, 62.8, 628, 6283)

test('bars start at 0 and end at their part', () => {
  const layout = layOutBars(400, 220, parts, running, wavelengths)
  for (const { part, y, height } of layout.bars) {
    expect(part >= 0 ? y + height : y).toBeCloseTo(layout.zero, 9)
    expect(part >= 0 ? y : y + height).toBeCloseTo(layout.y(part), 9)
  }
})

test('the running sum steps at each pair and ends at the score', () => {
  const layout = layOutBars(400, 220, parts, running, wavelengths)
  const levels = [...layout.running.matchAll(/V([\d.]+)/g)].map((match) => Number(match[1]))
  expect(levels).toHaveLength(4)
  levels.forEach((level, pair) => expect(level).toBeCloseTo(layout.y(running[pair] ?? NaN), 9))
})

test('bars and sums lie within the chart, and wavelengths do not touch', () => {
  const pairs = 128
  const many = Float64Array.from({ length: pairs }, (_, pair) => Math.sin(pair))
  const layout = layOutBars(
    300,
    220,
    many,
    many,
    many.map((_, pair) => 6.28 * 1.2 ** pair),
  )
  for (const bar of layout.bars) {
    expect(bar.x).toBeGreaterThanOrEqual(layout.left)
    expect(bar.x + bar.width).toBeLessThanOrEqual(layout.right)
    expect(bar.y).toBeGreaterThanOrEqual(layout.top - 1e-9)
    expect(bar.y + bar.height).toBeLessThanOrEqual(layout.bottom + 1e-9)
  }
  expect(layout.xTicks.length).toBeGreaterThan(2)
  expect(layout.xTicks.length).toBeLessThan(12)
})

test('a score of nothing has an axis', () => {
  const layout = layOutBars(300, 220, [0, 0], [0, 0], [6.28, 62.8])
  expect(layout.bars.every((bar) => bar.height === 0)).toBe(true)
  expect(layOutBars(300, 220, [], [], []).running).toBe('')
})

test('the pair under the pointer', () => {
  const layout = layOutBars(400, 220, parts, running, wavelengths)
  expect(pairAt(layout.left, layout)).toBe(0)
  expect(pairAt(layout.right - 1, layout)).toBe(3)
  expect(pairAt(layout.left - 1, layout)).toBeNull()
})

test('the main pair in words', () => {
  expect(mainPart(parts, 4)).toBe('Pair 0, the fastest, does most: +6.00 of +4.00.')
  expect(mainPart([1, -9, 2], -6)).toBe('Pair 1 does most: −9.00 of −6.00.')
  expect(mainPart([0, 0], 0)).toBe('No pair adds anything.')
})
