// Curves over all distances: what is asked for, and how they are drawn.
import type { Asks } from '../../engine/questions'
import type { DistanceCurves } from '../../engine/protocol'
import { chart, thinned, type Chart, type ChartCurve } from '../../marks/chart'
import type { RuledRows } from '../../state/ruled.svelte'

export type Curve = 'bound' | 'cosines' | 'score'

/** Ropes that the ruler's own is laid over: the paper's figure 2, and the base of newer models. */
export const others = [
  { headSize: 128, base: 10_000 },
  { headSize: 128, base: 500_000 },
] as const

export const reaches = [64, 128, 256, 512, 1024, 2048, 4096, 8192] as const

export interface Wanted {
  headSize: number
  base: number
  /** θ of a head, in place of both. */
  theta: Float64Array | undefined
  maxDistance: number
  curve: Curve
  alike: boolean
  aligned: number
  rows: RuledRows
  /** Where the head's rows stand. */
  m: number
  n: number
}

/** Rows that are rotated already are as they were at their distance. */
export function asksFor(wanted: Wanted): Asks<'distanceCurves'> {
  const { theta, headSize, base, rows, m, n, aligned, alike, maxDistance, curve } = wanted
  const own = theta ? { theta: theta.slice() } : { headSize, base }
  return {
    ropes: curve === 'score' ? [own] : [own, ...others],
    maxDistance,
    query: rows.query,
    key: rows.key,
    aligned: rows.rotated ? m - n : aligned,
    alike,
  }
}

/** The same unit vector in every pair. */
export const equalRow = (headSize: number): Float32Array =>
  Float32Array.from({ length: headSize }, (_, at) => (at % 2 === 0 ? 1 : 0))

export const valuesOf = (curves: DistanceCurves, curve: Curve): Float64Array => curves[curve]

export interface NearSaid {
  distance: string
  up: string
  labels: readonly string[]
}

export function drawNear(
  curves: readonly DistanceCurves[],
  curve: Curve,
  marked: number,
  { width, height }: { width: number; height: number },
  said: NearSaid,
): Chart {
  const all = curves.map((one) => valuesOf(one, curve))
  const last = Math.max(1, (all[0]?.length ?? 2) - 1)
  let [least, most] = [0, 0]
  for (const values of all) for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)]
  if (most - least < 1e-9) [least, most] = [-1, 1]
  const looks = [{ weight: 2.4 }, { weight: 1.3 }, { weight: 1.3, dash: '5 3' }]
  const drawn = all.map((values, index): ChartCurve => {
    const label = said.labels[index]
    return { points: thinned(values, width), ...looks[index], ...(label === undefined ? {} : { label }) }
  })
  const x = { from: 0, to: last, name: said.distance }
  const plan = chart({ x: 0, y: 0, width, height }, x, { from: least, to: most * 1.04, name: said.up }, drawn)
  const at = plan.x(Math.min(marked, last))
  plan.marks.push({
    kind: 'line',
    x1: at,
    x2: at,
    y1: plan.top,
    y2: plan.bottom,
    stroke: 'key',
    dash: '2 2',
    weight: 1.4,
  })
  const value = all[0]?.[Math.min(marked, last)]
  if (value !== undefined) plan.marks.push({ kind: 'circle', x: at, y: plan.y(value), r: 4, fill: 'key' })
  return plan
}

/** Significant bits of a number in each format. */
const bits = { f16: 11, bf16: 8, f32: 24 } as const

/** Whether a table of cosines in each format rounds more coarsely than the slowest pair that turns moves from one token to the next. */
export function tooFine(theta: Float64Array): Record<keyof typeof bits, boolean> {
  const slowest = Math.min(...theta.filter((speed) => speed > 0))
  const finer = (format: keyof typeof bits) => slowest < 2 ** -bits[format]
  return { f16: finer('f16'), bf16: finer('bf16'), f32: finer('f32') }
}
