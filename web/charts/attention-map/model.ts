// The numbers of a map, with or without special tokens, and its masked cells.
import type { Table } from '../../ui/table'

/** A cell, by its row and its column. */
export interface Place {
  query: number
  key: number
}

export interface HeadMap {
  /** The positions of its tokens in the text, one a row and a column. */
  positions: readonly number[]
  /** Their texts. */
  names: readonly string[]
  /** (tokens, tokens), row-major: queries down, keys across. */
  values: Float32Array
  /** Whether a token sees only itself and those before it. */
  causal: boolean
}

export interface MapOf {
  /** (length, length) */
  values: Float32Array
  /** One a token of the text. */
  names: readonly string[]
  causal: boolean
  /** Tokens to leave out, by position. */
  hidden?: ReadonlySet<number>
  /** Whether rows are scaled to sum to 1 again without the hidden tokens. */
  renormalise?: boolean
}

export function headMap({ values, names, causal, hidden, renormalise = false }: MapOf): HeadMap {
  const length = names.length
  if (!hidden || hidden.size === 0) {
    return { positions: names.map((_, position) => position), names, values, causal }
  }
  const positions = names.flatMap((_, position) => (hidden.has(position) ? [] : [position]))
  const size = positions.length
  const square = new Float32Array(size * size)
  positions.forEach((query, row) => {
    const start = query * length
    let sum = 0
    positions.forEach((key, column) => {
      const value = values[start + key] ?? 0
      square[row * size + column] = value
      sum += value
    })
    if (renormalise && sum > 0) {
      for (let column = row * size; column < (row + 1) * size; column++) square[column] = (square[column] ?? 0) / sum
    }
  })
  return { positions, names: positions.map((position) => names[position] ?? ''), values: square, causal }
}

export const sizeOf = ({ positions }: HeadMap): number => positions.length

/** Whether the mask hides this key from this query. */
export const forbids = ({ causal }: Pick<HeadMap, 'causal'>, { query, key }: Place): boolean => causal && key > query

export function valueAt({ values, positions }: HeadMap, { query, key }: Place): number {
  return values[query * positions.length + key] ?? 0
}

/** The numbers of one query over the keys that it sees. */
export function rowOf({ values, positions, causal }: HeadMap, query: number): Float32Array {
  const start = query * positions.length
  return values.subarray(start, start + (causal ? query + 1 : positions.length))
}

/** The cell of a query and a key of the text; null where one of them is left out. */
export function cellOf({ positions }: HeadMap, place: Place): Place | null {
  const [query, key] = [positions.indexOf(place.query), positions.indexOf(place.key)]
  return query < 0 || key < 0 ? null : { query, key }
}

/** The greatest magnitude of all cells that the mask allows. */
export function reachOf(map: HeadMap): number {
  let most = 0
  for (let query = 0; query < map.positions.length; query++) {
    const row = rowOf(map, query)
    for (let key = 0; key < row.length; key++) most = Math.max(most, Math.abs(row[key] ?? 0))
  }
  return most
}

/** The cell with the greatest magnitude within `radius` of a place: the one that a pixel of many cells shows. */
export function greatestAround(map: HeadMap, { query, key }: Place, radius: number): Place {
  const last = map.positions.length - 1
  let best = { query, key }
  let most = forbids(map, best) ? -1 : Math.abs(valueAt(map, best))
  for (let row = Math.max(0, query - radius); row <= Math.min(last, query + radius); row++) {
    for (let column = Math.max(0, key - radius); column <= Math.min(last, key + radius); column++) {
      const place = { query: row, key: column }
      const value = forbids(map, place) ? -1 : Math.abs(valueAt(map, place))
      if (value > most) {
        most = value
        best = place
      }
    }
  }
  return best
}

/** A key of a row in its ranking. */
export interface Ranked {
  key: number
  value: number
}

/** 1 for the greatest of the row; equal numbers share the better rank. */
export function rank(row: Float32Array, key: number): number {
  const value = row[key] ?? 0
  return row.reduce((better, other) => better + (other > value ? 1 : 0), 1)
}

/** The `count` greatest, greatest first, ties to the earlier key. */
export function greatest(row: Float32Array, count: number): Ranked[] {
  return Array.from(row, (value, key) => ({ key, value }))
    .sort((a, b) => b.value - a.value || a.key - b.key)
    .slice(0, count)
}

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
