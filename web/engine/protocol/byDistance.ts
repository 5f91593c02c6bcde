// A head's map by distance.

/** The longest text for requests about all heads, which read every map. */
export const longestForAllHeads = 512

/** Mean weights by distance (query − key): entry d + length − 1 is that of d. */
interface WeightsByDistance {
  measured: Float64Array
  /** The same if each query weighed all visible keys evenly. */
  even: Float64Array
}

/** `attention`: (length, length). */
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

/** R of a head: the mean of its pairs' constancies, weighted by strength; 0 where all strengths are 0. */
export function concentrationOf({ strength, constancy }: { strength: Float64Array; constancy: Float64Array }): number {
  const all = strength.reduce((sum, one) => sum + one, 0)
  return all === 0 ? 0 : strength.reduce((sum, one, pair) => sum + one * (constancy[pair] ?? 0), 0) / all
}

/**
 * The correlation of two maps, (length, length), over visible pairs of counted queries and keys; NaN where a map is constant.
 *
 * @param source of cross-attention: how many tokens are its keys; the tokens behind them are its queries
 */
export function mapCorrelation(
  one: Float32Array,
  other: Float32Array,
  counted: readonly boolean[],
  causal: boolean,
  source?: number,
): number {
  const { length } = counted
  let [count, x, y, xx, yy, xy] = [0, 0, 0, 0, 0, 0]
  for (let query = source ?? 0; query < length; query++) {
    if (!counted[query]) continue
    const visible = source ?? (causal ? query + 1 : length)
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
  // Of a constant map, rounding leaves a small variance.
  if (varies <= 1e-9 * count * xx || otherVaries <= 1e-9 * count * yy) return NaN
  return (count * xy - x * y) / Math.sqrt(varies * otherVaries)
}
