import { describe, expect, it } from 'vitest'
import { weightEntry } from '../../elements/colour'
import type { Comparison } from './comparison'
import { drawComparison } from './draw'
import { cellAt, layOut } from './layout'
import { correlation, difference, elsewhere, habitOf, habitsOf, nextHead, widest, type AttentionMap } from './model'
import { paintPane, signedEntry } from './paint'
import { likeness, tellComparison, type Compared } from './tell'

/** A map whose row m gives `share` to key m + by, where there is one, and the rest to all keys alike. */
function looking(length: number, by: number, share: number): AttentionMap {
  const attention = new Float32Array(length * length).map((_, cell) => {
    const [query, key] = [Math.floor(cell / length), cell % length]
    const there = query + by >= 0 && query + by < length
    return (there ? (1 - share) / length : 1 / length) + (there && key === query + by ? share : 0)
  })
  return { attention, length }
}

const back = looking(8, -1, 0.75)
const ahead = looking(8, 1, 0.8)
const even = looking(8, 0, 0)

describe('two maps', () => {
  it('differ cell by cell, and each row of the difference sums to 0', () => {
    const apart = difference(back.attention, ahead.attention)
    for (let query = 0; query < 8; query++) {
      const row = apart.subarray(query * 8, (query + 1) * 8)
      expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 5)
    }
    expect(apart[8]).toBeGreaterThan(0.7)
  })

  it('correlate by 1 with themselves, and by nothing with one that is even', () => {
    expect(correlation(back, back, false)).toBeCloseTo(1)
    expect(correlation(back, ahead, false)).toBeLessThan(0)
    expect(correlation(back, even, false)).toBeUndefined()
  })

  it('correlate over the keys that a causal head can see', () => {
    const half = { attention: Float32Array.of(1, 0, 0.25, 0.75), length: 2 }
    const other = { attention: Float32Array.of(1, 0, 0.75, 0.25), length: 2 }
    // (1, 0.25, 0.75) and (1, 0.75, 0.25), both with the mean 2/3: 6/144 of 42/144.
    expect(correlation(half, other, true)).toBeCloseTo(1 / 7)
    expect(correlation(half, other, true)).not.toBeCloseTo(correlation(half, other, false) ?? 0, 3)
  })

  it('say which part of a row lies elsewhere: all of it where they have no key in common', () => {
    expect(elsewhere(back, back)).toBe(0)
    const [one, other] = [
      { attention: Float32Array.of(1, 0, 1, 0), length: 2 },
      { attention: Float32Array.of(0, 1, 0, 1), length: 2 },
    ]
    expect(elsewhere(one, other)).toBe(1)
  })

  it('have habits that are the mean of the queries that can have them', () => {
    expect(habitsOf(back).back).toBeCloseTo(0.75 + 0.25 / 8)
    expect(habitOf(habitsOf(back))).toBe('back')
    expect(habitOf(habitsOf(ahead))).toBe('ahead')
    expect(habitOf(habitsOf(even))).toBeUndefined()
    expect(widest(habitsOf(back), habitsOf(even))).toBe('back')
  })

  it('are of the head and the next one where no other is chosen', () => {
    expect(nextHead({ layer: 2, head: 7 }, 8)).toEqual({ layer: 2, head: 0 })
    expect(nextHead({ layer: 0, head: 0 }, 1)).toEqual({ layer: 0, head: 0 })
  })
})

describe('what is said of them', () => {
  const heads: Compared = { a: back, b: ahead, causal: false, head: '2.6', other: '2.5', change: '' }
  const say = (compared: Compared) => tellComparison(compared, likeness(compared)).title

  it('is what each head looks at', () => {
    expect(say(heads)).toBe('2.6 looks one token back; 2.5 one token ahead.')
    expect(say({ ...heads, b: back })).toBe('2.6 and 2.5 both look one token back.')
    expect(say({ ...heads, b: even })).toBe('2.6 looks one token back; 2.5 does not.')
    expect(say({ ...heads, a: even })).toBe('2.5 looks one token ahead; 2.6 does not.')
    expect(say({ ...heads, a: even, b: even })).toBe('2.6 and 2.5 put 0\u00a0% of their weight on different tokens.')
  })

  it('is what a change does to a head', () => {
    const changed = { ...heads, other: undefined, change: 'with 4 pairs of head 2.6 cut out' }
    expect(say({ ...changed, b: even })).toBe(
      'With 4 pairs of head 2.6 cut out, head 2.6 no longer looks one token back.',
    )
    expect(say({ ...changed, b: looking(8, -1, 0.7) })).toContain('still looks one token back')
    expect(say(changed)).toContain('looks one token ahead, not one token back')
    expect(say({ ...changed, b: back })).toContain('looks exactly where it looked')
    const rounded = { ...back, attention: back.attention.map((weight) => weight + 3.4e-7) }
    expect(say({ ...changed, b: rounded })).toMatch(/no weight moves by more than 0\.000000\d\.$/)
    expect(say({ ...changed, a: even, b: looking(8, 0, 0.3) })).toMatch(/puts \d+\u00a0% of its weight on other tokens/)
  })
})

