import { describe, expect, it, vi } from 'vitest'
import type { Mark } from '../../charts/marks'
import type { HeadPrediction, MeanPair } from '../../engine/protocol/mathematics'
import type { HeadResult } from '../../engine/protocol/protocol'
import { interventionsText } from '../../session/interventions'
import type { Run } from '../../session/runs.svelte'
import { distanceIn } from './chart'
import {
  cellAt,
  cloudsOf,
  constancyOf,
  curvesOf,
  listPairs,
  nextTurn,
  peakOf,
  predictionParams,
  strongestOf,
  walk,
  weightAt,
  withinContext,
  type Curves,
  type DistancePicture,
} from './data'
import { t } from './messages.en'
import { drawDistance, hitAt, layOut } from './picture'
import { headlineOf, tablesOf } from './view'

// A component needs a window.
vi.mock('./View.svelte', () => ({ default: {} }))

function curves(length: number, causal = false, peak = 1, weight = 0.7): Curves {
  const flat = new Float64Array(2 * length - 1).fill(0.01)
  const measured = flat.slice()
  measured[peak + length - 1] = weight
  const predicted = flat.slice()
  predicted[peak + length - 1] = 0.8
  return { length, causal, measured, predicted, even: flat }
}

const pairs: MeanPair[] = Array.from({ length: 16 }, (_, pair) => ({
  strength: 16 - pair,
  queryConstancy: 0.9,
  keyConstancy: 0.9,
  phase: -1,
  wants: pair === 15 ? NaN : 1.03 * (pair + 1),
}))

function picture(over: Partial<DistancePicture> = {}): DistancePicture {
  const cloud = { x: Float64Array.of(1, 2), y: Float64Array.of(0, 0.1), mean: { x: 1.5, y: 0.05 } }
  return {
    curves: curves(217),
    pairs,
    correlation: 0.97,
    theta: Float64Array.from(pairs, (_, pair) => 10_000 ** (-pair / 16)),
    clouds: { query: cloud, key: cloud, longest: 2 },
    pair: 0,
    distance: 3,
    focus: 1,
    ...over,
  }
}

const rooms = [
  [440, 430],
  [350, 430],
  [358, 560],
  [850, 430],
  [412, 250],
  [1930, 1180],
  [720, 900],
] as const

/** The box of a mark; text is measured without its font. */
function within(mark: Mark, width: number, height: number): boolean {
  const inside = (x: number, y: number) => x >= -2 && x <= width + 4 && y >= -2 && y <= height + 4
  if (mark.kind === 'line') return inside(mark.x1, mark.y1) && inside(mark.x2, mark.y2)
  if (mark.kind === 'path' || mark.kind === 'raster') return true
  if (mark.kind === 'rect') return inside(mark.x, mark.y) && inside(mark.x + mark.width, mark.y + mark.height)
  if (mark.kind === 'circle') return inside(mark.x - mark.r, mark.y) && inside(mark.x + mark.r, mark.y)
  const long = mark.text.length * (mark.size ?? 11) * 0.56
  const left = mark.anchor === 'end' ? mark.x - long : mark.anchor === 'middle' ? mark.x - long / 2 : mark.x
  return inside(Math.max(left, 0), mark.y) && inside(Math.min(left + (mark.room ?? long), width), mark.y)
}

