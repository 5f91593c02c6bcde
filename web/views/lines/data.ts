// The lines of a head: its weights from a threshold on.
import { rowOf, type Axis, type HeadMap } from '../../charts/attention-map/model'
import { namedTable, type NamedTable } from '../../ui/table'
import { t } from './messages.en'

/** Lines from queries to keys, one entry a line, in the order of the queries. */
export interface Edges {
  query: Uint32Array
  key: Uint32Array
  weight: Float32Array
}

/** @param least the smallest weight that gets a line */
export function edgesOf(map: HeadMap, least: number): Edges {
  const [query, key, weight]: [number[], number[], number[]] = [[], [], []]
  for (let at = 0; at < map.queries.positions.length; at++) {
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

/** One row a line. */
export function tableOf(name: string, map: HeadMap, edges: Edges): NamedTable {
  const cells = ({ positions, names }: Axis, at: number) => [positions[at] ?? 0, names[at] ?? '']
  return namedTable(name, t().header, edges.weight, (weight, line) => [
    ...cells(map.queries, edges.query[line] ?? 0),
    ...cells(map.keys, edges.key[line] ?? 0),
    weight,
  ])
}
