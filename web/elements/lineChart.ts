// What a line chart draws: scales, ticks that fit, and paths of no more points than can be seen.
import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { plain } from './format'
import { columns, thinTicks } from './labels'

/** Curves are ink, told apart by weight and dash, never by hue. */
export type Stroke = 'strong' | 'plain' | 'dashed' | 'dotted'

/** One value at each whole number from `start`. */
export interface Curve {
  label: string
  start: number
  values: ArrayLike<number>
  stroke: Stroke
}

/** A place on the x axis that is pointed out, on the first curve. */
export interface Marker {
  x: number
  label: string
  tone: 'key' | 'ink'
}

export interface Tick {
  place: number
  text: string
}

/** All in px from the chart's upper left corner. */
export interface ChartLayout {
  left: number
  right: number
  top: number
  bottom: number
  x: ScaleLinear<number, number>
  y: ScaleLinear<number, number>
  xTicks: Tick[]
  yTicks: Tick[]
  /** One SVG path for each curve. */
  paths: string[]
}

/** px a character of the axis font takes, at 11 px. */
const character = 6.4

/** The first and last whole number any curve has a value at. */
export function span(curves: readonly Curve[]): [number, number] {
  const drawn = curves.filter((curve) => curve.values.length > 0)
  if (drawn.length === 0) return [0, 1]
  const first = Math.min(...drawn.map((curve) => curve.start))
  const last = Math.max(...drawn.map((curve) => curve.start + curve.values.length - 1))
  return [first, Math.max(last, first + 1)]
}

/** The least and the greatest value of all curves, with 0 when `fromZero`. */
export function range(curves: readonly Curve[], fromZero: boolean): [number, number] {
  let least = fromZero ? 0 : Infinity
  let greatest = fromZero ? 0 : -Infinity
  for (const { values } of curves) {
    for (let index = 0; index < values.length; index++) {
      const value = values[index] ?? NaN
      if (value < least) least = value
      if (value > greatest) greatest = value
    }
  }
  if (!(least <= greatest)) return [0, 1]
  return least === greatest ? [least - 0.5, greatest + 0.5] : [least, greatest]
}

/** A curve's points, [x, value]; of a long one the least and the greatest of each of `buckets`, so that no peak is lost. */
export function points({ start, values }: Curve, buckets: number): [number, number][] {
  const at = (index: number): [number, number] => [start + index, values[index] ?? NaN]
  if (values.length <= 2 * buckets) return Array.from({ length: values.length }, (_, index) => at(index))
  const kept: [number, number][] = []
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * values.length) / buckets)
    const to = Math.floor(((bucket + 1) * values.length) / buckets)
    let least = from
    let greatest = from
    for (let index = from; index < to; index++) {
      if ((values[index] ?? NaN) < (values[least] ?? NaN)) least = index
      if ((values[index] ?? NaN) > (values[greatest] ?? NaN)) greatest = index
    }
    for (const index of new Set([Math.min(least, greatest), Math.max(least, greatest)])) kept.push(at(index))
  }
  return kept
}

/** A curve's value at x, rounded to a whole number; null where the curve has none. */
export function valueAt({ start, values }: Curve, x: number): number | null {
  return values[Math.round(x) - start] ?? null
}

export function layOutChart(width: number, height: number, curves: readonly Curve[], fromZero: boolean): ChartLayout {
  const top = 34
  const bottom = height - 36
  const y = scaleLinear(range(curves, fromZero), [bottom, top]).nice(8)
  const yValues = y.ticks(Math.max(2, Math.min(6, Math.floor((bottom - top) / 36))))
  const yTicks = yValues.map((value) => ({ place: y(value), text: plain(value) }))
  const left = Math.ceil(Math.max(...yTicks.map((tick) => columns(tick.text) * character), 0)) + 8
  const right = Math.max(width - 12, left + 1)
  const x = scaleLinear(span(curves), [left, right])
  const xValues = x.ticks(Math.max(2, Math.floor((right - left) / 64))).filter(Number.isInteger)
  const texts = xValues.map(plain)
  const fits = thinTicks(xValues.map(x), texts, character, 8)
  const path = line()
    .x(([place]) => x(place))
    .y(([, value]) => y(value))
  return {
    left,
    right,
    top,
    bottom,
    x,
    y,
    xTicks: xValues
      .map((value, index) => ({ place: x(value), text: texts[index] ?? '' }))
      .filter((_, index) => fits[index]),
    yTicks,
    paths: curves.map((curve) => path(points(curve, Math.ceil(right - left))) ?? ''),
  }
}
