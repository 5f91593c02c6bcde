import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  arrangeLong,
  arrangeAll,
  layOutGrid,
  longText,
  roomFor,
  type Arrangement,
  overviewAt,
  placeAt,
  contains,
  follow,
  pan,
  partAround,
  zoom,
  follows,
  pinchPart,
  type Grip,
} from './layout'
import { acrossOf } from './model'

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
  expect(high.ranking?.rows, 'what is below 0.001 needs no list').toBe(8)
  expect(high.grid.width).toBeGreaterThan(800)
})

test('on an upright tablet the map has 15 px a token, and what is read stands below', () => {
  const { grid, reading, ranking } = arrangeAll(623, 560, square(22), labels, 1)
  expect(grid.pitch).toBeGreaterThanOrEqual(15)
  expect(reading.y).toBeGreaterThan(grid.y + grid.height)
  expect(ranking?.rows).toBe(4)
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
        const arrangement = long
          ? arrangeLong(width, height, square(names.length), undefined, labels, ratio)
          : arrangeAll(width, height, square(names.length), labels, ratio)
        const all = boxes(arrangement)
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

test('the ranking of a long text stands beside the enlarged part, below what is read', () => {
  const names = Array.from({ length: 64 }, (_, index) => `token${index}`)
  const labels = { queries: names, keys: names, last: 63 }
  const arrangement = Array.from({ length: 40 }, (_, at) =>
    arrangeLong(440 + 5 * at, 390, square(64), undefined, labels, 1),
  )
  const ranked = arrangement.flatMap(({ reading, ranking }) => (ranking ? [{ reading, ranking }] : []))
  expect(ranked.length).toBeGreaterThan(3)
  for (const { reading, ranking } of ranked)
    expect(ranking.y >= reading.y + reading.height || ranking.x >= reading.x + reading.width).toBe(true)
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

test('the part is centred on its place and stays within the map', () => {
  expect(partAround({ query: 100, key: 50 }, 15, square(200))).toEqual({ query: 93, key: 43, queries: 15, keys: 15 })
  expect(partAround({ query: 0, key: 199 }, 15, square(200))).toEqual({ query: 0, key: 185, queries: 15, keys: 15 })
  expect(partAround({ query: 2, key: 1 }, 15, square(4))).toEqual({ query: 0, key: 0, queries: 4, keys: 4 })
})

test('the part follows what is chosen, and rests while it is in sight', () => {
  const part = { query: 40, key: 40, queries: 24, keys: 24 }
  expect(follow(part, { query: 45, key: 63 }, 24, square(200))).toEqual(part)
  expect(follow(part, { query: 39, key: 64 }, 24, square(200))).toEqual({ query: 39, key: 41, queries: 24, keys: 24 })
})

test('panning stops at the edges', () => {
  expect(pan({ query: 2, key: 170, queries: 24, keys: 24 }, -5, 30, square(200))).toEqual({
    query: 0,
    key: 176,
    queries: 24,
    keys: 24,
  })
})

test('zooming keeps what is pointed at in its place, and always takes a step', () => {
  const part = { query: 40, key: 80, queries: 24, keys: 24 }
  const wider = zoom(part, { query: 52, key: 92 }, 2, square(200))
  expect(acrossOf(wider)).toBe(48)
  expect((52 - wider.query) / 48).toBeCloseTo(0.5, 1)
  expect(acrossOf(zoom(part, { query: 52, key: 92 }, 1.001, square(200)))).toBe(25)
  expect(acrossOf(zoom(part, { query: 52, key: 92 }, 0.999, square(200)))).toBe(23)
  expect(acrossOf(zoom(part, { query: 52, key: 92 }, 0.01, square(200)))).toBe(6)
  expect(zoom(part, { query: 52, key: 92 }, 100, square(200))).toEqual({ query: 0, key: 0, queries: 200, keys: 200 })
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
        const part = partAround(at, 24, square(length))
        const zoomed = zoom(part, at, factor, square(length))
        expect(contains(zoomed, at)).toBe(true)
        expect(zoomed.query).toBeGreaterThanOrEqual(0)
        expect(zoomed.key + zoomed.keys).toBeLessThanOrEqual(length)
      },
    ),
  )
})

const mapBox = { x: 40, y: 30, width: 300, height: 300 }
const grip = (size: number, query = 0, key = 0): Grip => ({
  part: { query, key, queries: size, keys: size },
  fingers: { x: 190, y: 180, distance: 100 },
  grid: mapBox,
})
const fingers = (distance: number, x = 190, y = 180) => ({ x, y, distance })

test('apart shows fewer tokens, together more, around what is between the fingers', () => {
  expect(pinchPart(grip(40, 100, 60), fingers(200), square(300))).toEqual({
    query: 110,
    key: 70,
    queries: 20,
    keys: 20,
  })
  expect(pinchPart(grip(40, 100, 60), fingers(50), square(300))).toEqual({ query: 80, key: 40, queries: 80, keys: 80 })
})

test('two fingers move the map, as far as it goes', () => {
  expect(pinchPart(grip(40, 100, 60), fingers(100, 190 - 75, 180 + 30), square(300))).toEqual({
    query: 96,
    key: 70,
    queries: 40,
    keys: 40,
  })
  expect(pinchPart(grip(40, 100, 2), fingers(100, 290, 180), square(300))).toEqual({
    query: 100,
    key: 0,
    queries: 40,
    keys: 40,
  })
})

test('the part stays within the text, whatever the fingers do', () => {
  const finger = fc.integer({ min: -500, max: 900 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), finger, finger, finger, (distance, x, y, first) => {
      const part = pinchPart(grip(60, Math.abs(first) % 240, 12), fingers(distance, x, y), square(300))
      for (const from of [part.query, part.key]) {
        expect(Number.isInteger(from)).toBe(true)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(from + part.keys).toBeLessThanOrEqual(300)
      }
      expect(part.keys).toBeGreaterThanOrEqual(6)
    }),
  )
})

