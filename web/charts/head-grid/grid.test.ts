import fc from 'fast-check'
import { expect, test, describe, it } from 'vitest'
import type { PartName } from '../../engine/protocol/parts'
import {
  aspectOf,
  layOutGrid,
  leastCell,
  gridViewOf,
  barsOf,
  headAt,
  orderOf,
  placeOf,
  distanceGlyph,
  mostUsed,
  pairParts,
  peakOfHead,
  strongest,
} from './grid'
import type { MeasuredHead } from '../../session/headStatistics.svelte'
import type { HeadByDistance } from '../../engine/protocol/protocol'

test('thumbnails fill the width in whole device pixels', () => {
  const grid = layOutGrid(360, 4, 8, 1)
  expect(grid.gap).toBe(3)
  expect(grid.cell).toBe(42)
  expect(grid.width).toBe(8 * 42 + 7 * 3)
  expect(grid.height).toBe(4 * 42 + 3 * 3)
})

test('thumbnails of cross-attention have the proportion of target and source', () => {
  const [even, flat, tall] = [1, 0.5, 2].map((aspect) => layOutGrid(360, 4, 8, 1, aspect))
  expect([flat, tall].map((grid) => grid!.cellHeight)).toEqual([leastCell, 2 * even!.cellHeight])
  expect(tall!.height).toBe(2 * even!.height)
  expect([flat!.cell, flat!.width]).toEqual([even!.cell, even!.width])
  const ofText = (part: PartName, text: number, source: number) =>
    aspectOf({ part, text: new Uint32Array(text), source: new Uint32Array(source) })
  expect([ofText('cross', 6, 6), ofText('cross', 8, 4), ofText('cross', 9, 4), ofText('cross', 3, 12)]).toEqual([
    1, 2, 2, 0.25,
  ])
  expect([aspectOf(undefined), ofText('decoder', 3, 12)]).toEqual([1, 1])
})

test('twelve heads fit a phone', () => {
  expect(layOutGrid(335, 12, 12, 2).width).toBeLessThanOrEqual(335)
})

test('cells are whole, large enough to point at, and fit a texture', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 3000, noNaN: true }),
      fc.integer({ min: 1, max: 48 }),
      fc.integer({ min: 1, max: 32 }),
      fc.constantFrom(1, 1.25, 1.5, 2, 3),
      (width, layers, heads, ratio) => {
        const { cell, gap, cellSide } = layOutGrid(width, layers, heads, ratio)
        expect(Number.isInteger(cell) && Number.isInteger(gap)).toBe(true)
        expect(cellSide).toBeGreaterThanOrEqual(leastCell)
        expect(Math.max(layers, heads) * (cell + gap) - gap).toBeLessThanOrEqual(8192)
      },
    ),
  )
})

test('what is in sight are all thumbnails of which a part is', () => {
  const grid = layOutGrid(360, 8, 8, 1)
  const viewOf = (left: number, top: number, width: number, height: number) =>
    gridViewOf(grid, { left: 20, top: 100 }, { left, top, right: left + width, bottom: top + height })
  expect(viewOf(0, 0, 1000, 1000)).toEqual({ layers: [0, 20], places: [0, 22] })
  // 42 px a thumbnail and 3 between two: the second layer begins at 145, the fourth at 235.
  expect(viewOf(20, 146, 45, 89).layers).toEqual([1, 3])
  expect(viewOf(20, 146, 45, 90).layers).toEqual([1, 4])
  expect(viewOf(20, 146, 45, 90).places).toEqual([0, 1])
  // Scrolled away.
  expect(viewOf(0, 0, 1000, 90).layers).toEqual([0, 0])
})

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

function head(reach: number, peak: number, strength = [4, 1, 0]): HeadByDistance {
  const measured = new Float64Array(2 * reach + 1)
  measured[peak + reach] = 1
  const curves = { measured, predicted: measured, correlation: 0.9 }
  return { layer: 0, head: 0, reach, ...curves, strength: Float64Array.from(strength), constancy: new Float64Array(3) }
}

/** Numbers of a path, in pairs of a line. */
const points = (d: string) =>
  d
    .slice(1)
    .split('L')
    .map((point) => point.split(',').map(Number))

describe('a head by distance', () => {
  it.each([
    [32, false],
    [3, false],
    [32, true],
    [0, true],
  ])('stays in its square, reach %i, causal %s', (reach, causal) => {
    for (const side of [22, 42, 90]) {
      const { line, area, zero } = distanceGlyph(head(reach, 0), causal, side, 4)
      expect(area + line).not.toMatch(/NaN|Infinity/)
      for (const [x = -1, y = -1] of points(line)) {
        expect(x >= 0 && x <= side && y >= 0 && y <= side).toBe(true)
      }
      expect(zero > 0 && zero < side).toBe(true)
    }
  })

  it('has keys behind on the left, and none ahead where no query sees them', () => {
    const highest = (causal: boolean, peak: number) => {
      const line = points(distanceGlyph(head(32, peak), causal, 42, 4).line)
      return line.findIndex(([, y]) => y === Math.min(...line.map(([, y]) => y ?? 0)))
    }
    expect(highest(false, 1)).toBe(9)
    expect(highest(false, -1)).toBe(11)
    expect(highest(true, 1)).toBe(19)
    expect(points(distanceGlyph(head(32, 0), true, 42, 4).line)).toHaveLength(21)
  })

  it('lies where it is put', () => {
    const [here, there] = [
      { x: 0, y: 0 },
      { x: 100, y: 50 },
    ].map((corner) => points(distanceGlyph(head(32, 1), false, 42, 4, corner).line))
    expect(there).toEqual(here?.map(([x = 0, y = 0]) => [Number((x + 100).toFixed(1)), Number((y + 50).toFixed(1))]))
  })

  it('names its peak', () => {
    expect(distanceGlyph(head(32, 2), false, 42, 4).peak).toMatchObject({ weight: 1, y: 4 })
    expect(distanceGlyph(head(32, 30), false, 42, 4).peak).toBeUndefined()
    expect(distanceGlyph({ ...head(5, 0), measured: new Float64Array(11) }, false, 42, 4).peak).toBeUndefined()
    expect(peakOfHead(head(5, -2))).toEqual({ distance: -2, weight: 1 })
    expect(peakOfHead({ ...head(5, 0), measured: new Float64Array(11) })).toEqual({ distance: 0, weight: 0 })
  })
})

describe('the pairs of a head', () => {
  it('are parts of the strongest of all heads', () => {
    const heads = [head(5, 0), head(5, 0, [16, 0, 0])]
    expect(strongest(heads)).toBe(16)
    expect(pairParts(heads[0] ?? head(1, 0), 16)).toEqual([0.25, 0.0625, 0])
    expect(pairParts(head(5, 0, [0, 0]), 0)).toEqual([0, 0])
    expect(mostUsed(head(5, 0))).toEqual({ pair: 0, part: 0.8 })
  })
})
