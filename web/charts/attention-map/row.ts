// The ranking of one query's row.

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