describe('the picture', () => {
  it.each(rooms)('stays within %i × %i px', (width, height) => {
    for (const all of [false, true]) {
      for (const [length, causal] of [
        [2, false],
        [22, false],
        [217, true],
        [4096, false],
      ] as const) {
        const found = curves(length, causal)
        const layout = layOut(width, height, found, pairs.length, all)
        for (let pair = 0; pair < pairs.length; pair++) {
          const scene = drawDistance(picture({ curves: found, pair }), layout)
          const outside = scene.marks.filter((mark) => !within(mark, width, layout.height))
          expect(outside).toEqual([])
          const d = scene.marks.map((mark) => (mark.kind === 'path' ? mark.d : '')).join()
          expect(d).not.toMatch(/NaN|Infinity/)
        }
      }
    }
  })

  it('has keys behind on the left', () => {
    const { chart } = layOut(440, 430, curves(217), 16, false)
    expect(distanceIn(chart.left + 1, chart, curves(217))).toBe(chart.behind)
    expect(distanceIn(chart.right - 1, chart, curves(217))).toBe(-chart.ahead)
    expect(chart.behind).toBe(24)
  })

  it('of a causal head has none ahead', () => {
    const found = curves(217, true)
    const layout = layOut(440, 430, found, 16, false)
    expect(layout.chart.ahead).toBe(0)
    const texts = drawDistance(picture({ curves: found }), layout).marks.map((mark) =>
      'text' in mark ? mark.text : '',
    )
    expect(texts).toContain(t().behind)
    expect(texts).not.toContain(t().ahead)
  })

  it('writes no sign before a distance', () => {
    const marks = drawDistance(picture(), layOut(440, 430, curves(217), 16, false)).marks
    expect(marks.filter((mark) => mark.kind === 'text' && /[-−]\d/.test(mark.text))).toEqual([])
  })

  it('has the scale of the largest weight', () => {
    const most = (weight: number) => {
      const found = curves(9, false, 1, weight)
      return layOut(440, 430, { ...found, predicted: found.measured }, 16, false).chart.most
    }
    expect([0.04, 0.08, 0.2, 0.3, 0.71].map(most)).toEqual([0.05, 0.1, 0.25, 0.5, 1])
  })

  it('finds what is below the pointer', () => {
    const layout = layOut(440, 430, curves(217), 16, false)
    const { chart, list } = layout
    const middle = (chart.left + chart.right) / 2
    expect(hitAt(middle, 60, picture(), layout)).toEqual({ distance: 0 })
    expect(hitAt(list.left + 4, list.top + 1, picture(), layout)).toEqual({ pair: 0 })
    expect(hitAt(list.left + 4, list.top + list.row * 2.5, picture(), layout)).toEqual({ pair: 2 })
    expect(hitAt(10, 300, picture(), layout)).toBeUndefined()
    // The row that counts the others.
    expect(hitAt(list.left + 4, list.top + list.row * (list.rows - 0.5), picture(), layout)).toBeUndefined()
  })
})

describe('keys', () => {
  const from = { query: 5, key: 3, pair: 2, causal: false }

  it('walk distances and pairs', () => {
    expect(walk('left', from, 10, 16)).toEqual({ distance: 3 })
    expect(walk('right', from, 10, 16)).toEqual({ distance: 1 })
    expect(walk('first', from, 10, 16)).toEqual({ distance: 5 })
    expect(walk('last', from, 10, 16)).toEqual({ distance: -4 })
    expect(walk('pageDown', from, 10, 16)).toEqual({ distance: -4 })
    expect(walk('up', from, 10, 16)).toEqual({ pair: 1 })
    expect(walk('down', { ...from, pair: 15 }, 10, 16)).toEqual({ pair: 15 })
    expect(walk('leave', from, 10, 16)).toEqual({ pair: null })
    expect(walk(undefined, from, 10, 16)).toBeUndefined()
  })

  it('stay within the text, and of a causal head behind', () => {
    expect(walk('left', { ...from, key: 0 }, 10, 16)).toEqual({ distance: 5 })
    expect(walk('last', { ...from, causal: true }, 10, 16)).toEqual({ distance: 0 })
  })
})

describe('headline and tables', () => {
  const predicted = (correlation: number) => ({
    pairs,
    correlation,
    scores: new Float64Array(433).fill(2),
    weights: curves(217).predicted,
    query: new Float64Array(0),
    key: new Float64Array(0),
  })

  it('name what was measured', () => {
    const title = (correlation: number, found = curves(217)) =>
      headlineOf('L2·H6', found, predicted(correlation), 215).title
    expect(headlineOf('L2·H6', curves(217), predicted(0.97), 215)).toEqual({
      title: 'The mean query and key predict where head L2·H6 looks: one token back.',
      line: 'Measured 70.0\u00a0% of the weight one token back, predicted 80.0\u00a0%; over 215 queries predicted and real scores correlate at r̄ = 0.97, R = 0.90.',
    })
    expect(title(0.5)).toBe('The mean query and key predict a part of where head L2·H6 looks.')
    expect(title(0.1)).toBe('The mean query and key predict little of where head L2·H6 looks.')
    expect(title(NaN)).toBe('Too few tokens to predict where head L2·H6 looks.')
    const elsewhere = { ...curves(217), measured: curves(217, false, -2).measured }
    expect(title(0.9, elsewhere)).toBe(
      'The mean query and key predict most of head L2·H6’s scores, but not where it looks most.',
    )
    const near = curves(217, false, -2)
    near.predicted[-1 + 216] = 0.81
    expect(title(0.9, near)).toBe('The mean query and key predict where head L2·H6 looks: around two tokens ahead.')
  })

  it('are in reading order', () => {
    const [distances, byPair] = tablesOf(curves(217), predicted(0.97), picture().theta)
    expect(distances?.table.length).toBe(433)
    expect(distances?.table.row(0)).toEqual([216, 'behind', 0.01, 0.01, 0.01, 2])
    expect(distances?.table.row(215)).toEqual([1, 'behind', 0.7, 0.8, 0.01, 2])
    expect(distances?.table.row(216).slice(0, 2)).toEqual([0, 'itself'])
    expect(distances?.table.row(432).slice(0, 2)).toEqual([216, 'ahead'])
    expect(byPair?.table.row(15)).toEqual([15, picture().theta[15], 1, 0.9, 0.9, -1, ''])
    const causal = tablesOf(curves(217, true), predicted(0.97), picture().theta)
    expect(causal[0]?.table.length).toBe(217)
    expect(causal[0]?.table.row(216).slice(0, 2)).toEqual([0, 'itself'])
  })
})

