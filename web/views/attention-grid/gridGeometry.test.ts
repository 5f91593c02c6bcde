import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layOutGrid, leastCell, moveHead } from './gridGeometry'

test('thumbnails fill the width in whole device pixels', () => {
  const grid = layOutGrid(360, 4, 8, 1)
  expect(grid.gap).toBe(3)
  expect(grid.cell).toBe(42)
  expect(grid.width).toBe(8 * 42 + 7 * 3)
  expect(grid.height).toBe(4 * 42 + 3 * 3)
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

test('keys move within the grid', () => {
  const move = (key: string, control = false) => moveHead({ layer: 2, head: 6 }, key, control, 4, 8)
  expect(move('ArrowLeft')).toEqual({ layer: 2, head: 5 })
  expect(move('ArrowRight')).toEqual({ layer: 2, head: 7 })
  expect(move('ArrowUp')).toEqual({ layer: 1, head: 6 })
  expect(move('PageDown')).toEqual({ layer: 3, head: 6 })
  expect(move('Home')).toEqual({ layer: 2, head: 0 })
  expect(move('End', true)).toEqual({ layer: 3, head: 7 })
  expect(move('Enter')).toBeNull()
  expect(moveHead({ layer: 0, head: 0 }, 'ArrowUp', false, 4, 8)).toEqual({ layer: 0, head: 0 })
})
