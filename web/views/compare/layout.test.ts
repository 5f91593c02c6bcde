import { expect, it } from 'vitest'
import { cellAt, layOut, type Maps, type Room } from './layout'

const centre = { query: 9, key: 8 }
const square = (length: number) => ({ first: 0, queries: length, keys: length })
const maps = (a: number, b = a, over: Partial<Maps> = {}): Maps => ({
  all: [square(a), square(b)],
  centres: [centre, centre],
  hasOwnTokens: a !== b,
  subtracted: true,
  ...over,
})

const cross = { first: 6, queries: 16, keys: 6 }
const long = { first: 17, queries: 200, keys: 17 }
const rooms: Room[] = [
  { width: 850, height: 396, only: undefined },
  { width: 1900, height: 900, only: undefined },
  { width: 440, height: 396, only: undefined },
  { width: 350, height: 396, only: undefined },
  { width: 358, height: 400, only: 0 },
  { width: 358, height: 400, only: 2 },
]
const pairs = [
  maps(22),
  maps(22, 24),
  maps(12, 217),
  maps(217),
  maps(1),
  maps(4096),
  maps(22, 15, { subtracted: false }),
  // Cross-attention: a long text of a short source.
  maps(22, 22, { all: [cross, cross] }),
  maps(217, 217, { all: [long, long] }),
]

it.each(rooms.flatMap((room) => pairs.map((pair) => [room, pair] as const)))(
  'in %o of %o keeps maps in the room, and apart',
  (room, pair) => {
    const { panes, reading, width, height } = layOut(room, pair)
    expect(width).toBe(room.width)
    for (const { which, x, y, width: side, height: high, from, queries, keys, rows } of panes) {
      expect(x).toBeGreaterThanOrEqual(rows ? 62 : 0)
      expect(x + side).toBeLessThanOrEqual(width)
      expect(y + high).toBeLessThanOrEqual(height)
      expect(Math.max(side, high)).toBeGreaterThan(60)
      const of = pair.all[which === 1 ? 1 : 0]
      expect(from.query + queries).toBeLessThanOrEqual(of.first + of.queries)
      expect(from.key + keys).toBeLessThanOrEqual(of.keys)
      expect(which === 2 && !pair.subtracted).toBe(false)
      // The labels lie inside it too.
      if (rows) {
        const left = panes.filter((other) => other.x < x && other.y < y + high && y < other.y + other.height)
        for (const other of left) expect(other.x + other.width).toBeLessThanOrEqual(x - 56)
      }
    }
    for (const [index, one] of panes.entries()) {
      for (const other of panes.slice(index + 1)) {
        const isFree =
          one.x + one.width < other.x ||
          other.x + other.width < one.x ||
          one.y + one.height < other.y ||
          other.y + other.height < one.y
        expect(isFree).toBe(true)
      }
    }
    // In columns: two lines, or three where each map has its own tokens. In one column: five lines.
    const lines = reading.column === undefined ? 100 : pair.hasOwnTokens ? 63 : 46
    expect(reading.y + lines).toBeLessThanOrEqual(height)
    expect(reading.x + reading.width).toBeLessThanOrEqual(width)
  },
)

it('finds the cell under the pointer in each of the maps, and none between them', () => {
  for (const room of rooms) {
    const layout = layOut(room, maps(22, 11))
    for (const { which, x, y, width, keys, part, from } of layout.panes) {
      if (part) continue
      expect(from).toEqual({ query: 0, key: 0 })
      expect(keys).toBe(which === 1 ? 11 : 22)
      expect(cellAt(x + 1, y + 1, layout)).toMatchObject({ which, query: 0, key: 0 })
      expect(cellAt(x + width - 1, y + (width / keys) * 9.5, layout)).toMatchObject({
        which,
        query: 9,
        key: keys - 1,
      })
    }
    expect(cellAt(1, 1, layout)).toBeUndefined()
  }
})

it('has one map on a phone, as wide as the screen', () => {
  for (const only of [0, 1, 2] as const) {
    const { panes, titles } = layOut({ width: 358, height: 400, only }, maps(22))
    expect(panes).toMatchObject([{ which: only, width: 278, height: 278 }])
    expect(titles.map(({ which }) => which)).toEqual([only])
  }
  const { panes } = layOut({ width: 358, height: 400, only: 2 }, maps(22, 15, { subtracted: false }))
  expect(panes.map(({ which }) => which)).toEqual([0])
})

it('shows of a long text the part around the cursor of each', () => {
  const centres = [
    { query: 216, key: 100 },
    { query: 5, key: 30 },
  ] as const
  const layout = layOut(rooms[0] ?? { width: 0, height: 0, only: undefined }, maps(217, 120, { centres }))
  const parts = layout.panes.filter(({ part }) => part)
  expect(parts.map(({ from }) => from)).toEqual([
    { query: 193, key: 88 },
    { query: 0, key: 18 },
    { query: 193, key: 88 },
  ])
  const [, second] = parts
  expect(cellAt((second?.x ?? 0) + 1, (second?.y ?? 0) + 1, layout)).toMatchObject({ which: 1, query: 0, key: 18 })
})
