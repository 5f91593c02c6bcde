// Heads by two of their statistics. Pure: the same marks are the file's.
import { scaleLinear } from 'd3-scale'
import type { HeadPlace } from '../../viewstate/choice'
import type { Mark, Scene } from '../../charts/marks'
import type { words } from '../../i18n/words'
import {
  largest,
  least,
  partOf,
  samePlace,
  statisticOf,
  type MeasuredHead,
  type StatisticId,
} from '../../session/headStatistics'

export type PointsWords = (typeof words)['points']

export interface Axes {
  x: StatisticId
  y: StatisticId
  shade: StatisticId
}

/** A head's point, in CSS px. */
export interface Point {
  head: MeasuredHead
  x: number
  y: number
}

export interface Layout {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
  /** Of a point. */
  radius: number
  points: readonly Point[]
  xTicks: readonly Tick[]
  yTicks: readonly Tick[]
}

interface Tick {
  place: number
  value: number
}

const clear = 9
const margin = { left: 34, right: 14, top: 26, bottom: 40 }

export function layOut(width: number, height: number, heads: readonly MeasuredHead[], { x, y }: Axes): Layout {
  const [left, right, top, bottom] = [margin.left, width - margin.right, margin.top, height - margin.bottom]
  const scale = (id: StatisticId, range: [number, number]) =>
    scaleLinear([least(heads, id), largest(heads, id) || 1], range).nice(5)
  // Points at 0 stand clear of the numbers beside the axes.
  const [across, up] = [scale(x, [left + clear, right]), scale(y, [bottom - clear, top])]
  const ticks = (scale: typeof across, space: number, room: number) =>
    scale.ticks(Math.min(8, Math.max(2, Math.floor(room / space)))).map((value) => ({ value, place: scale(value) }))
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    radius: Math.min(5, Math.max(2.5, Math.sqrt(((right - left) * (bottom - top)) / Math.max(heads.length, 1)) / 12)),
    points: heads.map((head) => ({ head, x: across(head.numbers[x] ?? 0), y: up(head.numbers[y] ?? 0) })),
    xTicks: ticks(across, 56, right - left),
    yTicks: ticks(up, 36, bottom - top),
  }
}

/** Which heads stand out: the chosen one, and the one pointed at. */
export interface Marked {
  chosen: HeadPlace
  looked: HeadPlace
}

export function draw(
  heads: readonly MeasuredHead[],
  axes: Axes,
  layout: Layout,
  marked: Marked,
  words: PointsWords,
): Scene {
  const { width, left, right, top, bottom, points, radius } = layout
  const axis = (id: StatisticId) => words.axis(id, statisticOf(id).unit)
  const marks: Mark[] = layout.yTicks.flatMap(({ place, value }): Mark[] => [
    { kind: 'line', x1: left, x2: right, y1: place, y2: place, stroke: value === 0 ? 'edge' : 'rule', weight: 1 },
    { kind: 'text', x: left - 6, y: place + 4, text: words.tick(value), anchor: 'end', face: 'mono', size: 10.5 },
  ])
  for (const { place, value } of layout.xTicks) {
    marks.push(
      { kind: 'line', x1: place, x2: place, y1: bottom, y2: bottom + 4, stroke: 'edge', weight: 1 },
      { kind: 'text', x: place, y: bottom + 16, text: words.tick(value), anchor: 'middle', face: 'mono', size: 10.5 },
    )
  }
  const shade = words.shade(axes.shade, largest(heads, axes.shade), statisticOf(axes.shade).unit)
  const shadeWidth = shade.length * letter
  marks.push(
    { kind: 'text', x: 2, y: top - 14, text: axis(axes.y), room: right },
    { kind: 'text', x: 2, y: bottom + 32, text: shade },
    { kind: 'text', x: right, y: bottom + 32, text: axis(axes.x), anchor: 'end', room: right - shadeWidth - 10 },
  )
  const part = partOf(heads, axes.shade)
  const isChosen = ({ head }: Point) => samePlace(head, marked.chosen)
  const isLooked = ({ head }: Point) => samePlace(head, marked.looked)
  const order = (point: Point) => (isLooked(point) ? 2 : 0) + (isChosen(point) ? 1 : 0)
  for (const point of [...points].sort((one, other) => order(one) - order(other))) {
    const { x, y, head } = point
    const out = isChosen(point) || isLooked(point)
    const r = out ? radius + 2 : radius
    marks.push(
      { kind: 'circle', x, y, r, fill: 'card' },
      // By the root, as all weights are coloured.
      { kind: 'circle', x, y, r, fill: 'ink', opacity: Math.sqrt(part(head)) * 0.8 },
      { kind: 'circle', x, y, r, stroke: 'ink', weight: isChosen(point) ? 2.6 : out ? 1.6 : 1 },
    )
  }
  return { width, height: layout.height, marks: [...marks, ...labels(layout, marked)] }
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const overlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** So many are tried: of more heads only those that stand apart have room anyway. */
const mostLabels = 160
const character = 6.7
/** px of a letter of the axes' words. */
const letter = 6.2

/** Names of heads where they hide no point and no other name: the chosen one first, then those that stand apart. */
function labels({ points, radius, left, right, top, bottom }: Layout, { chosen, looked }: Marked): Mark[] {
  const middle = {
    x: points.reduce((sum, { x }) => sum + x, 0) / Math.max(points.length, 1),
    y: points.reduce((sum, { y }) => sum + y, 0) / Math.max(points.length, 1),
  }
  const first = ({ head }: Point) => (samePlace(head, looked) ? 2e6 : samePlace(head, chosen) ? 1e6 : 0)
  const apart = (point: Point) => first(point) + Math.hypot(point.x - middle.x, point.y - middle.y)
  const taken: Box[] = points.map(({ x, y }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }))
  const order = points.map((_, index) => index)
  const far = points.map(apart)
  order.sort((one, other) => (far[other] ?? 0) - (far[one] ?? 0))
  return order.slice(0, mostLabels).flatMap((index): Mark[] => {
    const point = points[index]
    if (!point) return []
    const { head, x, y } = point
    const bold = samePlace(head, chosen) || samePlace(head, looked)
    const text = `${head.layer}.${head.head}`
    const width = text.length * character
    const away = radius + (bold ? 5 : 3)
    const places = [
      { left: x + away, top: y - 6 },
      { left: x - away - width, top: y - 6 },
      { left: x - width / 2, top: y - away - 12 },
      { left: x - width / 2, top: y + away },
    ].map((corner) => ({ ...corner, right: corner.left + width, bottom: corner.top + 12 }))
    const inside = (box: Box) =>
      box.left >= left && box.right <= right + 12 && box.top >= top - 10 && box.bottom <= bottom
    const place =
      places.find((box) => inside(box) && !taken.some((other, of) => of !== index && overlap(box, other))) ??
      (bold ? places.find(inside) : undefined)
    if (!place) return []
    taken.push(place)
    return [
      {
        kind: 'text',
        x: place.left,
        y: place.bottom - 2,
        text,
        face: 'mono',
        size: 11,
        tone: bold ? 'ink' : 'quiet',
        bold,
      },
    ]
  })
}

/** px from a point within which it is meant. */
const reach = 14

export function pointAt(x: number, y: number, { points }: Layout): MeasuredHead | undefined {
  let nearest: { head: MeasuredHead; away: number } | undefined
  for (const point of points) {
    const away = Math.hypot(point.x - x, point.y - y)
    if (away <= (nearest?.away ?? reach)) nearest = { head: point.head, away }
  }
  return nearest?.head
}
