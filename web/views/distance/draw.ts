// The picture: weights by distance above, one pair's queries and keys and the list of pairs below. Pure: the same marks are the file's.
import type { MeanPair } from '../../engine/protocol'
import type { Mark, Scene } from '../../marks/marks'
import type { words } from '../../words/words'
import { chart, chartPlace, distanceIn, type ChartPlace } from './chart'
import { listed, type Clouds, type Curves } from './model'
import { polar } from './polar'

export type DistanceWords = (typeof words)['distance']

export interface Shows {
  curves: Curves
  pairs: readonly MeanPair[]
  /** r̄ */
  correlation: number
  /** In radians per position, (pairs). */
  theta: Float64Array
  /** What scores are multiplied with. */
  scale: number
  clouds: Clouds
  /** The pair whose clouds are shown. */
  pair: number
  /** Of the chosen query and key, query − key. */
  distance: number
  /** The distance that is read: the one pointed at, else where the measured weight is largest. */
  read: number
}

/** Where things lie, in CSS px. */
export interface Layout {
  width: number
  height: number
  chart: ChartPlace
  /** Where the sentence between the two stands: the page sets it as text. */
  sentence: { top: number; height: number }
  polar: { x: number; y: number; radius: number }
  list: { left: number; right: number; top: number; row: number; rows: number }
}

const row = 15.5
/** Ticks, ends and their words below the chart. */
const axis = 34
const sentenceHeight = 34

export function layOut(width: number, height: number, curves: Curves, all: boolean): Layout {
  const bottom = Math.round(Math.min(Math.max(height * 0.43, 130), 250)) - axis
  const top = bottom + axis + 4
  const below = { top: top + sentenceHeight + 4, bottom: height }
  const side = Math.max(110, Math.min(below.bottom - below.top, width * 0.48, 260))
  const list = { left: side + 14, right: Math.min(width, side + 14 + 380), top: below.top + 16, row }
  return {
    width,
    height,
    chart: chartPlace(width, bottom, curves, all),
    sentence: { top, height: sentenceHeight },
    polar: { x: side / 2, y: below.top + side / 2, radius: side / 2 - 17 },
    list: { ...list, rows: Math.max(1, Math.floor((below.bottom - list.top) / row)) },
  }
}

export function draw(shows: Shows, layout: Layout, words: DistanceWords): Scene {
  const marks = [
    ...chart(shows, layout.chart, words),
    ...polar(shows, layout.polar, words),
    ...list(shows, layout.list, words),
  ]
  return { width: layout.width, height: layout.height, marks }
}

function list(shows: Shows, { left, right, top, row, rows }: Layout['list'], words: DistanceWords): Mark[] {
  const { pairs, pair: chosen, scale } = shows
  const { shown, left: more, most } = listed(pairs, rows, chosen)
  const greatest = Math.max(1e-12, ...pairs.map(({ strength }) => strength))
  const bars = left + 34
  const room = Math.max(24, right - 74 - bars)
  const marks: Mark[] = [
    { kind: 'text', x: left, y: top - 5, text: words.pair },
    { kind: 'text', x: bars, y: top - 5, text: words.strength, room: room + 20 },
    { kind: 'text', x: right, y: top - 5, text: words.wanted, anchor: 'end' },
  ]
  shown.forEach((pair, index) => {
    const found = pairs[pair]
    if (!found) return
    const y = top + index * row
    const bold = pair === chosen
    const width = (room * found.strength) / greatest
    const constant = width * found.queryConstancy * found.keyConstancy
    const tone = bold ? 'ink' : 'quiet'
    const text = { kind: 'text', y: y + 11.5, face: 'mono', size: 11, tone: 'ink', bold } as const
    if (bold)
      marks.push({ kind: 'rect', x: left - 4, y, width: right - left + 8, height: row, round: 3, fill: 'token' })
    marks.push(
      { ...text, x: left + 20, anchor: 'end', text: String(pair) },
      { kind: 'rect', x: bars, y: y + 3.5, width: constant, height: row - 7, fill: bold ? 'ink' : 'bar' },
      { kind: 'rect', x: bars, y: y + 3.5, width, height: row - 7, stroke: tone, weight: 1 },
      { ...text, x: right, anchor: 'end', text: words.wants(found.wants) },
    )
  })
  if (more > 0) {
    const y = top + shown.length * row + 11.5
    marks.push({ kind: 'text', x: left, y, text: words.left(more, most * scale), room: right - left })
  }
  return marks
}

/** What is at a point of the picture: a distance, a pair, or nothing. */
export function hit(
  x: number,
  y: number,
  { curves, pairs, pair }: Pick<Shows, 'curves' | 'pairs' | 'pair'>,
  { chart, list, sentence }: Layout,
): { distance: number } | { pair: number } | undefined {
  if (y < sentence.top) return { distance: distanceIn(x, chart, curves) }
  if (x < list.left - 4 || x > list.right + 4 || y < list.top) return undefined
  const found = listed(pairs, list.rows, pair).shown[Math.floor((y - list.top) / list.row)]
  return found === undefined ? undefined : { pair: found }
}
