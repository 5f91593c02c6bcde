// The order of the heads within their layers, and their bars.
import { partOf, sortedBy, type MeasuredHead, type StatisticId } from '../../session/headStatistics'

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
