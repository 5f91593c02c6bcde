// One query's row of weights: its ranking, and its cell in words.

export interface Ranked {
  key: number
  weight: number
}

/** The weights of one query over the keys, (length). */
export function rowOf(attention: Float32Array, length: number, query: number): Float32Array {
  return attention.subarray(query * length, (query + 1) * length)
}

/** 1 for the greatest weight of the row; equal weights share the better rank. */
export function rank(row: Float32Array, key: number): number {
  const weight = row[key] ?? 0
  return row.reduce((better, other) => better + (other > weight ? 1 : 0), 1)
}

/** The `count` greatest weights, greatest first, ties to the earlier key. */
export function greatest(row: Float32Array, count: number): Ranked[] {
  return Array.from(row, (weight, key) => ({ key, weight }))
    .sort((a, b) => b.weight - a.weight || a.key - b.key)
    .slice(0, count)
}

/** Where a key lies from its query, in words: "1 back", "2 ahead", "itself". */
export function away(query: number, key: number): string {
  if (query === key) return 'itself'
  return query > key ? `${query - key} back` : `${key - query} ahead`
}
