// The long-term decay of the paper's figure 2: which curves are drawn, what its sliders offer, and what the curves do, in words.
import { count, score } from '../../elements/format'
import type { Curve, Stroke } from '../../elements/lineChart'
import { decadeStops, linearStops, octaveStops } from '../../elements/stops'

export interface DecayCurve {
  label: string
  headSize: number
  /** Undefined where the frequencies follow from no base. */
  base: number | undefined
  /** The bound at distances 0 … maxDistance. */
  bound: Float64Array
}

export const headSizes = linearStops(2, 256, 2)
export const bases = decadeStops(2, 6.5, 20)
export const distances = octaveStops(32, 8192, 4)

const strokes: readonly Stroke[] = ['strong', 'dashed', 'plain', 'dotted']

/** A curve's name with what it depends on. */
export function title({ label, headSize, base }: DecayCurve): string {
  return `${label}: d = ${headSize}${base === undefined ? '' : `, base ${count(base)}`}`
}

export function drawn(curves: readonly DecayCurve[]): Curve[] {
  return curves.map((curve, index) => ({
    label: title(curve),
    start: 0,
    values: curve.bound,
    stroke: strokes[index % strokes.length] ?? 'plain',
  }))
}

/** Where a curve begins and ends and where it is lowest: it need not fall steadily. */
export function courseWords({ label, bound }: DecayCurve): string {
  const end = bound.length - 1
  if (end < 1) return ''
  let least = 0
  for (let distance = 0; distance <= end; distance++) {
    if ((bound[distance] ?? NaN) < (bound[least] ?? NaN)) least = distance
  }
  const course = `${label}: ${score(bound[0] ?? NaN)} at distance 0, ${score(bound[end] ?? NaN)} at ${count(end)}`
  return least === end
    ? `${course}, its lowest.`
    : `${course}; lowest at ${count(least)}, ${score(bound[least] ?? NaN)}.`
}
