import type { Table } from '../../ui/table'
import { forbids, valueAt, type HeadMap } from './model'

/** Queries down, keys across; masked cells are empty. */
export function tableOf(map: HeadMap, corner: string): Table {
  const label = (cell: number) => `${map.positions[cell] ?? ''} ${map.names[cell] ?? ''}`
  return {
    header: [corner, ...map.positions.map((_, key) => label(key))],
    length: map.positions.length,
    row: (query) => [
      label(query),
      ...map.positions.map((_, key) => (forbids(map, { query, key }) ? '' : valueAt(map, { query, key }))),
    ],
  }
}
