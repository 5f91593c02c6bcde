// A chart as marks: two axes, linear or logarithmic, and curves that differ by weight and dash.
import { scaleLinear, scaleLog, type ScaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { plain } from '../i18n/numbers'
import { thinTicks, widthOf } from './labels'
import type { Point } from '../ui/pointer'
import type { Box, Mark, Tone } from './marks'

export interface ChartCurve {
  /** [x, y]; a y of NaN is a gap. */
  points: readonly (readonly [number, number])[]
  weight?: number
  dash?: string
  tone?: Tone
  /** The label at its end, or where it is farthest from the others. */
  label?: string
}

export interface ChartAxis {
  from: number
  to: number
  name: string
  log?: boolean
  /** Ticks instead of round values. */
  ticks?: readonly number[]
  /** No ticks between whole numbers: of positions, distances, layers. */
  integers?: boolean
  format?: (value: number) => string
}

interface ChartBox extends Box {
  /** Room for the labels on the left; by default as much as they take. */
  margin?: number
}

export interface Chart {
  left: number
  right: number
  top: number
  bottom: number
  x: (value: number) => number
  y: (value: number) => number
  /** The value under x px. */
  at: (px: number) => number
  marks: Mark[]
}

const size = 10.5

/** A line across the chart at each tick of its y axis, with the number on its left. */
export function gridLines(
  { left, right }: Pick<Chart, 'left' | 'right'>,
  ticks: readonly number[],
  y: (value: number) => number,
  /** `base`: the tick on the x axis. `away`: px between number and line. */
  {
    format = plain,
    base = 0,
    face = 'sans',
    away = 5,
  }: { format?: (value: number) => string; base?: number; face?: 'sans' | 'mono'; away?: number } = {},
): Mark[] {
  return ticks.flatMap((value): Mark[] => {
    const text = { x: left - away, y: y(value) + (face === 'mono' ? 4 : 3.5), text: format(value) }
    return [
      { kind: 'line', x1: left, x2: right, y1: y(value), y2: y(value), stroke: value === base ? 'edge' : 'rule' },
      { kind: 'text', ...text, anchor: 'end', face, size },
    ]
  })
}

/** About so many round values, but at least two: one alone gives no measure. */
export function roundTicks(scale: Pick<ScaleLinear<number, number>, 'ticks'>, count: number): number[] {
  const most = count + 8
  for (let more = count; more < most; more++) {
    const ticks = scale.ticks(more)
    if (ticks.length > 1) return ticks
  }
  return scale.ticks(most)
}

const scaleOf = ({ from, to, log = false }: ChartAxis, start: number, end: number) =>
  log ? scaleLog([from, to], [start, end]) : scaleLinear([from, to], [start, end])

function ticksOf(axis: ChartAxis, scale: ReturnType<typeof scaleOf>, most: number): number[] {
  if (axis.ticks) return [...axis.ticks]
  const ticks = scale.ticks(most).filter((value) => !axis.integers || Number.isInteger(value))
  // A logarithmic axis has powers of ten only.
  return ticks.filter((value) => !axis.log || Math.abs(Math.log10(value) % 1) < 1e-9)
}

/** The chart in its box; the first curve is on top. `labels`: `clear` of other curves, for curves that meet at their ends. */
export function chart(
  box: ChartBox,
  xAxis: ChartAxis,
  yAxis: ChartAxis,
  curves: readonly ChartCurve[],
  labels: 'ends' | 'clear' = 'ends',
): Chart {
  const top = box.y + 20
  const bottom = box.y + box.height - 34
  const y = scaleOf(yAxis, bottom, top)
  const yTicks = ticksOf(yAxis, y, Math.max(2, Math.min(6, Math.floor((bottom - top) / 34))))
  const format = yAxis.format ?? plain
  const yWidths = yTicks.map((value) => widthOf(format(value), size))
  const left = box.x + (box.margin ?? Math.ceil(Math.max(...yWidths, 0)) + 8)
  const right = Math.max(left + 20, box.x + box.width - 8)
  const x = scaleOf(xAxis, left, right)
  const marks = gridLines({ left, right }, yTicks, y, { format })
  const xTicks = ticksOf(xAxis, x, Math.max(2, Math.floor((right - left) / 70)))
  const xTexts = xTicks.map(xAxis.format ?? plain)
  const xWidths = xTexts.map((text) => widthOf(text, size))
  // A text at an end of the axis is moved into the box.
  const places = xTicks.map((value, index) => {
    const half = (xWidths[index] ?? 0) / 2
    return Math.min(Math.max(x(value), box.x + half), box.x + box.width - half)
  })
  const fits = thinTicks(places, xWidths, 8)
  xTicks.forEach((value, index) => {
    if (!fits[index]) return
    marks.push({ kind: 'line', x1: x(value), x2: x(value), y1: bottom, y2: bottom + 4, stroke: 'edge' })
    marks.push({
      kind: 'text',
      x: places[index] ?? NaN,
      y: bottom + 15,
      text: xTexts[index] ?? '',
      size,
      anchor: 'middle',
    })
  })
  marks.push({ kind: 'line', x1: left, x2: right, y1: bottom, y2: bottom, stroke: 'edge' })
  marks.push({ kind: 'text', x: box.x, y: box.y + 11, text: yAxis.name, size, room: box.width })
  marks.push({ kind: 'text', x: right, y: bottom + 29, text: xAxis.name, size, anchor: 'end', room: box.width })
  const path = line<readonly [number, number]>()
    .defined(([, value]) => Number.isFinite(value))
    .x(([place]) => x(place))
    .y(([, value]) => y(value))
  for (const { points, weight = 1.4, dash, tone = 'ink' } of [...curves].reverse()) {
    const d = path([...points]) ?? ''
    marks.push({ kind: 'path', d, stroke: tone, weight, ...(dash === undefined ? {} : { dash }) })
  }
  return {
    left,
    right,
    top,
    bottom,
    x,
    y,
    at: (px) => x.invert(px),
    marks: [...marks, ...names(curves, x, y, { left, right, top, bottom }, labels)],
  }
}

/** The curves' names, above them where there is room, without overlaps. */
function names(
  curves: readonly ChartCurve[],
  x: (value: number) => number,
  y: (value: number) => number,
  { left, right, top, bottom }: Pick<Chart, 'left' | 'right' | 'top' | 'bottom'>,
  labels: 'ends' | 'clear',
): Mark[] {
  const nameBoxes: { from: number; to: number; y: number }[] = []
  const inPixels = curves.map(({ points }) =>
    points.flatMap(([at, value]) => (Number.isFinite(value) ? [{ x: x(at), y: y(value) }] : [])),
  )
  return curves.flatMap(({ label, tone = 'ink', weight = 1.4 }, index): Mark[] => {
    const own = inPixels[index] ?? []
    const last = own.at(-1)
    if (label === undefined || !last) return []
    const others = inPixels.filter((_, other) => other !== index)
    const stands = labels === 'ends' ? last : farthest(own, others)
    const room = Math.min(widthOf(label, size), right - left)
    const end = Math.max(left + room, Math.min(stands.x + (stands === last ? 0 : room / 2), right))
    let place = Math.min(Math.max(stands.y - 5, top + 8), bottom - 4)
    const neighbours = nameBoxes.filter(({ from, to }) => from < end && to > end - room)
    const free = (at: number) =>
      at >= top + 8 && at <= bottom - 4 && neighbours.every(({ y }) => Math.abs(y - at) >= 12)
    const steps = Array.from({ length: curves.length }, (_, step) => 12 * (step + 1))
    // Above its place, or below if that is full.
    place = [place, ...steps.map((step) => place - step), ...steps.map((step) => place + step)].find(free) ?? place
    nameBoxes.push({ from: end - room, to: end, y: place })
    return [
      // A curve behind a name leaves it legible.
      { kind: 'rect', x: end - room - 2, y: place - 10, width: room + 4, height: 14, fill: 'card', opacity: 0.85 },
      {
        kind: 'text',
        x: end,
        y: place,
        text: label,
        size,
        anchor: 'end',
        tone,
        bold: weight > 1.8,
        room: right - left,
      },
    ]
  })
}

/** The distance at which two curves are clearly separate, in px. */
const clear = 40

/** The point nearest to a curve's end that is clear of all others; else the one farthest from them. */
function farthest(own: readonly Point[], others: readonly (readonly Point[])[]): Point {
  let best: Point = own.at(-1) ?? { x: 0, y: 0 }
  let most = -1
  for (const place of [...own].reverse()) {
    const clearance = Math.min(clear, ...others.map((other) => Math.abs(heightAt(other, place.x) - place.y)))
    if (clearance > most) [best, most] = [place, clearance]
  }
  return best
}

/** The interpolated height of a curve at x px; infinite outside of it. */
function heightAt(curve: readonly Point[], x: number): number {
  const after = curve.findIndex((place) => place.x >= x)
  const [before, next] = [curve[after - 1] ?? curve[after], curve[after]]
  if (!before || !next || x < before.x) return Infinity
  const part = next.x === before.x ? 0 : (x - before.x) / (next.x - before.x)
  return before.y + part * (next.y - before.y)
}

/** The least and the greatest point of a curve in each of `buckets` intervals, so that no peak is lost. */
export function thinPoints(values: ArrayLike<number>, buckets: number): [number, number][] {
  const at = (index: number): [number, number] => [index, values[index] ?? NaN]
  if (values.length <= 2 * buckets) return Array.from({ length: values.length }, (_, index) => at(index))
  const points: [number, number][] = []
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * values.length) / buckets)
    const to = Math.floor(((bucket + 1) * values.length) / buckets)
    let [least, most] = [from, from]
    for (let index = from; index < to; index++) {
      if ((values[index] ?? NaN) < (values[least] ?? NaN)) least = index
      if ((values[index] ?? NaN) > (values[most] ?? NaN)) most = index
    }
    for (const index of new Set([Math.min(least, most), Math.max(least, most)])) points.push(at(index))
  }
  return points
}
