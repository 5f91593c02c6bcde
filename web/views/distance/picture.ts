// Weights by distance, one pair's queries and keys before rotation, and the list of pairs.
import { roundStep, widthOf } from '../../charts/labels'
import { px, type Mark, type Scene, type Text } from '../../charts/marks'
import type { Sentence } from '../../i18n/rich'
import { chartPlace, distanceIn, drawChart, type ChartPlace } from './chart'
import type { ParamsOf } from '../../viewstate/fields'
import type { Inputs } from '../module'
import type { params } from '.'
import { listPairs, pictureOf, type Answer, type Cloud, type Curves, type DistancePicture } from './data'
import { t } from './messages.en'

/** In CSS px. */
interface PolarPlace {
  x: number
  y: number
  radius: number
}

/** In CSS px. */
interface DistanceLayout {
  width: number
  height: number
  chart: ChartPlace
  /** The sentence between the two, which the page writes as text. */
  sentence: { left: number; top: number; width: number; height: number }
  polar: PolarPlace
  list: { left: number; right: number; top: number; row: number; rows: number }
}

/** From a pair's number to its bar, the longest bar, and from there to the end of a row. */
const listColumns = { bar: 34, longest: 360, match: 74 }
/** Heights of a row in the list of pairs. */
const rows = { least: 15.5, most: 34 }
/** Ticks and labels below the chart. */
const axis = 34
/** The picture is at least this high. */
const least = 330
/** From this width on the pair is beside the chart, not below it. */
const wide = 700
/** With height for the clouds and for every pair, the list is below the clouds, not beside them. */
const stack = { clouds: 320, pair: 22 }

export function layOut(width: number, room: number, curves: Curves, pairs: number, all: boolean): DistanceLayout {
  const height = Math.max(room, least)
  const isWide = width >= wide
  const share = isWide ? Math.min(height, Math.max(420, width * 0.5)) : Math.min(Math.max(height * 0.46, 150), 260)
  const right = isWide ? Math.round(width * 0.56) : width
  const bottom = Math.round(share) - axis
  const lower = isWide ? { left: right + 24, top: 4 } : { left: 0, top: bottom + axis + 4 }
  const across = width - lower.left
  const sentence = { ...lower, width: across, height: across < 400 ? 51 : 34 }
  const below = sentence.top + sentence.height + 4
  const stacked = isWide && height >= stack.clouds + pairs * stack.pair
  const side = stacked
    ? Math.max(260, Math.min(height - below - pairs * stack.pair, across, 560))
    : Math.max(110, Math.min(height - below, across * 0.48, 260))
  const top = below + 16 + (stacked ? side : 0)
  const row = Math.min(Math.max((height - top) / Math.max(pairs, 1), rows.least), rows.most)
  // Below the clouds the list has their middle.
  const wideList = listColumns.bar + listColumns.longest + listColumns.match
  const left = lower.left + (stacked ? Math.max(4, (across - wideList) / 2) : side + 14)
  return {
    width,
    height,
    chart: chartPlace(right, bottom, curves, all),
    sentence,
    polar: { x: lower.left + (stacked ? across : side) / 2, y: below + side / 2, radius: side / 2 - 17 },
    list: {
      left,
      right: Math.min(width, left + wideList),
      top,
      row,
      rows: Math.max(1, Math.floor((height - top) / row + 1e-6)),
    },
  }
}

/** The picture with what is below the pointer, and with what is selected: only that is hit, so a list of pairs does not move under the pointer. */
export function place(
  answer: Answer,
  { cursor, pointer, params: { reach }, width, height }: Inputs<ParamsOf<typeof params>>,
): { picture: DistancePicture; selected: DistancePicture; layout: DistanceLayout } {
  const { curves, predicted } = answer
  const layout = layOut(width, height, curves, predicted.pairs.length, reach === 'all')
  const selected = pictureOf(answer, cursor)
  const hit = pointer && hitAt(pointer.x, pointer.y, selected, layout)
  return { picture: hit ? pictureOf(answer, cursor, hit) : selected, selected, layout }
}

/** The sentence about the pair, and the switch between near and all distances. */
export interface DistanceDrawing {
  height: number
  why: { sentence: Sentence; box: DistanceLayout['sentence'] }
  /** CSS px. */
  chartRight: number
  farthest: number
  showsAll: boolean
  /** Whether the chart leaves some distances out. */
  hasMore: boolean
}

