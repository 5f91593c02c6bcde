// Attention maps that tests of Compare make up.
import type { AttentionMap } from '../views/compare/maps'

/** Row m gives the share `share` to key m + by, if it exists, and the rest evenly to all keys. */
export function looking(length: number, by: number, share: number): AttentionMap {
  const attention = new Float32Array(length * length).map((_, cell) => {
    const [query, key] = [Math.floor(cell / length), cell % length]
    const there = query + by >= 0 && query + by < length
    return (there ? (1 - share) / length : 1 / length) + (there && key === query + by ? share : 0)
  })
  return { attention, length }
}
