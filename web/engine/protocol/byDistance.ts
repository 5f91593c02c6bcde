// What one head's map says of distances: plain loops over what the engine read back.

/** Longer texts are not asked about all heads: each of them is read whole. */
export const longestForAllHeads = 512

/** Mean weights by distance (query − key): entry d + length − 1 is that of d. */
export interface WeightsByDistance {
  measured: Float64Array
  /** What each query's weight, given evenly to all keys that it sees, would be. */
  even: Float64Array
}

/** attention: (length, length). causal: no query sees a key ahead. */
export function weightsByDistance(attention: Float32Array, length: number, causal: boolean): WeightsByDistance {
  const measured = new Float64Array(Math.max(0, 2 * length - 1))
  const even = new Float64Array(measured.length)
  for (let query = 0; query < length; query++) {
    const visible = causal ? query + 1 : length
    for (let key = 0; key < visible; key++) {
      const at = query - key + length - 1
      measured[at] = (measured[at] ?? 0) + (attention[query * length + key] ?? 0)
      even[at] = (even[at] ?? 0) + 1 / visible
    }
  }
  const mean = (sum: number, at: number) => sum / (length - Math.abs(at - length + 1))
  return { measured: measured.map(mean), even: even.map(mean) }
}

/** R of a head: the mean of its pairs' by their strength; 0 where all are nothing. */
export function concentrationOf({ strength, constancy }: { strength: Float64Array; constancy: Float64Array }): number {
  const all = strength.reduce((sum, one) => sum + one, 0)
  return all === 0 ? 0 : strength.reduce((sum, one, pair) => sum + one * (constancy[pair] ?? 0), 0) / all
}

/**
 * The correlation of two maps, (length, length), over the queries and keys that count and see each other; NaN where one of them is the same
 * everywhere.
 */
export function mapCorrelation(
  one: Float32Array,
  other: Float32Array,
  counted: readonly boolean[],
  causal: boolean,
): number {
  const { length } = counted
  let [count, x, y, xx, yy, xy] = [0, 0, 0, 0, 0, 0]
  for (let query = 0; query < length; query++) {
    if (!counted[query]) continue
    const visible = causal ? query + 1 : length
    for (let key = 0; key < visible; key++) {
      if (!counted[key]) continue
      const [a, b] = [one[query * length + key] ?? 0, other[query * length + key] ?? 0]
      count++
      x += a
      y += b
      xx += a * a
      yy += b * b
      xy += a * b
    }
  }
  const [varies, otherVaries] = [count * xx - x * x, count * yy - y * y]
  // Rounding leaves a little of what is the same everywhere.
  if (varies <= 1e-9 * count * xx || otherVaries <= 1e-9 * count * yy) return NaN
  return (count * xy - x * y) / Math.sqrt(varies * otherVaries)
}