const meanPair = (strength: number, queryConstancy = 1): MeanPair => ({
  strength,
  queryConstancy,
  keyConstancy: 1,
  phase: 0,
  wants: 0,
})

function headOf(attention: number[], length: number): HeadResult {
  const none = new Float32Array(0)
  return { run: 1, layer: 0, head: 0, length, attention: Float32Array.from(attention), query: none, key: none }
}

describe('weights by distance', () => {
  // Rows are queries: the second and third look one back.
  const looksBack = headOf([0.5, 0.25, 0.25, 1, 0, 0, 0, 1, 0], 3)

  it('are means over the queries that have a key there', () => {
    const curves = curvesOf(looksBack, new Float64Array(5), false)
    expect(Array.from(curves.measured)).toEqual([0.25, 0.125, 0.5 / 3, 1, 0])
    expect(weightAt(curves, curves.measured, 1)).toBe(1)
    expect(weightAt(curves, curves.measured, -2)).toBe(0.25)
    for (const even of curves.even) expect(even).toBeCloseTo(1 / 3, 12)
    expect(peakOf(curves, curves.measured)).toBe(1)
  })

  it('of a causal head have an even share that falls with the distance', () => {
    const causal = curvesOf(headOf([1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5], 3), new Float64Array(5), true)
    expect(Array.from(causal.measured.subarray(0, 2))).toEqual([0, 0])
    expect(weightAt(causal, causal.even, 0)).toBeCloseTo((1 + 1 / 2 + 1 / 3) / 3, 12)
    expect(weightAt(causal, causal.even, 2)).toBeCloseTo(1 / 3, 12)
    expect(weightAt(causal, causal.even, -1)).toBe(0)
  })

  it('have their peak where at least half of the queries have a key', () => {
    // One query only is four back.
    const curves = { length: 5, causal: false, even: new Float64Array(9), predicted: new Float64Array(9) }
    const measured = Float64Array.of(0, 0, 0, 0.2, 0, 0.2, 0.1, 0, 1)
    expect(peakOf({ ...curves, measured }, measured)).toBe(1)
    expect(peakOf({ ...curves, causal: true, measured }, Float64Array.of(9, 9, 9, 9, 0, 0, 1, 0, 0))).toBe(2)
  })

  it('of a text without tokens are none', () => {
    expect(curvesOf(headOf([], 0), new Float64Array(0), false).measured).toHaveLength(0)
  })
})

describe('the request', () => {
  const run = {
    model: {
      info: {
        head_size: 4,
        scale: 0.5,
        attention: 'softmax',
        is_decoder: true,
        num_attention_heads: 4,
        num_key_value_heads: 2,
      },
      tokenizer: { maskId: 7, isSpecial: (id: number) => id > 5 },
    },
    reading: { ids: Uint32Array.of(9, 1, 7, 6, 9), spans: [null, {}, {}, {}, null] },
    result: { theta: Float64Array.of(7, 7, 1, 0.5) },
    head: { layer: 1, head: 3, query: Float32Array.of(1), key: Float32Array.of(2) },
    interventions: '',
  } as unknown as Run

  it('leaves out special tokens, but not a mask', () => {
    const { head } = run
    expect(predictionParams(run)).toEqual({
      query: head.query,
      key: head.key,
      headSize: 4,
      offset: 0,
      theta: Float64Array.of(1, 0.5),
      scale: 0.5,
      counted: Uint8Array.of(0, 1, 1, 0, 0),
      causal: true,
    })
  })

  it('is of the run: its offset, and pairs that do not turn', () => {
    const interventions = (head: number) =>
      interventionsText({ offset: 40, frozen: [{ layer: 1, head, pairs: [1] }], ablated: [], ablatedHeads: [] })
    // The key that heads 2 and 3 share stops for both.
    expect(predictionParams({ ...run, interventions: interventions(2) })).toMatchObject({
      offset: 40,
      theta: Float64Array.of(1, 0),
    })
    expect(predictionParams({ ...run, interventions: interventions(1) })).toMatchObject({
      theta: Float64Array.of(1, 0.5),
    })
  })
})

