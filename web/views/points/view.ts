// All heads as points, by two of their statistics on the text or on a book.
import { headName } from '../../i18n/numbers'
import {
  rankOf,
  statisticOf,
  type MeasuredHead,
  type StatisticId,
  largest,
  least,
  partOf,
} from '../../session/headStatistics.svelte'
import { samePlace, type HeadPlace } from '../../viewstate/choice'
import type { Inputs } from '../module'
import { runCommand } from '../command'
import { Output, type Headline, type Picture } from '../output'
import type { PointsParams } from '.'
import { PointsData, tableOf, tableWidthOf, targetOf, walk, type Axes, type PointsDrawing } from './data.svelte'
import { t } from './messages.en'
import View from './View.svelte'
import { scaleLinear } from 'd3-scale'
import { gridLines } from '../../charts/chart'
import type { Mark, Scene } from '../../charts/marks'
import { t as headMessages } from '../../charts/head-grid/messages.en'

/** The picture is at least this high, unless there is room for nothing else. */
const leastHeight = 190

export { t as messages, View as component }

export const data = (inputs: Inputs<PointsParams>) => new PointsData(inputs)

export function output(inputs: Inputs<PointsParams>, data: PointsData): Output<PointsParams, PointsDrawing> {
  const { run, bench, cursor, params, width, height, isPictureOnly } = inputs
  const { latest, failure } = data.statistics
  const { heads, known, offered, axes, book } = data.points
  const select = (place: HeadPlace | undefined) => place && targetOf({ heads, axes }, place)
  const drawing: PointsDrawing = { heads, known, offered, axes, select, selected: cursor, similar: data.similar }
  if (!run || !axes) {
    const withoutText = failure ? t().noStatistics : t().loading
    return Output.ofNoRun({ message: params.from === 'book' ? t().noBook : withoutText, drawing })
  }
  const table = tableWidthOf(width)
  const layout = layOut(
    width - (table > 0 ? table + 20 : 0),
    isPictureOnly ? height : Math.max(leastHeight, height),
    heads,
    axes,
  )
  const measuredRun = book === undefined ? latest?.request.run : undefined
  const over = book === undefined ? t().overText(measuredRun?.head.length ?? 0) : t().overBook(book)
  const highlight = heads.find((head) => samePlace(head, bench.head))
  const picture: Picture<PointsParams, PointsDrawing> = {
    scene: drawPoints(heads, axes, layout, { selected: cursor, preview: bench.head }),
    drawing,
    label: t().label(heads.length),
    published: {
      headline: highlight && headlineOf(heads, highlight, axes, over),
      parts: measuredRun && samePlace(bench.head, measuredRun.head) ? data.parts : undefined,
      tables: [tableOf(heads, known)],
      subject: '',
      command: measuredRun && runCommand(measuredRun, ['attentions']),
    },
    hit: (x, y) => select(pointAt(x, y, layout)),
    preview: (x, y) => {
      const head = pointAt(x, y, layout)
      return head && { layer: head.layer, head: head.head }
    },
    onAction: (action) => select(walk(action, cursor, heads, axes)),
  }
  return measuredRun ? Output.of(measuredRun, picture) : Output.ofNoRun(picture)
}

/** @param over what the heads were measured on */
export function headlineOf(heads: readonly MeasuredHead[], head: MeasuredHead, { x, y }: Axes, over: string): Headline {
  const differs = [x, y].some((id) => heads.some(({ numbers }) => numbers[id] !== head.numbers[id]))
  if (!differs) return t().headlineEqual(heads.length, over)
  const ranked = (statistic: StatisticId) => ({
    statistic,
    value: head.numbers[statistic] ?? 0,
    unit: statisticOf(statistic).unit,
    ...rankOf(heads, statistic, head),
  })
  return t().headline(headName(head), heads.length, ranked(y), ranked(x), over)
}

/** A head's point, in CSS px. */
interface Point {
  head: MeasuredHead
  x: number
  y: number
}

interface PointsLayout {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
  /** Of a point. */
  radius: number
  points: readonly Point[]
  x: Scale
  y: Scale
}

interface Scale {
  ticks: readonly number[]
  /** Of a value, in CSS px. */
  place: (value: number) => number
}

const inset = 9
const margin = { left: 34, right: 14, top: 26, bottom: 40 }

export function layOut(width: number, height: number, heads: readonly MeasuredHead[], { x, y }: Axes): PointsLayout {
  const [left, right, top, bottom] = [margin.left, width - margin.right, margin.top, height - margin.bottom]
  const scale = (id: StatisticId, range: [number, number]) =>
    scaleLinear([least(heads, id), largest(heads, id) || 1], range).nice(5)
  // A margin that separates points at 0 from the axes' numbers.
  const [across, up] = [scale(x, [left + inset, right]), scale(y, [bottom - inset, top])]
  const scaleIn = (place: typeof across, space: number, room: number): Scale => ({
    ticks: place.ticks(Math.min(8, Math.max(2, Math.floor(room / space)))),
    place,
  })
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    radius: Math.min(5, Math.max(2.5, Math.sqrt(((right - left) * (bottom - top)) / Math.max(heads.length, 1)) / 12)),
    points: heads.map((head) => ({ head, x: across(head.numbers[x] ?? 0), y: up(head.numbers[y] ?? 0) })),
    x: scaleIn(across, 56, right - left),
    y: scaleIn(up, 50, bottom - top),
  }
}

/** The selected head, and the one below the pointer. */
interface Highlights {
  selected: HeadPlace
  preview: HeadPlace
}

