import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrangeLong, arrangeAll, layOutGrid, longText, roomFor, type Arrangement, overviewAt, placeAt } from './layout'

const sentence =
  '[CLS] the little dog sat on the [MASK] and looked at the door , because he wanted to go out . [SEP]'.split(' ')
const labels = { queries: sentence, keys: sentence, last: sentence.length - 1 }
const square = (count: number) => ({ queries: count, keys: count })

test('cells of a short text are whole device pixels and lie on them', () => {
  for (const ratio of [1, 1.5, 2, 3]) {
    const { x, y, pitch } = layOutGrid({ x: 0, y: 0, width: 440, height: 390 }, square(22), labels, ratio)
    for (const place of [x, y, pitch]) expect(place * ratio).toBeCloseTo(Math.round(place * ratio))
  }
})

test('slanted labels stand 10 px from each other, across their slant', () => {
  for (let width = 300; width < 500; width++) {
    const { slant, pitch } = layOutGrid({ x: 0, y: 0, width, height: 600 }, square(22), labels, 1)
    if (slant === 60) expect(pitch * Math.sin(Math.PI / 3)).toBeGreaterThanOrEqual(10)
  }
})

test('what is read stands below the map, and beside it with a ranking where the view is wide', () => {
  const narrow = arrangeAll(440, 390, square(22), labels, 1)
  expect(narrow.reading.y).toBeGreaterThan(narrow.grid.y + narrow.grid.height)
  const wide = arrangeAll(830, 390, square(22), labels, 1)
  expect(wide.reading.x).toBeGreaterThan(wide.grid.x + wide.grid.width)
  expect(wide.ranking?.rows).toBeGreaterThanOrEqual(8)
})

test('in a high room what is read stands below, and the map takes the width', () => {
  const high = arrangeAll(1000, 1150, square(22), labels, 1)
  expect(high.reading.y).toBeGreaterThan(high.grid.y + high.grid.height)
  expect(high.ranking?.rows).toBeGreaterThanOrEqual(8)
  expect(high.grid.width).toBeGreaterThan(800)
})

test('a long text has an overview, and about 24 tokens enlarged', () => {
  const names = Array.from({ length: 217 }, (_, index) => `token${index}`)
  const wide = arrangeLong(830, 390, square(217), undefined, { queries: names, keys: names, last: 216 }, 1)
  expect(wide.part).toBe(24)
  expect(wide.overview?.width).toBeGreaterThan(150)
  expect(arrangeLong(830, 390, square(217), 100, { queries: names, keys: names, last: 216 }, 1).part).toBe(100)
  expect(
    arrangeLong(440, 390, square(217), undefined, { queries: names, keys: names, last: 216 }, 1).part,
  ).toBeGreaterThanOrEqual(12)
})

test('a phone gives the map its width', () => {
  expect(roomFor(362, 245, false)).toBeGreaterThan(362)
  expect(roomFor(440, 390, false)).toBe(390)
})

/** Everything that an arrangement places, as boxes. */
function boxes({ grid, overview, reading, ranking }: Arrangement) {
  return [grid, ...(overview ? [overview] : []), reading, ...(ranking ? [ranking] : [])]
}

test('nothing leaves the room and nothing overlaps', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 340, max: 1600 }),
      fc.integer({ min: 350, max: 1100 }),
      fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 300 }),
      fc.constantFrom(1, 1.5, 2, 3),
      (width, room, names, ratio) => {
        const long = names.length >= longText
        const height = roomFor(width, room, long)
        const labels = { queries: names, keys: names, last: names.length - 1 }
        const arranged = long
          ? arrangeLong(width, height, square(names.length), undefined, labels, ratio)
          : arrangeAll(width, height, square(names.length), labels, ratio)
        const all = boxes(arranged)
        for (const box of all) {
          expect(box.x).toBeGreaterThanOrEqual(0)
          expect(box.y).toBeGreaterThanOrEqual(0)
          expect(box.x + box.width).toBeLessThanOrEqual(width + 1)
          expect(box.y + box.height).toBeLessThanOrEqual(height + 1)
          expect(box.width).toBeGreaterThan(20)
        }
        all.forEach((one, index) =>
          all.slice(index + 1).forEach((other) => {
            const separate =
              one.x + one.width <= other.x ||
              other.x + other.width <= one.x ||
              one.y + one.height <= other.y ||
              other.y + other.height <= one.y
            expect(separate, JSON.stringify([one, other])).toBe(true)
          }),
        )
      },
    ),
  )
})

const names = Array.from({ length: 22 }, (_, index) => `word${index}`)
const grid = layOutGrid(
  { x: 0, y: 0, width: 440, height: 400 },
  square(22),
  { queries: names, keys: names, last: 21 },
  1,
)
const all = { query: 0, key: 0, queries: 22, keys: 22 }
const x = (key: number) => grid.x + (key + 0.5) * grid.pitch
const y = (query: number) => grid.y + (query + 0.5) * grid.pitch

test('the place under the pointer', () => {
  expect(placeAt(x(8), y(9), grid, all)).toEqual({ query: 9, key: 8 })
  expect(placeAt(grid.x - 20, y(9), grid, all)).toEqual({ query: 9 })
  expect(placeAt(x(8), grid.y - 20, grid, all)).toEqual({ key: 8 })
  expect(placeAt(grid.x - 20, grid.y - 20, grid, all)).toBeNull()
  expect(placeAt(grid.x + grid.width + 1, y(9), grid, all)).toBeNull()
})

test('the place on a part that is enlarged', () => {
  expect(placeAt(x(8), y(9), grid, { query: 100, key: 50, queries: 22, keys: 22 })).toEqual({ query: 109, key: 58 })
})

test('the place on the overview', () => {
  const overview = { x: 30, y: 4, width: 100, height: 100, pitch: 0.5 }
  expect(overviewAt(30, 4, overview)).toEqual({ query: 0, key: 0 })
  expect(overviewAt(129.9, 54, overview)).toEqual({ query: 100, key: 199 })
  expect(overviewAt(131, 54, overview)).toBeNull()
  expect(overviewAt(50, 50, undefined)).toBeNull()
})