describe('pairs', () => {
  it('are weighted by their strength', () => {
    expect(constancyOf([meanPair(3, 1), meanPair(1, 0.2)])).toBeCloseTo(0.8, 12)
    expect(constancyOf([meanPair(0, 1)])).toBe(0)
    expect(strongestOf([meanPair(1), meanPair(5), meanPair(5), meanPair(2)])).toBe(1)
  })

  it('have no best distance beyond the context of the model', () => {
    const found = withinContext(
      [
        { ...meanPair(1), wants: -512 },
        { ...meanPair(1), wants: 806 },
      ],
      512,
    )
    expect(found.map(({ wants }) => t().wants(wants))).toEqual(['512 ahead', '–'])
  })

  it('match again, where one dominates and turns', () => {
    const strong = { ...meanPair(9), wants: 1.03 }
    const theta = Float64Array.of(1, 0.5)
    expect(nextTurn([strong, meanPair(1)], theta)).toEqual({ pair: 0, distances: [7, -5] })
    expect(nextTurn([{ ...strong, wants: NaN }, meanPair(1)], Float64Array.of(0, 0.5))).toBeUndefined()
    const even = Array.from({ length: 16 }, () => meanPair(1))
    expect(nextTurn(even, new Float64Array(16).fill(1))).toBeUndefined()
  })

  it('are all listed where there is room', () => {
    expect(listPairs([meanPair(1), meanPair(2)], 2, 0)).toEqual({ pairs: [0, 1], others: 0, most: 0 })
  })

  it('drop the weakest, never the selected one', () => {
    const pairs = [meanPair(5), meanPair(1), meanPair(4), meanPair(0.5), meanPair(3)]
    expect(listPairs(pairs, 4, 0)).toEqual({ pairs: [0, 2, 4], others: 2, most: 1 })
    expect(listPairs(pairs, 3, 3)).toEqual({ pairs: [0, 3], others: 3, most: 4 })
  })
})

describe('clouds', () => {
  // Two pairs a row; pair 1 of the queries points along −y, that of the keys along −x: a quarter turn clockwise from them.
  const prediction = {
    query: Float64Array.of(9, 9, 9, 9, 0, 0, 0, -2, 0, 0, 0, -4),
    key: Float64Array.of(9, 9, 9, 9, 0, 0, -1, 0, 0, 0, -1, 0),
  } as unknown as HeadPrediction
  const clouds = cloudsOf(prediction, 1, 4, Uint8Array.of(0, 1, 1))

  it('have the mean query on top', () => {
    expect(clouds.query.mean).toEqual({ x: 3, y: 0 })
    expect(Array.from(clouds.query.x)).toEqual([2, 4])
    expect(clouds.longest).toBe(4)
  })

  it('have keys where the query comes to by turning', () => {
    expect(clouds.key.mean.x).toBeCloseTo(0, 12)
    expect(clouds.key.mean.y).toBe(-1)
  })

  it('of very many tokens are thinned evenly', () => {
    const length = 1000
    const rows = Float64Array.from({ length: 2 * length }, (_, index) => (index % 2 === 0 ? 1 : 0))
    const many = cloudsOf({ query: rows, key: rows } as unknown as HeadPrediction, 0, 2, new Uint8Array(length).fill(1))
    expect(many.query.x.length).toBeLessThanOrEqual(240)
    expect(many.query.x.length).toBeGreaterThan(200)
  })
})

describe('the cell at a distance', () => {
  it('moves the key, and the query only where the text ends', () => {
    expect(cellAt(2, 5, 10)).toEqual({ query: 5, key: 3 })
    expect(cellAt(7, 5, 10)).toEqual({ query: 7, key: 0 })
    expect(cellAt(-7, 5, 10)).toEqual({ query: 2, key: 9 })
    expect(cellAt(0, 5, 10)).toEqual({ query: 5, key: 5 })
    expect(cellAt(10, 5, 10)).toBeUndefined()
  })
})
