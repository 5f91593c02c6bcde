import { describe, expect, it } from 'vitest'
import { paintCells } from '../../charts/matrix'
import { weightEntry } from '../../charts/colour'
import { cellAt, layOut, type Maps, type Room } from './layout'
import { alignSame, difference, largest, likenessOf, type Alignment, type AttentionMap } from './maps'
import { drawComparison, mapsOf, signedEntry, type ComparePicture } from './picture'
import { headlineOf, type HeadlineSubject } from './view'

/** Row m gives the share `share` to key m + by, if it exists, and the rest evenly to all keys. */
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
const same = alignSame(8)

describe('the headline', () => {
  const heads: HeadlineSubject = {
    a: { head: back },
    b: { head: ahead },
    alignment: same,
    contrast: { by: 'head', head: 'L2·H6', other: 'L2·H5' },
  }
  const headline = (subject: HeadlineSubject) =>
    headlineOf(
      subject,
      likenessOf(subject.a.head, subject.b.head, subject.alignment, false),
      difference(subject.a.head, subject.b.head, subject.alignment),
    )
  const title = (subject: HeadlineSubject) => headline(subject).title

  it('is what each head looks at', () => {
    expect(title(heads)).toBe('L2·H6 looks one token back; L2·H5 one token ahead.')
    expect(title({ ...heads, b: { head: back } })).toBe('L2·H6 and L2·H5 both look one token back.')
    expect(title({ ...heads, b: { head: even } })).toBe('L2·H6 looks one token back; L2·H5 does not.')
    expect(title({ ...heads, a: { head: even } })).toBe('L2·H5 looks one token ahead; L2·H6 does not.')
    expect(title({ ...heads, a: { head: even }, b: { head: even } })).toBe(
      'L2·H6 and L2·H5 put 0\u00a0% of their weight on different tokens.',
    )
  })

  it('is what a change does to a head', () => {
    const changed: HeadlineSubject = {
      ...heads,
      contrast: { by: 'change', head: 'L2·H6', change: 'with 4 pairs of head L2·H6 ablated' },
    }
    expect(title({ ...changed, b: { head: even } })).toBe(
      'With 4 pairs of head L2·H6 ablated, head L2·H6 no longer looks one token back.',
    )
    expect(title({ ...changed, b: { head: looking(8, -1, 0.7) } })).toContain('still looks one token back')
    expect(title(changed)).toContain('looks one token ahead, not one token back')
    expect(title({ ...changed, b: { head: back } })).toContain('gives exactly the same weights as before')
    const rounded = { ...back, attention: back.attention.map((weight) => weight + 3.4e-7) }
    expect(title({ ...changed, b: { head: rounded } })).toMatch(/no weight changes by more than 0\.000000\d\.$/)
    expect(title({ ...changed, a: { head: even }, b: { head: looking(8, 0, 0.3) } })).toMatch(
      /puts \d+\u00a0% of its weight on other tokens/,
    )
  })

  it('is what a head does in two texts, what of them is compared, and how alike they are by distance', () => {
    const longer = looking(11, -1, 0.75)
    const toB = Int32Array.of(0, 1, 2, 3, 7, 8, 9, 10)
    const ends: HeadlineSubject = {
      ...heads,
      b: { head: longer },
      alignment: { toB, toA: new Int32Array(11), compared: 'ends', shared: 8 },
      contrast: { by: 'text', head: 'L2·H6' },
    }
    expect(title(ends)).toBe('L2·H6 looks one token back in both texts.')
    expect(headline(ends).line).toMatch(
      /^A gives the token before 78\s% of its weight on average, B 77\s%\. To make them equal, \d+\u00a0% of the weight would have to move; the maps correlate by 0\.9\d\. 8 of 11 tokens are a common beginning and end: these are compared\. They give 9\d\u00a0% of their weight to the same distances\.$/,
    )
    expect(title({ ...ends, b: { head: looking(11, 1, 0.8) } })).toBe(
      'L2·H6 looks one token back in A’s text, one token ahead in B’s.',
    )
    expect(title({ ...ends, b: { head: looking(11, 0, 0) } })).toBe(
      'L2·H6 looks one token back in A’s text; in B’s it does not.',
    )
    expect(title({ ...ends, a: { head: even } })).toBe('L2·H6 looks one token back in B’s text; in A’s it does not.')
    const none: HeadlineSubject = { ...ends, alignment: { ...ends.alignment, compared: 'none', shared: 0 } }
    expect(headline(none).line).toContain('too few tokens in common')
    expect(headline(none).line).not.toContain('would have to move')
    expect(title({ ...none, a: { head: even }, b: { head: even } })).toBe(
      'In both texts L2·H6 gives 100\u00a0% of its weight to the same distances.',
    )
  })

  it('in cross-attention is of the source', () => {
    // Three tokens of a source, two of a text.
    const cross = (...row: number[]): AttentionMap => {
      const attention = new Float32Array(25)
      attention.set(row, 15)
      attention.set(row, 20)
      return { attention, length: 5, source: 3 }
    }
    const [end, start, middle] = [cross(0, 0, 1), cross(0.9, 0.1, 0), cross(0.2, 0.6, 0.2)]
    const texts = (a: AttentionMap, b: AttentionMap, sameSource?: boolean): HeadlineSubject => ({
      a: { head: a },
      b: { head: b },
      alignment: { ...alignSame(5), ...(sameSource === undefined ? {} : { sameSource }) },
      contrast: { by: 'text', head: 'L1·H0' },
    })
    expect(title(texts(end, end, false))).toBe('L1·H0 looks at the end of the source in both texts.')
    expect(headline(texts(end, start, false)).title).toBe(
      'L1·H0 looks at the end of the source in A’s text, at the beginning of the source in B’s.',
    )
    expect(headline(texts(end, middle, false)).line).toMatch(/^A gives the source’s last token 100\s% of its weight/)
    expect(title(texts(middle, middle, false))).toBe('L1·H0 has no clear pattern in either source.')
    expect(title(texts(middle, middle, true))).toBe('L1·H0 has no clear pattern in the source that both texts share.')
  })

  it('names both models', () => {
    const models: HeadlineSubject = {
      ...heads,
      contrast: { by: 'model', head: 'L2·H6', other: 'L1·H3', model: 'one', otherModel: 'other' },
    }
    expect(title(models)).toBe('L2·H6 of one looks one token back; L1·H3 of other one token ahead.')
    expect(headline(models).line).toContain('Both models read the same 8 tokens.')
    const none: HeadlineSubject = {
      ...models,
      a: { head: even },
      b: { head: even },
      alignment: { ...same, compared: 'none', shared: 0 },
    }
    expect(title(none)).toBe('L2·H6 of one and L1·H3 of other give 100\u00a0% of their weight to the same distances.')
    expect(headline(none).line).toContain('different tokens: these are not compared')
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
      width: 10,
      height: 10,
      from: { query: 0, key: 0 },
      queries: 100,
      keys: 100,
      part: false,
      rows: false,
      columns: false,
    } as const
    const { pixels, columns } = paintCells({ values, length: 100, table, entry: signedEntry }, pane)
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
    const differences = difference(back, ahead, alignSame(8))
    const maps: ComparePicture['maps'] = [
      { values: back.attention, length: 8, table, entry: weightEntry },
      { values: ahead.attention, length: 8, table, entry: weightEntry },
      { values: differences, length: 8, table, entry: signedEntry },
    ]
    const tokens = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const picture: ComparePicture = {
      maps,
      names: ['head L2·H6', 'head L2·H5'],
      tokens: [tokens, tokens],
      spots: [
        { query: 3, key: 2 },
        { query: 3, key: 2 },
      ],
      alignment: same,
      likeness: { r: -0.5, elsewhere: 0.9, byDistance: 0.2 },
    }
    const textsOf = (picture: ComparePicture, room: Room) =>
      drawComparison(picture, layOut(room, mapsOf(picture))).marks.flatMap((mark) =>
        mark.kind === 'text' ? [mark.text] : [],
      )
    const moved = '90\u00a0% of the weight would have to move'
    // Where the sentence has no room a number stands in its place, which is never cut off.
    for (const [width, only, likeness] of [
      [1000, undefined, moved],
      [440, undefined, 'r −0.50'],
      [358, 0, moved],
    ] as const) {
      const texts = textsOf(picture, { width, height: 396, only })
      for (const text of ['d 3', 'c 2', '0.78', '0.03', '+0.76', 'head L2·H6']) expect(texts).toContain(text)
      expect(texts).toContain(likeness)
    }
    // Texts without a common token: two maps, no difference.
    const none: ComparePicture = {
      ...picture,
      tokens: [tokens, tokens.map((token) => `${token}${token}`)],
      spots: [
        { query: 3, key: 2 },
        { query: null, key: 4 },
      ],
      alignment: { ...same, compared: 'none', shared: 0 },
    }
    const texts = textsOf(none, { width: 850, height: 396, only: undefined })
    for (const text of ['d 3', 'ee 4', '–', '20\u00a0% of the weight at the same distances', 'dd'])
      expect(texts).toContain(text)
    expect(texts).not.toContain('A − B')
    expect(textsOf(none, { width: 440, height: 396, only: undefined })).toContain('d 3 | –')
  })

  it('lays a ground where no query sees a key, and paints nothing there', () => {
    const values = new Float32Array(64).fill(0.5)
    const table = new Uint8Array(768).fill(9)
    const map = { values, length: 8, table, entry: weightEntry, causal: true }
    const pane = { x: 0, y: 0, width: 8, height: 8, from: { query: 0, key: 0 }, queries: 8, keys: 8 }
    const { pixels } = paintCells(map, pane)
    const opaque = (query: number, key: number) => pixels[(query * 8 + key) * 4 + 3] === 255
    expect([opaque(3, 3), opaque(7, 0), opaque(3, 4), opaque(0, 7)]).toEqual([true, true, false, false])
    const spot = { query: 3, key: 2 }
    const tokens = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const grounds = (causal: boolean) => {
      const picture: ComparePicture = {
        maps: [{ ...map, causal }, map, { ...map, causal }],
        names: ['one', 'other'],
        tokens: [tokens, tokens],
        spots: [spot, spot],
        alignment: same,
        likeness: { r: 0, elsewhere: 0, byDistance: 1 },
      }
      const { marks } = drawComparison(picture, layOut({ width: 850, height: 396, only: undefined }, mapsOf(picture)))
      return marks.filter((mark) => mark.kind === 'path' && mark.fill === 'rule').length
    }
    expect([grounds(true), grounds(false)]).toEqual([3, 1])
  })

  it('shows of cross-attention the text’s tokens as rows and the source’s as columns', () => {
    const table = new Uint8Array(768)
    const map = { values: back.attention, length: 8, source: 3, table, entry: weightEntry }
    const tokens = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const spot = { query: 5, key: 2 }
    const picture: ComparePicture = {
      maps: [map, map, map],
      names: ['one', 'other'],
      tokens: [tokens, tokens],
      spots: [spot, spot],
      alignment: same,
      likeness: { r: 0, elsewhere: 0, byDistance: 1 },
    }
    const layout = layOut({ width: 850, height: 396, only: undefined }, mapsOf(picture))
    const [pane] = layout.panes
    expect(pane).toMatchObject({ from: { query: 3, key: 0 }, queries: 5, keys: 3 })
    expect(cellAt(pane!.x + 1, pane!.y + pane!.height - 1, layout)).toMatchObject({ query: 7, key: 0 })
    const labels = drawComparison(picture, layout).marks.flatMap((mark) =>
      mark.kind === 'text' && mark.size === 10.5 ? [mark.text] : [],
    )
    expect(labels.slice(0, 8).sort()).toEqual(tokens)
  })

  it('leaves out what is not compared, on a ground of its own', () => {
    const alignment: Alignment = {
      toB: Int32Array.of(0, 1, -1, -1, 2, 3, 4, 5),
      toA: Int32Array.of(0, 1, 4, 5, 6, 7),
      compared: 'ends',
      shared: 6,
    }
    const differences = difference(back, looking(6, -1, 0.75), alignment)
    const table = new Uint8Array(768).fill(9)
    const pane = { x: 0, y: 0, width: 8, height: 8, from: { query: 0, key: 0 }, queries: 8, keys: 8 }
    const { pixels } = paintCells({ values: differences, length: 8, table, entry: signedEntry }, pane)
    const opaque = (query: number, key: number) => pixels[(query * 8 + key) * 4 + 3] === 255
    expect([opaque(0, 0), opaque(7, 4), opaque(2, 0), opaque(0, 3)]).toEqual([true, true, false, false])
    expect(differences[1 * 8 + 0]).toBeCloseTo(0.25 / 8 - 0.25 / 6)
    expect(differences[3 * 8 + 2]).toBeNaN()
    expect(largest(differences)).toBeCloseTo(0.75 + 0.25 / 6, 1)
  })
})

const centre = { query: 9, key: 8 }
const square = (length: number) => ({ first: 0, queries: length, keys: length })
const maps = (a: number, b = a, over: Partial<Maps> = {}): Maps => ({
  all: [square(a), square(b)],
  centres: [centre, centre],
  hasOwnTokens: a !== b,
  subtracted: true,
  ...over,
})

describe('the layout', () => {
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
})
