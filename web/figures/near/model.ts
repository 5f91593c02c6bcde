// Curves over all distances, and the smallest bases: what is asked for, and how it is drawn.
import type { Params } from '../../engine/protocol/requests'
import type { DistanceCurves } from '../../engine/protocol/mathematics'
import { chart, thinned, type Chart, type ChartCurve } from '../../charts/chart'
import type { Scene } from '../../charts/marks'
import type { RuledRows } from '../../session/ruled.svelte'

export type Curve = 'bound' | 'cosines' | 'score'
export type Shown = Curve | 'base'

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
export function asksFor(wanted: Wanted): Params<'distanceCurves'> {
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

/** Contexts whose smallest base is asked for. */
export const contexts = [256, 512, 1024, 2048, 4096, 8192] as const

/** The smallest base for each context, and where the ruler's rope stands: context across, base up. */
export function drawBases(
  bases: Float64Array,
  own: { context: number; base: number; name: string },
  { width, height }: { width: number; height: number },
  said: { context: string; up: string; least: string },
): Scene {
  const points = contexts.map((context, index) => [context, bases[index] ?? NaN] as const)
  const known = points.map(([, base]) => base).filter((base) => base > 0)
  const across = { from: Math.min(256, own.context), to: Math.max(8192, own.context) }
  const up = { from: Math.min(100, own.base, ...known), to: Math.max(1e6, own.base, ...known) * 1.5 }
  const plan = chart(
    { x: 0, y: 0, width, height },
    { ...across, name: said.context, log: true, ticks: [...new Set([...contexts, own.context])] },
    { ...up, name: said.up, log: true, written: power },
    [{ points, weight: 2.4, label: said.least }],
  )
  const marks = [...plan.marks]
  points.forEach(([context, base]) => {
    if (!(base > 0)) return
    marks.push({
      kind: 'circle',
      x: plan.x(context),
      y: plan.y(base),
      r: 3.5,
      fill: 'card',
      stroke: 'ink',
      weight: 1.4,
    })
  })
  const [x, y] = [plan.x(own.context), plan.y(own.base)]
  const end = x > (plan.left + plan.right) / 2
  marks.push({ kind: 'circle', x, y, r: 5, fill: 'key' })
  marks.push({
    kind: 'text',
    x: end ? x - 9 : x + 9,
    y: y + 4,
    text: own.name,
    size: 10.5,
    tone: 'key',
    ...(end ? { anchor: 'end' as const } : {}),
  })
  return { width, height, marks }
}

/** Powers of ten as such. */
function power(value: number): string {
  const digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']
  return `10${digits[Math.round(Math.log10(value))] ?? ''}`
}

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

/** Pairs that turn by less from one token to the next than one rounding of a table of cosines in each format. */
export function tooFine(theta: Float64Array): Record<keyof typeof bits, number> {
  const count = (format: keyof typeof bits) => theta.filter((speed) => speed > 0 && speed < 2 ** -bits[format]).length
  return { f16: count('f16'), bf16: count('bf16'), f32: count('f32') }
}
