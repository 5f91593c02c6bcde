import type { Table } from '../../ui/table'
import type { HeadMap } from '../../charts/attention-map/model'
import type { Edges } from './edges'

/** A row a line. */
export function tableOf(map: HeadMap, edges: Edges | undefined, header: readonly string[]): Table {
  const token = (at: number) => map.names[at] ?? ''
  return {
    header,
    length: edges?.weight.length ?? 0,
    row: (line) => {
      const [query, key] = [edges?.query[line] ?? 0, edges?.key[line] ?? 0]
      const positions = [map.positions[query] ?? 0, map.positions[key] ?? 0] as const
      return [positions[0], token(query), positions[1], token(key), edges?.weight[line] ?? 0]
    },
  }
}
