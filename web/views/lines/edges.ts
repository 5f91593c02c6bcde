// The lines of a head: every weight that is not too small.
import { rowOf, type HeadMap } from '../../charts/attention-map/model'

/** One entry a line. Rows and columns of the map, in the order of the queries. */
export interface Edges {
  query: Uint32Array
  key: Uint32Array
  weight: Float32Array
}

/** Lines of the weights from `least` on. */
export function edgesOf(map: HeadMap, least: number): Edges {
  const [query, key, weight]: [number[], number[], number[]] = [[], [], []]
  for (let at = 0; at < map.positions.length; at++) {
    const row = rowOf(map, at)
    for (let other = 0; other < row.length; other++) {
      const value = row[other] ?? 0
      if (value < least || value <= 0) continue
      query.push(at)
      key.push(other)
      weight.push(value)
    }
  }
  return { query: Uint32Array.from(query), key: Uint32Array.from(key), weight: Float32Array.from(weight) }
}
