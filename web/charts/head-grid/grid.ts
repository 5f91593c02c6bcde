// The grid of all heads: in integer device pixels, so that thumbnails are equally large and sharp, the order of heads within a layer, and small
// pictures of a head.
import type { Pair } from '../../engine/protocol/parts'
import type { GridView, HeadByDistance } from '../../engine/protocol/protocol'
import { partOf, sortedBy, type MeasuredHead, type StatisticId } from '../../session/headStatistics.svelte'
import type { Point } from '../../ui/pointer'
import { px } from '../marks'

interface GridGeometry {
  /** Side of a thumbnail and space between two, in device pixels, for the engine. */
  cell: number
  gap: number
  /** The same in CSS px. The engine paints squares; in cross-attention they are stretched to the proportion of text and source. */
  cellSide: number
  cellHeight: number
  gapSide: number
  gapHeight: number
  /** The canvas in CSS px. */
  width: number
  height: number
}

/** The least side of a thumbnail in CSS px, for pointers: beyond it the grid scrolls sideways. */
export const leastCell = 22
const greatestCell = 120
/** The least and the greatest height of a thumbnail, as parts of its width. */
const [flattest, tallest] = [0.4, 2.5]
/** The texture size that all WebGPU devices support, in device pixels. */
const greatestSide = 8192

/**
 * The grid of `layers` × `heads` thumbnails in `width` CSS px.
 * Cells do not depend on the text's length, since the grid would jump while someone types.
 *
 * @param aspect height by width of a map: queries / keys
 */
export function layOutGrid(width: number, layers: number, heads: number, ratio: number, aspect = 1): GridGeometry {
  // Many heads have smaller gaps.
  const gap = Math.max(1, Math.round((heads > 10 ? 2 : 3) * ratio))
  const fit = (side: number, count: number) => Math.floor((side - (count - 1) * gap) / count)
  const ideal = Math.min(fit(Math.floor(width * ratio), heads), Math.floor(greatestCell * ratio))
  const least = Math.ceil(leastCell * ratio)
  const cell = Math.max(1, Math.min(Math.max(ideal, least), fit(greatestSide, heads), fit(greatestSide, layers)))
  const side = (count: number) => (count * cell + (count - 1) * gap) / ratio
  // The canvas is stretched, with its gaps.
  const stretch = Math.max(stretchOf(aspect), (leastCell * ratio) / cell)
  return {
    cell,
    gap,
    cellSide: cell / ratio,
    cellHeight: (stretch * cell) / ratio,
    gapSide: gap / ratio,
    gapHeight: (stretch * gap) / ratio,
    width: side(heads),
    height: stretch * side(layers),
  }
}

/** Height by width of a thumbnail. */
export const stretchOf = (aspect: number): number => Math.max(flattest, Math.min(aspect, tallest))

/**
 * Height by width of a map: of cross-attention, which has the text down and its source across, in coarse steps, so that the grid does not
 * move with each typed token.
 */
export const aspectOf = (pair: Pair | undefined): number =>
  pair?.part === 'cross'
    ? 2 ** (Math.round(2 * Math.log2(Math.max(pair.text.length, 1) / Math.max(pair.source.length, 1))) / 2)
    : 1

/** The part of the grid in a window, both in CSS px from the first thumbnail's corner. */
export function gridViewOf(
  { cellSide, cellHeight, gapSide, gapHeight }: GridGeometry,
  grid: { left: number; top: number },
  box: { left: number; top: number; right: number; bottom: number },
): GridView {
  const range = (corner: number, pitch: number, from: number, to: number) => {
    const first = Math.max(0, Math.floor((from - corner) / pitch))
    return [first, Math.max(first, Math.ceil((to - corner) / pitch))] as const
  }
  return {
    layers: range(grid.top, cellHeight + gapHeight, box.top, box.bottom),
    places: range(grid.left, cellSide + gapSide, box.left, box.right),
  }
}

/** The head at each place, (layers, heads): the largest first, within each layer. */
export function orderOf(heads: readonly MeasuredHead[], by: StatisticId): number[] {
  return sortedBy(heads, by, { falling: true, within: true }).map(({ head }) => head)
}

/** Bars by the heads' numbers, (layers, heads): parts of the largest, 0 … 1. */
export function barsOf(heads: readonly MeasuredHead[], by: StatisticId): number[] {
  const part = partOf(heads, by)
  return [...heads].sort((one, other) => one.layer - other.layer || one.head - other.head).map(part)
}

/** The place of a head in its layer; without an order its number. */
export function placeOf(head: number, layer: number, heads: number, order: readonly number[]): number {
  const found = order.slice(layer * heads, (layer + 1) * heads).indexOf(head)
  return found < 0 ? head : found
}

export function headAt(place: number, layer: number, heads: number, order: readonly number[]): number {
  return order[layer * heads + place] ?? place
}

/** Distances on each side. */
const near = 10
const margin = 3

interface DistanceGlyph {
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
  corner: Point = { x: 0, y: 0 },
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
