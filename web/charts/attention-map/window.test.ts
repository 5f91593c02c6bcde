import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contains, follow, pan, partAround, zoom } from './window'

test('the part is centred on its place and stays within the map', () => {
  expect(partAround({ query: 100, key: 50 }, 15, 200)).toEqual({ query: 93, key: 43, size: 15 })
  expect(partAround({ query: 0, key: 199 }, 15, 200)).toEqual({ query: 0, key: 185, size: 15 })
  expect(partAround({ query: 2, key: 1 }, 15, 4)).toEqual({ query: 0, key: 0, size: 4 })
})

test('the part follows what is chosen, and rests while it is in sight', () => {
  const part = { query: 40, key: 40, size: 24 }
  expect(follow(part, { query: 45, key: 63 }, 24, 200)).toEqual(part)
  expect(follow(part, { query: 39, key: 64 }, 24, 200)).toEqual({ query: 39, key: 41, size: 24 })
})

test('panning stops at the edges', () => {
  expect(pan({ query: 2, key: 170, size: 24 }, -5, 30, 200)).toEqual({ query: 0, key: 176, size: 24 })
})

test('zooming keeps what is pointed at in its place, and always takes a step', () => {
  const part = { query: 40, key: 80, size: 24 }
  const wider = zoom(part, { query: 52, key: 92 }, 2, 200)
  expect(wider.size).toBe(48)
  expect((52 - wider.query) / 48).toBeCloseTo(0.5, 1)
  expect(zoom(part, { query: 52, key: 92 }, 1.001, 200).size).toBe(25)
  expect(zoom(part, { query: 52, key: 92 }, 0.999, 200).size).toBe(23)
  expect(zoom(part, { query: 52, key: 92 }, 0.01, 200).size).toBe(6)
  expect(zoom(part, { query: 52, key: 92 }, 100, 200)).toEqual({ query: 0, key: 0, size: 200 })
})

test('whatever is zoomed at stays in sight', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 60, max: 500 }),
      fc.nat(499),
      fc.nat(499),
      fc.double({ min: 0.3, max: 3, noNaN: true }),
      (length, query, key, factor) => {
        const at = { query: query % length, key: key % length }
        const part = partAround(at, 24, length)
        const zoomed = zoom(part, at, factor, length)
        expect(contains(zoomed, at)).toBe(true)
        expect(zoomed.query).toBeGreaterThanOrEqual(0)
        expect(zoomed.key + zoomed.size).toBeLessThanOrEqual(length)
      },
    ),
  )
})