export function drawPoints(
  heads: readonly MeasuredHead[],
  axes: Axes,
  layout: PointsLayout,
  highlights: Highlights,
): Scene {
  const { width, right, top, bottom, points, radius } = layout
  const axis = (id: StatisticId) => headMessages().statistics.axis(id, statisticOf(id).unit)
  const { x, y } = layout
  const marks = gridLines(layout, y.ticks, y.place, { format: t().tick, face: 'mono', away: 6 })
  for (const value of x.ticks) {
    const at = x.place(value)
    marks.push(
      { kind: 'line', x1: at, x2: at, y1: bottom, y2: bottom + 4, stroke: 'edge', weight: 1 },
      { kind: 'text', x: at, y: bottom + 16, text: t().tick(value), anchor: 'middle', face: 'mono', size: 10.5 },
    )
  }
  const shade = t().shade(axes.shade, largest(heads, axes.shade), statisticOf(axes.shade).unit)
  const shadeWidth = shade.length * letter
  marks.push(
    { kind: 'text', x: 2, y: top - 14, text: axis(axes.y), room: right },
    { kind: 'text', x: 2, y: bottom + 32, text: shade },
    { kind: 'text', x: right, y: bottom + 32, text: axis(axes.x), anchor: 'end', room: right - shadeWidth - 10 },
  )
  const part = partOf(heads, axes.shade)
  const isSelected = ({ head }: Point) => samePlace(head, highlights.selected)
  const isPreview = ({ head }: Point) => samePlace(head, highlights.preview)
  const order = (point: Point) => (isPreview(point) ? 2 : 0) + (isSelected(point) ? 1 : 0)
  for (const point of [...points].sort((one, other) => order(one) - order(other))) {
    const { x, y, head } = point
    const isHighlight = isSelected(point) || isPreview(point)
    const r = isHighlight ? radius + 2 : radius
    marks.push(
      { kind: 'circle', x, y, r, fill: 'card' },
      // By the square root, as all weights.
      { kind: 'circle', x, y, r, fill: 'ink', opacity: Math.sqrt(part(head)) * 0.8 },
      { kind: 'circle', x, y, r, stroke: 'ink', weight: isSelected(point) ? 2.6 : isHighlight ? 1.6 : 1 },
    )
  }
  return { width, height: layout.height, marks: [...marks, ...labels(layout, highlights)] }
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** CSS px between a name and what is beside, above or below it. */
const gap = { x: 4, y: 1 }

/** Whether there is less than the gap between two boxes. */
const touch = (one: Box, other: Box) =>
  one.left < other.right + gap.x &&
  other.left < one.right + gap.x &&
  one.top < other.bottom + gap.y &&
  other.top < one.bottom + gap.y

/** With more heads, only the outermost have labels. */
const mostLabels = 160
const character = 6.7
/** CSS px of a letter of the axes' labels. */
const letter = 6.2

/** Names of heads that touch no other point and no other name: the highlights first, then the outermost. A highlight's may touch points. */
function labels({ points, radius, left, right, top, bottom }: PointsLayout, { selected, preview }: Highlights): Mark[] {
  const middle = {
    x: points.reduce((sum, { x }) => sum + x, 0) / Math.max(points.length, 1),
    y: points.reduce((sum, { y }) => sum + y, 0) / Math.max(points.length, 1),
  }
  const priority = ({ head, x, y }: Point) => {
    if (samePlace(head, preview)) return Infinity
    return samePlace(head, selected) ? Number.MAX_VALUE : Math.hypot(x - middle.x, y - middle.y)
  }
  const names: Box[] = []
  const circles = points.map(({ x, y }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }))
  const isFree = (box: Box, of: number) => !circles.some((circle, at) => at !== of && touch(box, circle))
  const order = points.map((_, index) => index)
  const far = points.map(priority)
  order.sort((one, other) => (far[other] ?? 0) - (far[one] ?? 0))
  return order.slice(0, mostLabels).flatMap((index): Mark[] => {
    const point = points[index]
    if (!point) return []
    const { head, x, y } = point
    const bold = samePlace(head, selected) || samePlace(head, preview)
    const text = headName(head)
    const width = text.length * character
    const away = radius + (bold ? 5 : 3)
    const places = [
      { left: x + away, top: y - 6 },
      { left: x - away - width, top: y - 6 },
      { left: x - width / 2, top: y - away - 12 },
      { left: x - width / 2, top: y + away },
      { left: x + 2, top: y - away - 11 },
      { left: x + 2, top: y + away - 1 },
      { left: x - 2 - width, top: y - away - 11 },
      { left: x - 2 - width, top: y + away - 1 },
    ].map((corner) => ({ ...corner, right: corner.left + width, bottom: corner.top + 12 }))
    const possible = places.filter(
      (box) =>
        box.left >= left &&
        box.right <= right + 12 &&
        box.top >= top - 10 &&
        box.bottom <= bottom &&
        !names.some((name) => touch(box, name)),
    )
    const place = possible.find((box) => isFree(box, index)) ?? (bold ? possible[0] : undefined)
    if (!place) return []
    names.push(place)
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

/** A click this many CSS px from a point hits it. */
const reach = 14

export function pointAt(x: number, y: number, { points }: PointsLayout): MeasuredHead | undefined {
  let nearest: { head: MeasuredHead; away: number } | undefined
  for (const point of points) {
    const away = Math.hypot(point.x - x, point.y - y)
    if (away <= (nearest?.away ?? reach)) nearest = { head: point.head, away }
  }
  return nearest?.head
}
