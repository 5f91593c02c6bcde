import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contains, follow, pan, partAround, zoom, follows, pinched, type Grip } from './part'

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

const grid = { x: 40, y: 30, side: 300 }
const grip = (size: number, query = 0, key = 0): Grip => ({
  part: { query, key, size },
  fingers: { x: 190, y: 180, distance: 100 },
  grid,
})
const fingers = (distance: number, x = 190, y = 180) => ({ x, y, distance })

test('apart shows fewer tokens, together more, around what is between the fingers', () => {
  expect(pinched(grip(40, 100, 60), fingers(200), 300)).toEqual({ query: 110, key: 70, size: 20 })
  expect(pinched(grip(40, 100, 60), fingers(50), 300)).toEqual({ query: 80, key: 40, size: 80 })
})

test('two fingers move the map, as far as it goes', () => {
  expect(pinched(grip(40, 100, 60), fingers(100, 190 - 75, 180 + 30), 300)).toEqual({ query: 96, key: 70, size: 40 })
  expect(pinched(grip(40, 100, 2), fingers(100, 290, 180), 300)).toEqual({ query: 100, key: 0, size: 40 })
})

test('the part stays within the text, whatever the fingers do', () => {
  const finger = fc.integer({ min: -500, max: 900 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), finger, finger, finger, (distance, x, y, first) => {
      const part = pinched(grip(60, Math.abs(first) % 240, 12), fingers(distance, x, y), 300)
      for (const from of [part.query, part.key]) {
        expect(Number.isInteger(from)).toBe(true)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(from + part.size).toBeLessThanOrEqual(300)
      }
      expect(part.size).toBeGreaterThanOrEqual(6)
    }),
  )
})

test('the page zooms where the map is at its end, and beside it', () => {
  expect([follows(grip(40), fingers(120), 300), follows(grip(40), fingers(80), 300)]).toEqual([true, true])
  // A token as large as it gets, and all tokens in sight.
  expect([follows(grip(6), fingers(120), 300), follows(grip(6), fingers(80), 300)]).toEqual([false, true])
  expect([follows(grip(300), fingers(80), 300), follows(grip(300), fingers(120), 300)]).toEqual([false, true])
  expect(follows(grip(300), fingers(101, 250), 300)).toBe(false)
  const moved = { ...grip(40), fingers: fingers(100, 10, 100) }
  expect(follows(moved, fingers(200, 10, 100), 300)).toBe(false)
})
