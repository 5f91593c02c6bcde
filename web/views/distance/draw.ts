// The picture: weights by distance above, one pair's queries and keys and the list of pairs below. Pure: the same marks are the file's.
import type { Mark, Scene } from '../../charts/marks'
import { chart, chartPlace, distanceIn, type ChartPlace } from './chart'
import { listed, type Curves, type DistanceWords, type Shows } from './model'
import { polar, type PolarPlace } from './polar'

/** Where things lie, in CSS px. */
export interface Layout {
  width: number
  height: number
  chart: ChartPlace
  /** Where the sentence between the two stands: the page sets it as text. */
  sentence: { left: number; top: number; width: number; height: number }
  polar: PolarPlace
  list: { left: number; right: number; top: number; row: number; rows: number }
}

/** Heights of a row in the list of pairs. */
const rows = { least: 15.5, most: 34 }
/** Ticks, ends and their words below the chart. */
const axis = 34
/** Where there is less height, the picture is taller than its room. */
const least = 330
/** From this width on the pair stands beside the chart, not below it. */
const wide = 700
/** Where there is height for the clouds and for as much a pair, the list of pairs stands below the clouds, not beside them. */
const stack = { clouds: 320, pair: 22 }

export function layOut(width: number, room: number, curves: Curves, pairs: number, all: boolean): Layout {
  const height = Math.max(room, least)
  const beside = width >= wide
  const share = beside ? Math.min(height, Math.max(420, width * 0.5)) : Math.min(Math.max(height * 0.46, 150), 260)
  const right = beside ? Math.round(width * 0.56) : width
  const bottom = Math.round(share) - axis
  const lower = beside ? { left: right + 24, top: 4 } : { left: 0, top: bottom + axis + 4 }
  const across = width - lower.left
  const sentence = { ...lower, width: across, height: across < 400 ? 51 : 34 }
  const below = sentence.top + sentence.height + 4
  const stacked = beside && height >= stack.clouds + pairs * stack.pair
  const side = stacked
    ? Math.max(260, Math.min(height - below - pairs * stack.pair, across, 560))
    : Math.max(110, Math.min(height - below, across * 0.48, 260))
  const top = below + 16 + (stacked ? side : 0)
  const row = Math.min(Math.max((height - top) / Math.max(pairs, 1), rows.least), rows.most)
  return {
    width,
    height,
    chart: chartPlace(right, bottom, curves, all),
    sentence,
    polar: { x: lower.left + (stacked ? across : side) / 2, y: below + side / 2, radius: side / 2 - 17 },
    list: {
      left: lower.left + (stacked ? 4 : side + 14),
      right: width,
      top,
      row,
      rows: Math.max(1, Math.floor((height - top) / row + 1e-6)),
    },
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
  const { pairs, pair: chosen } = shows
  const { shown, left: more, most } = listed(pairs, rows, chosen)
  const greatest = Math.max(1e-12, ...pairs.map(({ strength }) => strength))
  const bars = left + 34
  const room = Math.max(24, right - 74 - bars)
  const marks: Mark[] = [
    { kind: 'text', x: left, y: top - 5, text: words.pair },
    { kind: 'text', x: bars, y: top - 5, text: room < 150 ? words.strength : words.strengthFilled },
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
    const middle = y + row / 2
    const text = { kind: 'text', y: middle + 4, face: 'mono', size: 11, tone: 'ink', bold } as const
    if (bold)
      marks.push({ kind: 'rect', x: left - 4, y, width: right - left + 8, height: row, round: 3, fill: 'token' })
    marks.push(
      { ...text, x: left + 20, anchor: 'end', text: String(pair) },
      { kind: 'rect', x: bars, y: middle - 4, width: constant, height: 8, fill: bold ? 'ink' : 'bar' },
      { kind: 'rect', x: bars, y: middle - 4, width, height: 8, stroke: tone, weight: 1 },
      { ...text, x: right, anchor: 'end', text: words.wants(found.wants) },
    )
  })
  if (more > 0) {
    const y = top + shown.length * row + row / 2 + 4
    marks.push({ kind: 'text', x: left, y, text: words.left(more, most), room: right - left })
  }
  return marks
}

/** What is at a point of the picture: a distance, a pair, or nothing. */
export function hit(
  x: number,
  y: number,
  { curves, pairs, pair }: Pick<Shows, 'curves' | 'pairs' | 'pair'>,
  { chart, list }: Layout,
): { distance: number } | { pair: number } | undefined {
  if (x <= chart.right + 8 && y < chart.bottom + axis) return { distance: distanceIn(x, chart, curves) }
  if (x < list.left - 4 || x > list.right + 4 || y < list.top) return undefined
  const found = listed(pairs, list.rows, pair).shown[Math.floor((y - list.top) / list.row)]
  return found === undefined ? undefined : { pair: found }
}
