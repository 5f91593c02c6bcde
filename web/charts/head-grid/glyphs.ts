// Small pictures of a head: its weights by distance, or its frequency pairs. All heads share the scale.
import type { HeadByDistance } from '../../engine/protocol/protocol'
import { px } from '../marks'

/** Distances on each side. */
const near = 10
const margin = 3

export interface DistanceGlyph {
  /** SVG paths in a square. */
  area: string
  line: string
  /** x of distance 0. */
  zero: number
  /** The label of the largest weight, if that is large enough and within the picture. */
  peak: { x: number; y: number; weight: number } | undefined
}

/** A larger mean weight is labelled. */
const leastPeak = 0.25

/** Keys behind on the left; heights by the root of the weight. `top`: free px above; `corner`: of the square. */
export function distanceGlyph(
  head: HeadByDistance,
  causal: boolean,
  side: number,
  top: number,
  corner: { x: number; y: number } = { x: 0, y: 0 },
): DistanceGlyph {
  const behind = Math.min(near * (causal ? 2 : 1), head.reach)
  const ahead = causal ? 0 : behind
  const count = behind + ahead + 1
  const bottom = corner.y + side - margin
  const step = (side - 2 * margin) / count
  const y = (weight: number) => bottom - (side - margin - top) * Math.sqrt(Math.min(1, Math.max(0, weight)))
  const x = (distance: number) => corner.x + margin + (behind - distance + 0.5) * step
  const at = (curve: Float64Array, distance: number) => y(curve[distance + head.reach] ?? 0)
  const distances = Array.from({ length: count }, (_, index) => behind - index)
  const peak = peakOfHead(head)
  const bars = distances.map((distance) => {
    const left = x(distance) - step / 2
    return `V${px(at(head.measured, distance))}H${px(left + step)}`
  })
  return {
    area: `M${px(corner.x + margin)},${px(bottom)}${bars.join('')}V${px(bottom)}Z`,
    line: `M${distances.map((distance) => `${px(x(distance))},${px(at(head.predicted, distance))}`).join('L')}`,
    zero: x(0),
    peak:
      peak.weight >= leastPeak && peak.distance <= behind && peak.distance >= -ahead
        ? { x: x(peak.distance), y: y(peak.weight), weight: peak.weight }
        : undefined,
  }
}

/** Strengths of the pairs, pair 0 first, as parts of the strongest pair of all heads, `most`. */
export function pairParts({ strength }: HeadByDistance, most: number): number[] {
  return Array.from(strength, (one) => (most > 0 ? Math.min(1, one / most) : 0))
}

/** The strength of the strongest pair of all heads. */
export function strongest(heads: readonly HeadByDistance[]): number {
  return heads.reduce((most, { strength }) => strength.reduce((most, one) => Math.max(most, one), most), 0)
}

/** The distance with the largest measured weight, and that weight. */
export function peakOfHead({ reach, measured }: HeadByDistance): { distance: number; weight: number } {
  const at = measured.reduce((best, weight, index) => (weight > (measured[best] ?? 0) ? index : best), reach)
  return { distance: at - reach, weight: measured[at] ?? 0 }
}

/** The strongest pair, and its part of the strength of all. */
export function mostUsed({ strength }: HeadByDistance): { pair: number; part: number } {
  const all = strength.reduce((sum, one) => sum + one, 0)
  const pair = strength.reduce((best, one, index) => (one > (strength[best] ?? 0) ? index : best), 0)
  return { pair, part: all > 0 ? (strength[pair] ?? 0) / all : 0 }
}
