// Which heads have maps like one head's.
import type { HeadPlace } from '../../viewstate/choice'
import { samePlace } from '../../session/headStatistics'

export interface Alike extends HeadPlace {
  /** Of the two maps, −1 … 1. */
  correlation: number
}

/** correlations: (layers, heads), NaN where there is none. The most alike first, the head itself left out. */
export function mostAlike(correlations: Float64Array, heads: number, of: HeadPlace, most: number): Alike[] {
  return Array.from(correlations, (correlation, index) => ({
    layer: Math.floor(index / heads),
    head: index % heads,
    correlation,
  }))
    .filter((other) => !Number.isNaN(other.correlation) && !samePlace(other, of))
    .sort((one, other) => other.correlation - one.correlation)
    .slice(0, most)
}
