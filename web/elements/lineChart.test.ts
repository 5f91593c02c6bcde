import { expect, test } from 'vitest'
import { type Curve, layOutChart, points, range, span, valueAt } from './lineChart'

const wave: Curve = {
  label: 'wave',
  start: -1000,
  values: Float64Array.from({ length: 2001 }, (_, index) => Math.sin(index / 7)),
  stroke: 'strong',
}

test('the axes hold every value', () => {
  expect(span([wave])).toEqual([-1000, 1000])
  const [least, greatest] = range([wave], false)
  expect(least).toBeCloseTo(-1, 2)
  expect(greatest).toBeCloseTo(1, 2)
  expect(range([{ ...wave, values: [3, 5] }], true)).toEqual([0, 5])
})

test('empty and constant curves still have axes', () => {
  expect(span([])).toEqual([0, 1])
  expect(range([{ ...wave, values: [] }], false)).toEqual([0, 1])
  expect(range([{ ...wave, values: [2, 2] }], false)).toEqual([1.5, 2.5])
})

test('thinning a long curve loses no peak', () => {
  const values = new Float64Array(10_000)
  values[6543] = 9
  values[6544] = -9
  const kept = points({ ...wave, start: 0, values }, 200)
  expect(kept.length).toBeLessThanOrEqual(400)
  expect(kept).toContainEqual([6543, 9])
  expect(kept).toContainEqual([6544, -9])
  expect(kept.map(([x]) => x)).toEqual(kept.map(([x]) => x).toSorted((a, b) => a - b))
})

test('a reading takes the value at the nearest whole number', () => {
  const curve: Curve = { ...wave, start: -1, values: [4, 5, 6] }
  expect(valueAt(curve, 0.4)).toBe(5)
  expect(valueAt(curve, 1)).toBe(6)
  expect(valueAt(curve, 2)).toBeNull()
})

test('nothing is drawn outside the chart, from phone to wall', () => {
  for (const width of [280, 600, 1800]) {
    const layout = layOutChart(width, 240, [wave], false)
    expect(layout.left).toBeLessThan(layout.right)
    expect(layout.right).toBeLessThanOrEqual(width)
    const numbers = (layout.paths[0]?.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)
    expect(Math.max(...numbers.filter((_, index) => index % 2 === 1))).toBeLessThanOrEqual(layout.bottom)
    expect(Math.min(...numbers.filter((_, index) => index % 2 === 1))).toBeGreaterThanOrEqual(layout.top)
    for (let i = 1; i < layout.xTicks.length; i++) {
      expect((layout.xTicks[i]?.place ?? 0) - (layout.xTicks[i - 1]?.place ?? 0)).toBeGreaterThan(24)
    }
  }
})