test('the page zooms where the map is at its end, and beside it', () => {
  expect([follows(grip(40), fingers(120), square(300)), follows(grip(40), fingers(80), square(300))]).toEqual([
    true,
    true,
  ])
  // A token as large as it gets, and all tokens in sight.
  expect([follows(grip(6), fingers(120), square(300)), follows(grip(6), fingers(80), square(300))]).toEqual([
    false,
    true,
  ])
  expect([follows(grip(300), fingers(80), square(300)), follows(grip(300), fingers(120), square(300))]).toEqual([
    false,
    true,
  ])
  expect(follows(grip(300), fingers(101, 250), square(300))).toBe(false)
  const moved = { ...grip(40), fingers: fingers(100, 10, 100) }
  expect(follows(moved, fingers(200, 10, 100), square(300))).toBe(false)
})

test('a side with fewer tokens than the part has all of them, whatever moves', () => {
  const map = { queries: 100, keys: 9 }
  const part = partAround({ query: 50, key: 8 }, 24, map)
  expect(part).toEqual({ query: 39, key: 0, queries: 24, keys: 9 })
  expect(follow(part, { query: 80, key: 3 }, 24, map)).toEqual({ query: 57, key: 0, queries: 24, keys: 9 })
  expect(pan(part, 90, 5, map)).toEqual({ query: 76, key: 0, queries: 24, keys: 9 })
  expect(zoom(part, { query: 50, key: 4 }, 0.25, map)).toMatchObject({ key: 2, queries: 6, keys: 6 })
  expect(zoom(part, { query: 50, key: 4 }, 100, map)).toEqual({ query: 0, key: 0, queries: 100, keys: 9 })
  const wide = { part, fingers: fingers(100), grid: { x: 40, y: 30, width: 300, height: 800 } }
  expect(pinchPart(wide, fingers(400), map)).toMatchObject({ queries: 6, keys: 6 })
  expect(follows(wide, fingers(400), map)).toBe(true)
})
