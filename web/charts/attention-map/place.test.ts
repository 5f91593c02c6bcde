import { expect, test } from 'vitest'
import { layOutGrid } from './layout'
import { overviewAt, placeAt } from './place'

const names = Array.from({ length: 22 }, (_, index) => `word${index}`)
const grid = layOutGrid({ x: 0, y: 0, width: 440, height: 400 }, 22, { names, last: 21 }, 1)
const all = { query: 0, key: 0, size: 22 }
const x = (key: number) => grid.x + (key + 0.5) * grid.pitch
const y = (query: number) => grid.y + (query + 0.5) * grid.pitch

test('the place under the pointer', () => {
  expect(placeAt(x(8), y(9), grid, all)).toEqual({ query: 9, key: 8 })
  expect(placeAt(grid.x - 20, y(9), grid, all)).toEqual({ query: 9 })
  expect(placeAt(x(8), grid.y - 20, grid, all)).toEqual({ key: 8 })
  expect(placeAt(grid.x - 20, grid.y - 20, grid, all)).toBeNull()
  expect(placeAt(grid.x + grid.side + 1, y(9), grid, all)).toBeNull()
})

test('the place on a part that is enlarged', () => {
  expect(placeAt(x(8), y(9), grid, { query: 100, key: 50, size: 22 })).toEqual({ query: 109, key: 58 })
})

test('the place on the overview', () => {
  const overview = { x: 30, y: 4, side: 100, pitch: 0.5 }
  expect(overviewAt(30, 4, overview)).toEqual({ query: 0, key: 0 })
  expect(overviewAt(129.9, 54, overview)).toEqual({ query: 100, key: 199 })
  expect(overviewAt(131, 54, overview)).toBeNull()
  expect(overviewAt(50, 50, undefined)).toBeNull()
})
