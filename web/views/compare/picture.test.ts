import { expect, it } from 'vitest'
import { looking } from '../../testing/attentionMaps'
import { paintCells } from '../../charts/matrix'
import { weightEntry } from '../../charts/colour'
import { cellAt, layOut, type Room } from './layout'
import { alignSame, difference, largest, type Alignment } from './maps'
import { drawComparison, mapsOf, signedEntry, type ComparePicture } from './picture'

const back = looking(8, -1, 0.75)
const ahead = looking(8, 1, 0.8)
const same = alignSame(8)

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
