// Curves over all distances, and the smallest bases.
import { chart, thinned, type Chart, type ChartCurve } from '../../charts/chart'
import type { Scene } from '../../charts/marks'
import { contexts, nameOf, type Curves, type OwnBase } from './data.svelte'
import { t } from './messages.en'

/** The smallest base for each context, and where the ruler's rope stands: context across, base up. */
export function drawBases(
  bases: Float64Array,
  own: OwnBase,
  { width, height }: { width: number; height: number },
): Scene {
  const points = contexts.map((context, index) => [context, bases[index] ?? NaN] as const)
  const known = points.map(([, base]) => base).filter((base) => base > 0)
  const across = { from: Math.min(256, own.context), to: Math.max(8192, own.context) }
  const up = { from: Math.min(100, own.base, ...known), to: Math.max(1e6, own.base, ...known) * 1.5 }
  const plan = chart(
    { x: 0, y: 0, width, height },
    { ...across, name: t().context, log: true, ticks: [...new Set([...contexts, own.context])] },
    { ...up, name: t().base, log: true, written: power },
    [{ points, weight: 2.4, label: t().leastBase }],
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
    text: nameOf(own.rope),
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

export function drawNear(
  { curves, curve, labels, last, marked }: Curves,
  { width, height }: { width: number; height: number },
): Chart {
  const all = curves.map((one) => one[curve])
  let [least, most] = [0, 0]
  for (const values of all) for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)]
  if (most - least < 1e-9) [least, most] = [-1, 1]
  const looks = [{ weight: 2.4 }, { weight: 1.3 }, { weight: 1.3, dash: '5 3' }]
  const drawn = all.map((values, index): ChartCurve => {
    const label = curves.length > 1 ? labels[index] : undefined
    return { points: thinned(values, width), ...looks[index], ...(label === undefined ? {} : { label }) }
  })
  const x = { from: 0, to: last, name: t().distance, integers: true }
  const plan = chart({ x: 0, y: 0, width, height }, x, { from: least, to: most * 1.04, name: t().up[curve] }, drawn)
  const at = plan.x(marked)
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
  const value = all[0]?.[marked]
  if (value !== undefined) plan.marks.push({ kind: 'circle', x: at, y: plan.y(value), r: 4, fill: 'key' })
  return plan
}
