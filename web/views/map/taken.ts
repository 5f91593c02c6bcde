// From which token heads take most, over all queries.
import { rowOf, type HeadMap } from '../../charts/attention-map/model'

export interface Taken {
  /** The column of the map. */
  key: number
  /** Its part of the sum of all numbers, 0 … 1. */
  share: number
}

/** The key whose column sums to the most; undefined where nothing is taken at all. Numbers must not be negative. */
export function mostTaken(map: HeadMap): Taken | undefined {
  const sums = new Float64Array(map.positions.length)
  for (let query = 0; query < map.positions.length; query++) {
    const row = rowOf(map, query)
    for (let key = 0; key < row.length; key++) sums[key] = (sums[key] ?? 0) + (row[key] ?? 0)
  }
  const total = sums.reduce((sum, one) => sum + one, 0)
  if (!(total > 0)) return undefined
  const key = sums.indexOf(Math.max(...sums))
  return { key, share: (sums[key] ?? 0) / total }
}
