import { expect, test } from 'vitest'
import { ramp } from '../colour'
import type { Mark } from '../marks'
import { drawBar, drawGrid, drawRanking, pictureWithReading } from './draw'
import { layOutGrid } from './layout'
import { extentOf, headMap } from './model'
import { signedScale, weightScale } from './paint'

const names = ['[CLS]', 'the', 'cat', '[SEP]']
const axes = { query: 'query', key: 'key' }
const grid = layOutGrid(
  { x: 0, y: 0, width: 400, height: 400 },
  { queries: 4, keys: 4 },
  { queries: names, keys: names, last: 3 },
  1,
)
const part = { query: 0, key: 0, queries: 4, keys: 4 }
const values = Float32Array.from({ length: 16 }, (_, index) => index / 16)
const palette = ramp(['#ffffff', '#000000'])

const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark] : []))
const rects = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'rect' ? [mark] : []))

test('every row has its token and its position, every column its token', () => {
  const map = headMap({ values, names, causal: false })
  const marks = drawGrid({ map, grid, part, selected: { query: 2, key: 1 }, walkCell: null, pointed: null, axes })
  const labels = texts(marks).map(({ text }) => text)
  for (const name of names) expect(labels.filter((text) => text === name)).toHaveLength(2)
  expect(labels).toEqual(expect.arrayContaining(['0', '1', '2', '3']))
})

test('the chosen row is the query’s, the chosen column the key’s', () => {
  const map = headMap({ values, names, causal: false })
  const marks = drawGrid({ map, grid, part, selected: { query: 2, key: 1 }, walkCell: null, pointed: null, axes })
  const outline = (tone: string) => rects(marks).find(({ stroke }) => stroke === tone)
  expect(outline('query')).toMatchObject({ y: grid.y + 2 * grid.pitch, width: grid.width, height: grid.pitch })
  expect(outline('key')).toMatchObject({ x: grid.x + grid.pitch, width: grid.pitch, height: grid.height })
  const blue = texts(marks).filter(({ tone, text }) => tone === 'query' && text !== 'query')
  expect(blue.map(({ text }) => text).sort()).toEqual(['2', 'cat'])
})

test('in cross-attention rows are the text’s tokens, and columns the source’s', () => {
  const map = headMap({ values, names, causal: false, source: 3 })
  const extent = extentOf(map)
  const labels = { queries: map.queries.names, keys: map.keys.names, last: 3 }
  const grid = layOutGrid({ x: 0, y: 0, width: 400, height: 400 }, extent, labels, 1)
  expect([grid.width, grid.height]).toEqual([3 * grid.pitch, grid.pitch])
  const marks = drawGrid({
    map,
    grid,
    part: { query: 0, key: 0, ...extent },
    selected: { query: 0, key: 1 },
    walkCell: null,
    pointed: null,
    axes: { query: 'target', key: 'source' },
  })
  expect(texts(marks).map(({ text }) => text)).toEqual(['source', 'target', '[SEP]', '3', '[CLS]', 'the', 'cat'])
  const outline = (tone: string) => rects(marks).find(({ stroke }) => stroke === tone)
  expect(outline('query')).toMatchObject({ y: grid.y, width: grid.width, height: grid.pitch })
  expect(outline('key')).toMatchObject({ x: grid.x + grid.pitch, height: grid.height })
})

test('what is chosen outside of the part has no outline there', () => {
  const map = headMap({ values, names, causal: false })
  const small = { query: 0, key: 0, queries: 2, keys: 2 }
  const marks = drawGrid({
    map,
    grid,
    part: small,
    selected: { query: 3, key: 1 },
    walkCell: null,
    pointed: null,
    axes,
  })
  expect(rects(marks).map(({ stroke }) => stroke)).toEqual(['rule', 'key'])
})

test('what the mask forbids is a staircase of its own', () => {
  const ground = (causal: boolean) =>
    drawGrid({
      map: headMap({ values, names, causal }),
      grid,
      part,
      selected: null,
      walkCell: null,
      pointed: null,
      axes,
    }).filter(({ kind }) => kind === 'path')
  expect(ground(false)).toEqual([])
  expect(ground(true)).toMatchObject([{ fill: 'rule' }])
})

test('the bar says its ends and marks the number that is read', () => {
  const marks = drawBar({ width: 200, scale: weightScale('root'), palette, value: 0.25 })
  const labels = texts(marks).map(({ text }) => text)
  expect([labels[0], labels.at(-1)]).toEqual(['0', '1'])
  const mark = marks.find((mark) => mark.kind === 'line' && mark.stroke === 'ink')
  expect(mark).toMatchObject({ x1: 100, x2: 100 })
  const signed = texts(drawBar({ width: 200, scale: signedScale(8), palette, value: undefined }))
  expect(signed.map(({ text }) => text)).toEqual(['−8', '−4', '0', '4', '8'])
  const clipped = texts(drawBar({ width: 200, scale: signedScale(8, true), palette, value: undefined }))
  expect(clipped.map(({ text }) => text)).toEqual(['≤ −8', '−4', '0', '4', '≥ 8'])
})

test('a ranking writes each number beside its bar', () => {
  const map = headMap({ values, names, causal: false })
  const ranked = [
    { key: 3, value: 0.5 },
    { key: 0, value: 0.25 },
  ]
  const marks = drawRanking(ranked, { map, key: 3, width: 300, reach: 1, format: String })
  expect(texts(marks).map(({ text }) => text)).toEqual(['[SEP]', '3', '0.5', '[CLS]', '0', '0.25'])
  const [longer, shorter] = rects(marks)
  expect((longer?.width ?? 0) / (shorter?.width ?? 1)).toBeCloseTo(2)
  // Beyond the colours' end the largest has a full bar.
  const beyond = rects(drawRanking(ranked, { map, key: 3, width: 300, reach: 0.1, format: String }))
  expect((beyond[0]?.width ?? 0) / (beyond[1]?.width ?? 1)).toBeCloseTo(2)
})

test('a ranking of signed numbers has their colours', () => {
  const map = headMap({ values, names, causal: false })
  const ranked = [
    { key: 3, value: 0.5 },
    { key: 0, value: -0.25 },
  ]
  const bars = rects(drawRanking(ranked, { map, key: 3, width: 300, reach: 1, format: String, signed: true }))
  expect(bars.map(({ fill }) => fill)).toEqual(['positive', 'negative'])
})

test('the file holds the map, what is read and the bar', () => {
  const bar = {
    width: 200,
    height: 36,
    marks: drawBar({ width: 200, scale: weightScale('root'), palette, value: 0.5 }),
  }
  const text = { value: '0.5', pair: ['the → cat'], rank: 'first of 4 keys' }
  const picture = pictureWithReading(
    { width: 440, height: 390, marks: [] },
    { x: 10, y: 340, stacked: false, bar, text },
  )
  expect(texts(picture.marks).map(({ text }) => text)).toEqual(expect.arrayContaining(['0.5', 'the → cat', '1']))
  for (const mark of picture.marks) if (mark.kind === 'raster') expect(mark.y).toBeGreaterThanOrEqual(340)
})