describe('the layout', () => {
  const cursor = { query: 9, key: 8 }

  it.each([
    [850, 396, 22],
    [440, 396, 22],
    [350, 396, 22],
    [358, 526, 22],
    [850, 396, 217],
    [440, 396, 1],
    [440, 396, 4096],
  ])('of %i × %i px and %i tokens keeps all in its room, and maps apart', (width, height, length) => {
    const { panes, reading } = layOut(width, height, length, cursor)
    for (const { x, y, side, from, count } of panes) {
      expect(x + side).toBeLessThanOrEqual(width)
      expect(y + side).toBeLessThanOrEqual(height)
      expect(side).toBeGreaterThan(60)
      expect(from.query + count).toBeLessThanOrEqual(length)
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
    expect(reading.y + (reading.column ? 46 : 112)).toBeLessThanOrEqual(height)
  })

  it('finds the cell under the pointer in each of the maps, and none between them', () => {
    const layout = layOut(850, 396, 22, cursor)
    for (const { x, y, side } of layout.panes) {
      expect(cellAt(x + 1, y + 1, layout)).toEqual({ query: 0, key: 0 })
      expect(cellAt(x + side - 1, y + (side / 22) * 9.5, layout)).toEqual({ query: 9, key: 21 })
    }
    expect(cellAt(1, 1, layout)).toBeNull()
  })

  it('shows of a long text the part around the cursor', () => {
    const layout = layOut(850, 396, 217, { query: 216, key: 100 })
    const parts = layout.panes.filter(({ part }) => part)
    expect(parts).toHaveLength(3)
    expect(parts[0]?.from).toEqual({ query: 193, key: 88 })
    expect(cellAt((parts[1]?.x ?? 0) + 1, (parts[1]?.y ?? 0) + 1, layout)).toEqual({ query: 193, key: 88 })
  })
})

describe('the picture', () => {
  it('paints what is furthest from 0 where a cell stands for many', () => {
    const values = new Float32Array(100 * 100)
    values[57 * 100 + 43] = -0.25
    const table = Uint8Array.from({ length: 768 }, (_, at) => Math.floor(at / 3))
    const pane = {
      which: 2,
      x: 0,
      y: 0,
      side: 10,
      from: { query: 0, key: 0 },
      count: 100,
      part: false,
      rows: false,
      columns: false,
    } as const
    const { pixels, columns } = paintPane({ values, length: 100, table, entry: signedEntry }, pane)
    expect(columns).toBe(10)
    expect(pixels[(5 * 10 + 4) * 4]).toBe(signedEntry(-0.25))
    expect(pixels[(5 * 10 + 5) * 4]).toBe(signedEntry(0))
  })

  it('has both ends of the signed colours, and nothing in the middle', () => {
    expect([signedEntry(-1), signedEntry(1), signedEntry(-5)]).toEqual([0, 255, 0])
    expect(Math.abs(signedEntry(0) - 127.5)).toBeLessThan(1)
  })

  it('holds the numbers of the chosen cell', () => {
    const table = new Uint8Array(768)
    const apart = difference(back.attention, ahead.attention)
    const maps: Comparison['maps'] = [
      { values: back.attention, length: 8, table, entry: weightEntry },
      { values: ahead.attention, length: 8, table, entry: weightEntry },
      { values: apart, length: 8, table, entry: signedEntry },
    ]
    const tokens = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const comparison = {
      maps,
      names: ['head 2.6', 'head 2.5'],
      tokens,
      cursor: { query: 3, key: 2 },
      likeness: { r: -0.5, elsewhere: 0.9 },
    } as const
    for (const width of [850, 440]) {
      const texts = drawComparison(comparison, width, 396).marks.flatMap((mark) =>
        mark.kind === 'text' ? [mark.text] : [],
      )
      for (const text of ['d 3', 'c 2', '0.78', '0.03', '+0.76', 'head 2.6']) expect(texts).toContain(text)
      expect(texts.join(' ')).toContain('r −0.50')
    }
  })
})