export function drawingOf(
  { pair, pairs, theta, curves }: DistancePicture,
  { height, sentence, chart }: DistanceLayout,
  showsAll: boolean,
): DistanceDrawing {
  const { phase = 0, wants = NaN } = pairs[pair] ?? {}
  const farthest = curves.length - 1
  return {
    height,
    why: { sentence: t().why(pair, theta[pair] ?? 0, -phase, wants), box: sentence },
    chartRight: chart.right,
    farthest,
    showsAll,
    hasMore: chart.behind < farthest,
  }
}

export function drawDistance(picture: DistancePicture, layout: DistanceLayout): Scene {
  const marks = [...drawChart(picture, layout.chart), ...polar(picture, layout.polar), ...list(picture, layout.list)]
  return { width: layout.width, height: layout.height, marks }
}

function list(picture: DistancePicture, { left, right, top, row, rows }: DistanceLayout['list']): Mark[] {
  const { pairs, pair: selected } = picture
  const { pairs: listed, others, most } = listPairs(pairs, rows, selected)
  const greatest = Math.max(1e-12, ...pairs.map(({ strength }) => strength))
  const bars = left + listColumns.bar
  const room = Math.max(24, right - listColumns.match - bars)
  const marks: Mark[] = [
    { kind: 'text', x: left, y: top - 5, text: t().pair },
    { kind: 'text', x: bars, y: top - 5, text: room < 150 ? t().strength : t().strengthFilled },
    { kind: 'text', x: right, y: top - 5, text: t().match, anchor: 'end' },
  ]
  listed.forEach((pair, index) => {
    const found = pairs[pair]
    if (!found) return
    const y = top + index * row
    const bold = pair === selected
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
      { ...text, x: right, anchor: 'end', text: t().wants(found.wants) },
    )
  })
  if (others > 0) {
    const y = top + listed.length * row + row / 2 + 4
    marks.push({ kind: 'text', x: left, y, text: t().others(others, most), room: right - left })
  }
  return marks
}

/** CSS px of a tick's number besides its digits, and of a digit. */
const tickRoom = 14
const digit = 7
const dot = 1.4
/** A smaller ring has no labels. */
const labelledRadius = 55
/** CSS px of a hand's label, and from the ring to one. */
const nameRoom = 50
const nameGap = 12

interface Coordinates {
  x: number
  y: number
}

/** One pair's queries and keys before rotation. Up is the mean query, left is back: the ring is a ruler of distances. */
function polar(
  { clouds, theta, pair }: Pick<DistancePicture, 'clouds' | 'theta' | 'pair'>,
  { x, y, radius }: PolarPlace,
): Mark[] {
  const speed = theta[pair] ?? 0
  const stretch = clouds.longest > 0 ? (radius * 0.94) / clouds.longest : 0
  const on = (point: Coordinates) => ({ x: x - point.y * stretch, y: y - point.x * stretch })
  const marks: Mark[] = [
    { kind: 'circle', x, y, r: radius, stroke: 'edge', weight: 1 },
    { kind: 'circle', x, y, r: radius / 2, stroke: 'rule', weight: 1 },
    ...ruler(speed, { x, y, radius }),
  ]
  const cloud = ({ x: along, y: across }: Cloud, tone: 'query' | 'key'): Mark => ({
    kind: 'path',
    d: dots(Array.from(along, (x, index) => on({ x, y: across[index] ?? 0 }))),
    fill: tone,
    opacity: 0.42,
  })
  const hand = ({ mean }: Cloud, tone: 'query' | 'key', weight: number): Mark => {
    const end = on(mean)
    return { kind: 'line', x1: x, y1: y, x2: end.x, y2: end.y, stroke: tone, weight }
  }
  marks.push(
    cloud(clouds.key, 'key'),
    cloud(clouds.query, 'query'),
    // Where the two coincide, the wide one below shows at both sides.
    hand(clouds.key, 'key', 4),
    hand(clouds.query, 'query', 2),
    { kind: 'circle', x, y, r: 2, fill: 'ink' },
  )
  if (radius >= labelledRadius) marks.push(...names(on(clouds.query.mean), on(clouds.key.mean), { x, y, radius }))
  if (speed !== 0 && radius >= labelledRadius) {
    const below = y + radius + 13
    marks.push(
      { kind: 'text', x: x - radius - 16, y: below, text: t().back },
      { kind: 'text', x: x + radius + 16, y: below, text: t().forth, anchor: 'end' },
    )
  }
  return marks
}

