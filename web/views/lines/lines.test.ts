import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Mark } from '../../charts/marks'
import { csv } from '../../ui/table'
import { headMap } from '../../charts/attention-map/model'
import {
  drawLines,
  drawRuler,
  drawTokens,
  inks,
  edgesOf,
  tableOf,
  layOutLines,
  linesHeight,
  rulerTo,
  scrollTo,
  tokenAt,
  within,
} from './picture'

const names = ['[CLS]', 'the', 'cat', '[SEP]']
const values = Float32Array.of(1, 0, 0, 0, 0.9, 0.09, 0.01, 0, 0, 0.5, 0.5, 0, 0, 0, 0.2, 0.8)
const map = headMap({ values, names, causal: false })
const edges = edgesOf(map, 0.02)
const layout = layOutLines(440, 400, names, 4)
const count = (curves: readonly { d: string }[]) => curves.reduce((sum, { d }) => sum + d.split('M').length - 1, 0)
const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
const all = { edges, ink: inks.alone, layout, first: 0, only: null, query: undefined }

test('a line for every weight from the least on, and none for nothing', () => {
  expect([...edges.query]).toEqual([0, 1, 1, 2, 2, 3, 3])
  expect(count(drawLines(all))).toBe(7)
  expect(edgesOf(map, 0).weight).toHaveLength(8)
  const causal = headMap({ values, names, causal: true })
  expect([...edgesOf(causal, 0).key]).toEqual([0, 0, 1, 1, 2, 2, 3])
})

test('the token under the pointer has only its own lines', () => {
  expect(count(drawLines({ ...all, only: { side: 'query', at: 1 } }))).toBe(2)
  expect(count(drawLines({ ...all, only: { side: 'key', at: 2 } }))).toBe(2)
})

test('larger weights are stronger, the chosen query’s lines stand out', () => {
  const heavy = drawLines(all).map(({ weight, opacity }) => [weight ?? 0, opacity ?? 0] as const)
  heavy.slice(1).forEach(([weight, opacity], index) => {
    expect(weight).toBeGreaterThan(heavy[index]?.[0] ?? 0)
    expect(opacity).toBeGreaterThan(heavy[index]?.[1] ?? 0)
  })
  const selected = drawLines({ ...all, query: 3 })
  expect(Math.max(...selected.map(({ opacity }) => opacity ?? 0))).toBeGreaterThan(heavy.at(-1)?.[1] ?? 1)
})

test('two heads are told apart by their dashes as well', () => {
  expect(inks.first.dash).toBeUndefined()
  expect(inks.second.dash).toBeDefined()
  expect(drawLines({ ...all, ink: inks.second }).every(({ dash }) => dash === inks.second.dash)).toBe(true)
})

test('512 tokens that all look at all are few marks, of what is in sight', () => {
  const length = 512
  const long = Array.from({ length }, (_, index) => `w${index}`)
  const even = headMap({ values: new Float32Array(length ** 2).fill(0.05), names: long, causal: false })
  const layout = layOutLines(440, 400, long, 512)
  const curves = drawLines({ ...all, edges: edgesOf(even, 0.02), layout, first: 100, query: 101 })
  expect(curves.length).toBeLessThanOrEqual(16)
  expect(count(curves)).toBeLessThan(2 * layout.rows * length)
})

test('the weights of the query that is read stand beside its keys', () => {
  const marks = (pointed: { side: 'query' | 'key'; at: number } | null) =>
    texts(
      drawTokens({
        map,
        layout,
        first: 0,
        selected: { query: 1, key: 0 },
        pointed,
        least: 0.02,
        format: String,
        tone: 'ink',
      }),
    )
  expect(marks(null)).toContain(String(Math.fround(0.9)))
  expect(marks({ side: 'key', at: 3 })).toContain(String(Math.fround(0.8)))
})

test('a short text has all its tokens, a long one a ruler', () => {
  expect([layout.rows, layout.ruler]).toEqual([4, undefined])
  const long = layOutLines(440, 400, Array.from({ length: 200 }, String), 200)
  expect(long.rows).toBeLessThan(30)
  const map = headMap({ values: new Float32Array(40_000), names: Array.from({ length: 200 }, String), causal: false })
  expect(texts(drawRuler(long, 20, map, null))).toContain('100')
  expect(rulerTo(0, long, 200)).toBe(0)
  // A source of 160 tokens, a text of 40.
  const cross = headMap({ values: map.values, names: map.queries.names, causal: false, source: 160 })
  const numbers = drawRuler(long, 20, cross, null).flatMap((mark) => (mark.kind === 'text' ? [mark] : []))
  expect(numbers.map(({ text }) => Number(text))).toEqual(numbers.map((_, at) => at * (Number(numbers[1]?.text) || 1)))
  expect(new Set(numbers.map(({ tone }) => tone))).toEqual(new Set(['key']))
  expect(rulerTo(1000, long, 200)).toBe(200 - long.rows)
})

const square = { queries: 4, keys: 4 }

test('tokens under the pointer', () => {
  expect(tokenAt(layout.from - 30, 2.5 * layout.pitch, layout, 0, square)).toEqual({ side: 'query', at: 2 })
  expect(tokenAt(layout.to + 30, 0.5 * layout.pitch, layout, 0, square)).toEqual({ side: 'key', at: 0 })
  expect(tokenAt((layout.from + layout.to) / 2, 10, layout, 0, square)).toBeNull()
  expect(tokenAt(layout.from - 30, 4.5 * layout.pitch, layout, 0, square)).toBeNull()
})

test('what is chosen comes into sight: near by as little as it must, from afar to the middle', () => {
  expect(scrollTo(10, 15, 20, 200)).toBe(10)
  expect(scrollTo(10, 29, 20, 200)).toBe(12)
  expect(scrollTo(10, 100, 20, 200)).toBe(91)
  fc.assert(
    fc.property(fc.nat(300), fc.nat(199), fc.integer({ min: 4, max: 60 }), (from, at, rows) => {
      const first = scrollTo(from, at, rows, 200)
      expect(first).toBe(within(first, rows, 200))
      expect(at >= first && at < first + rows).toBe(true)
    }),
  )
})

test('lines have room between the tokens at every width', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 330, max: 1600 }),
      fc.integer({ min: 200, max: 1000 }),
      fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 300 }),
      (width, height, names) => {
        const layout = layOutLines(width, linesHeight(width, height, names.length), names, names.length)
        expect(layout.to - layout.from).toBeGreaterThan(60)
        expect(layout.from).toBeGreaterThan(0)
        expect(layout.to).toBeLessThan(width)
      },
    ),
  )
})

test('a row of the table for every line', () => {
  expect(csv(tableOf('lines', map, edgesOf(map, 0.5)).table)).toBe(
    'query position,query,key position,key,weight\r\n0,[CLS],0,[CLS],1\r\n1,the,0,[CLS],0.9\r\n2,cat,1,the,0.5\r\n2,cat,2,cat,0.5\r\n3,[SEP],3,[SEP],0.8\r\n',
  )
})
