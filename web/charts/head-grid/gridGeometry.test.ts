import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PartName } from '../../engine/protocol/parts'
import { aspectOf, layOutGrid, leastCell, gridViewOf, barsOf, headAt, orderOf, placeOf } from './gridGeometry'
import type { MeasuredHead } from '../../session/headStatistics.svelte'

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