/** Labels of the two hands, each on the side away from the other hand; below its end, or both below the middle, where there is no room. */
function names(query: Coordinates, key: Coordinates, { x, y, radius }: PolarPlace): Mark[] {
  const [left, right] = [x - radius, x + radius]
  if (widthOf(t().queries, 11) > radius - nameGap) {
    const name = { kind: 'text', x, anchor: 'middle', bold: true } as const
    return [
      { ...name, y: y + radius * 0.4, text: t().queries, tone: 'query' },
      { ...name, y: y + radius * 0.4 + 15, text: t().allKeys, tone: 'key' },
    ]
  }
  const keysLeft = key.x <= query.x
  const name = ({ x, y }: Coordinates, before: boolean): Pick<Text, 'x' | 'y' | 'anchor'> => {
    if (before && x - left < nameRoom) return { x: Math.min(left + 3, x - 10), y: y + 24, anchor: 'start' }
    if (before) return { x: x - 7, y: y + 4, anchor: 'end' }
    if (right - x < nameRoom) return { x: Math.max(right - 3, x + 10), y: y + 24, anchor: 'end' }
    // Below the number of a tick that a long name would reach.
    return { x: x + 7, y: y + 16, anchor: 'start' }
  }
  return [
    { kind: 'text', ...name(query, !keysLeft), text: t().queries, tone: 'query', bold: true },
    { kind: 'text', ...name(key, keysLeft), text: t().allKeys, tone: 'key', bold: true },
  ]
}

/** Ticks where a query comes to after so many tokens, up to half a turn. */
function ruler(speed: number, { x, y, radius }: PolarPlace): Mark[] {
  const marks: Mark[] = []
  const tick = (away: number, side: 1 | -1) => {
    const angle = side * away * speed
    const at = (r: number) => ({ x: x - Math.sin(angle) * r, y: y - Math.cos(angle) * r })
    const [inner, outer, text] = [at(radius - 4), at(radius + 4), at(radius + 11)]
    marks.push(
      { kind: 'line', x1: inner.x, y1: inner.y, x2: outer.x, y2: outer.y, stroke: 'ink', weight: 1.3 },
      {
        kind: 'text',
        x: text.x,
        y: text.y + 4,
        text: t().ringTick(away),
        anchor: 'middle',
        face: 'mono',
        size: 10.5,
      },
    )
  }
  tick(0, 1)
  if (!(speed > 0)) return marks
  const fits = (every: number) => tickRoom + digit * t().ringTick(every * 5).length
  const every = roundStep(fits(tickRoom / (radius * speed)) / (radius * speed))
  for (let away = every; away * speed <= Math.PI; away += every) {
    tick(away, 1)
    // Near half a turn the two sides meet.
    if ((2 * Math.PI - 2 * away * speed) * radius >= fits(away)) tick(away, -1)
  }
  return marks
}

/** Small discs, as one path. */
function dots(places: readonly Coordinates[]): string {
  const arc = `a${dot},${dot} 0 1,0 ${2 * dot},0a${dot},${dot} 0 1,0 ${-2 * dot},0`
  return places.map(({ x, y }) => `M${px(x - dot)},${px(y)}${arc}`).join('')
}

/** The distance or the pair at a place. */
export function hitAt(
  x: number,
  y: number,
  { curves, pairs, pair }: Pick<DistancePicture, 'curves' | 'pairs' | 'pair'>,
  { chart, list }: DistanceLayout,
): { distance: number } | { pair: number } | undefined {
  if (x <= chart.right + 8 && y < chart.bottom + axis) return { distance: distanceIn(x, chart, curves) }
  if (x < list.left - 4 || x > list.right + 4 || y < list.top) return undefined
  const found = listPairs(pairs, list.rows, pair).pairs[Math.floor((y - list.top) / list.row)]
  return found === undefined ? undefined : { pair: found }
}
