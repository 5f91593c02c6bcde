import { describe, expect, it } from 'vitest'
import { cellAt, layOut, type Maps } from './layout'

const centre = { query: 9, key: 8 }
const maps = (a: number, b = a, over: Partial<Maps> = {}): Maps => ({
  lengths: [a, b],
  centres: [centre, centre],
  apart: a !== b,
  subtracted: true,
  ...over,
})

describe('the layout', () => {
  const rooms = [
    { width: 850, height: 396, phone: false },
    { width: 1900, height: 900, phone: false },
    { width: 440, height: 396, phone: false },
    { width: 350, height: 396, phone: false },
    { width: 358, height: 400, phone: true },
  ]
  const pairs = [
    maps(22),
    maps(22, 24),
    maps(12, 217),
    maps(217),
    maps(1),
    maps(4096),
    maps(22, 15, { subtracted: false }),
  ]

  it.each(rooms.flatMap((room) => pairs.map((pair) => [room, pair] as const)))(
    'in %o of %o keeps maps in the room, and apart',
    (room, pair) => {
      const { panes, reading, width, height } = layOut(room, pair)
      expect(width).toBe(room.width)
      for (const { which, x, y, side, from, count, rows } of panes) {
        expect(x).toBeGreaterThanOrEqual(rows ? 62 : 0)
        expect(x + side).toBeLessThanOrEqual(width)
        expect(y + side).toBeLessThanOrEqual(height)
        expect(side).toBeGreaterThan(60)
        const length = pair.lengths[which === 1 ? 1 : 0]
        expect(Math.max(from.query, from.key) + count).toBeLessThanOrEqual(length)
        expect(which === 2 && !pair.subtracted).toBe(false)
        // Its labels, too.
        if (rows) {
          const left = panes.filter((other) => other.x < x && other.y < y + side && y < other.y + other.side)
          for (const other of left) expect(other.x + other.side).toBeLessThanOrEqual(x - 56)
        }
      }
      for (const [index, one] of panes.entries()) {
        for (const other of panes.slice(index + 1)) {
          const apart =
            one.x + one.side < other.x ||
            other.x + other.side < one.x ||
            one.y + one.side < other.y ||
            other.y + other.side < one.y
          expect(apart).toBe(true)
        }
      }
      // Two lines beside each other, three where each map has tokens of its own; or five below each other.
      const lines = reading.column === undefined ? 100 : pair.apart ? 63 : 46
      expect(reading.y + lines).toBeLessThanOrEqual(height)
      expect(reading.x + reading.width).toBeLessThanOrEqual(width)
    },
  )

  it('finds the cell under the pointer in each of the maps, and none between them', () => {
    for (const room of rooms) {
      const layout = layOut(room, maps(22, 11))
      for (const { which, x, y, side, count, part, from } of layout.panes) {
        if (part) continue
        expect(from).toEqual({ query: 0, key: 0 })
        expect(count).toBe(which === 1 ? 11 : 22)
        expect(cellAt(x + 1, y + 1, layout)).toEqual({ which, query: 0, key: 0 })
        expect(cellAt(x + side - 1, y + (side / count) * 9.5, layout)).toEqual({ which, query: 9, key: count - 1 })
      }
      expect(cellAt(1, 1, layout)).toBeNull()
    }
  })

  it('shows of a long text the part around the cursor of each', () => {
    const centres = [
      { query: 216, key: 100 },
      { query: 5, key: 30 },
    ] as const
    const layout = layOut(rooms[0] ?? { width: 0, height: 0, phone: false }, maps(217, 120, { centres }))
    const parts = layout.panes.filter(({ part }) => part)
    expect(parts.map(({ from }) => from)).toEqual([
      { query: 193, key: 88 },
      { query: 0, key: 18 },
      { query: 193, key: 88 },
    ])
    const [, second] = parts
    expect(cellAt((second?.x ?? 0) + 1, (second?.y ?? 0) + 1, layout)).toEqual({ which: 1, query: 0, key: 18 })
  })
})
