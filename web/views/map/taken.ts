// From which token heads take most, over all queries.
import { rowOf, type HeadMap } from './model'

export interface Taken {
  /** The column of the map. */
  key: number
  /** Its part of the sum of all numbers, 0 … 1. */
  share: number
}

/** The key whose column sums to the most; undefined where nothing is taken at all. Numbers must not be negative. */
export function mostTaken(map: HeadMap): Taken | undefined {
  const sums = new Float64Array(map.positions.length)
  map.positions.forEach((_, query) => {
    rowOf(map, query).forEach((value, key) => (sums[key] = (sums[key] ?? 0) + value))
  })
  const total = sums.reduce((sum, one) => sum + one, 0)
  if (!(total > 0)) return undefined
  const key = sums.indexOf(Math.max(...sums))
  return { key, share: (sums[key] ?? 0) / total }
}
