import { describe, expect, it } from 'vitest'
import type { MeanPair } from '../../engine/protocol/mathematics'
import type { Mark } from '../../charts/marks'
import { distance as text } from '../../i18n/en/views/distance'
import { distanceIn } from './chart'
import { draw, hit, layOut } from './draw'
import { moved } from './keys'
import type { Curves, Shows } from './model'
import { headlineOf, tablesOf } from './told'

function curves(length: number, causal = false, peak = 1, weight = 0.7): Curves {
  const flat = new Float64Array(2 * length - 1).fill(0.01)
  const measured = flat.slice()
  measured[peak + length - 1] = weight
  const foretold = flat.slice()
  foretold[peak + length - 1] = 0.8
  return { length, causal, measured, foretold, even: flat }
}

const pairs: MeanPair[] = Array.from({ length: 16 }, (_, pair) => ({
  strength: 16 - pair,
  queryConstancy: 0.9,
  keyConstancy: 0.9,
  phase: -1,
  wants: pair === 15 ? NaN : 1.03 * (pair + 1),
}))

function shows(over: Partial<Shows> = {}): Shows {
  const cloud = { x: Float64Array.of(1, 2), y: Float64Array.of(0, 0.1), mean: { x: 1.5, y: 0.05 } }
  return {
    curves: curves(217),
    pairs,
    correlation: 0.97,
    theta: Float64Array.from(pairs, (_, pair) => 10_000 ** (-pair / 16)),
    clouds: { query: cloud, key: cloud, longest: 2 },
    pair: 0,
    distance: 3,
    read: 1,
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

/** The box of a mark, as far as it can be told without fonts. */
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
          const scene = draw(shows({ curves: found, pair }), layout, text)
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
    const words = draw(shows({ curves: found }), layout, text).marks.map((mark) => ('text' in mark ? mark.text : ''))
    expect(words).toContain(text.behind)
    expect(words).not.toContain(text.ahead)
  })

  it('writes no sign before a distance', () => {
    const marks = draw(shows(), layOut(440, 430, curves(217), 16, false), text).marks
    expect(marks.filter((mark) => mark.kind === 'text' && /[-−]\d/.test(mark.text))).toEqual([])
  })

  it('has a scale that the largest weight needs', () => {
    const most = (weight: number) => {
      const found = curves(9, false, 1, weight)
      return layOut(440, 430, { ...found, foretold: found.measured }, 16, false).chart.most
    }
    expect([0.04, 0.08, 0.2, 0.3, 0.71].map(most)).toEqual([0.05, 0.1, 0.25, 0.5, 1])
  })

  it('tells what is under the pointer', () => {
    const layout = layOut(440, 430, curves(217), 16, false)
    const { chart, list } = layout
    const middle = (chart.left + chart.right) / 2
    expect(hit(middle, 60, shows(), layout)).toEqual({ distance: 0 })
    expect(hit(list.left + 4, list.top + 1, shows(), layout)).toEqual({ pair: 0 })
    expect(hit(list.left + 4, list.top + list.row * 2.5, shows(), layout)).toEqual({ pair: 2 })
    expect(hit(10, 300, shows(), layout)).toBeUndefined()
    // The row that says what is left out.
    expect(hit(list.left + 4, list.top + list.row * (list.rows - 0.5), shows(), layout)).toBeUndefined()
  })
})

describe('keys', () => {
  const from = { query: 5, key: 3, pair: 2, causal: false }

  it('walk distances and pairs', () => {
    expect(moved('left', from, 10, 16)).toEqual({ distance: 3 })
    expect(moved('right', from, 10, 16)).toEqual({ distance: 1 })
    expect(moved('first', from, 10, 16)).toEqual({ distance: 5 })
    expect(moved('last', from, 10, 16)).toEqual({ distance: -4 })
    expect(moved('pageDown', from, 10, 16)).toEqual({ distance: -4 })
    expect(moved('up', from, 10, 16)).toEqual({ pair: 1 })
    expect(moved('down', { ...from, pair: 15 }, 10, 16)).toEqual({ pair: 15 })
    expect(moved('leave', from, 10, 16)).toEqual({ pair: null })
    expect(moved(undefined, from, 10, 16)).toBeUndefined()
  })

  it('stay within the text, and of a causal head behind', () => {
    expect(moved('left', { ...from, key: 0 }, 10, 16)).toEqual({ distance: 5 })
    expect(moved('last', { ...from, causal: true }, 10, 16)).toEqual({ distance: 0 })
  })
})

describe('what is told', () => {
  const foretold = (correlation: number) => ({
    pairs,
    correlation,
    scores: new Float64Array(433).fill(2),
    weights: curves(217).foretold,
    query: new Float64Array(0),
    key: new Float64Array(0),
  })

  it('is a headline by what was measured', () => {
    const told = (correlation: number, found = curves(217)) =>
      headlineOf('2.6', found, foretold(correlation), 215, text).title
    expect(headlineOf('2.6', curves(217), foretold(0.97), 215, text)).toEqual({
      title: 'Two averages foretell where head 2.6 looks: one token back.',
      line: 'Measured 0.70 of the weight one token back, foretold 0.80; over 215 queries foretold and real scores correlate at r̄ = 0.97, R = 0.90.',
    })
    expect(told(0.5)).toBe('Averages foretell a part of where head 2.6 looks.')
    expect(told(0.1)).toBe('Averages foretell little of where head 2.6 looks.')
    expect(told(NaN)).toBe('Too few tokens to foretell where head 2.6 looks.')
    const elsewhere = { ...curves(217), measured: curves(217, false, -2).measured }
    expect(told(0.9, elsewhere)).toBe('Two averages foretell most of head 2.6’s scores, but not where it looks most.')
    const near = curves(217, false, -2)
    near.foretold[-1 + 216] = 0.81
    expect(told(0.9, near)).toBe('Two averages foretell where head 2.6 looks: around two tokens ahead.')
  })

  it('are tables in reading order', () => {
    const [distances, byPair] = tablesOf(curves(217), foretold(0.97), shows().theta, text)
    expect(distances?.table.length).toBe(433)
    expect(distances?.table.row(0)).toEqual([216, 'behind', 0.01, 0.01, 0.01, 2])
    expect(distances?.table.row(215)).toEqual([1, 'behind', 0.7, 0.8, 0.01, 2])
    expect(distances?.table.row(216).slice(0, 2)).toEqual([0, 'itself'])
    expect(distances?.table.row(432).slice(0, 2)).toEqual([216, 'ahead'])
    expect(byPair?.table.row(15)).toEqual([15, shows().theta[15], 1, 0.9, 0.9, -1, ''])
    const causal = tablesOf(curves(217, true), foretold(0.97), shows().theta, text)
    expect(causal[0]?.table.length).toBe(217)
    expect(causal[0]?.table.row(216).slice(0, 2)).toEqual([0, 'itself'])
  })
})
