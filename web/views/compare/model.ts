// Two maps: their difference, how alike they are, and what each of them looks at.
import type { Habit } from '../../i18n/en/views/compare'
import type { Alignment } from './align'

/** (length, length), row-major: query tokens down, key tokens across. */
export interface AttentionMap {
  attention: Float32Array
  length: number
}

/** A − B, (length, length) of A: NaN where a token has none to be compared with. */
export function difference(a: AttentionMap, b: AttentionMap, { toB, compared }: Alignment): Float32Array {
  const apart = new Float32Array(a.attention.length).fill(NaN)
  if (compared === 'none') return apart
  eachPair(a.length, toB, (query, key) => {
    const inB = (toB[query] ?? 0) * b.length + (toB[key] ?? 0)
    apart[query * a.length + key] = (a.attention[query * a.length + key] ?? 0) - (b.attention[inB] ?? 0)
  })
  return apart
}

/** The tokens of A that have their own in B. */
const comparable = (length: number, toB: Int32Array) =>
  Array.from({ length }, (_, at) => at).filter((at) => (toB[at] ?? -1) >= 0)

function eachPair(length: number, toB: Int32Array, use: (query: number, key: number) => void): void {
  const there = comparable(length, toB)
  for (const query of there) for (const key of there) use(query, key)
}

/**
 * Of the compared cells that can be other than 0; undefined where one of the maps has the same weight in all of them. causal: both are, so
 * that no query sees a key ahead.
 */
export function correlation(
  a: AttentionMap,
  b: AttentionMap,
  { toB, compared }: Alignment,
  causal: boolean,
): number | undefined {
  if (compared === 'none') return undefined
  let [count, sumA, sumB] = [0, 0, 0]
  const each = (use: (a: number, b: number) => void) =>
    eachPair(a.length, toB, (query, key) => {
      if (causal && key > query) return
      const inB = (toB[query] ?? 0) * b.length + (toB[key] ?? 0)
      use(a.attention[query * a.length + key] ?? 0, b.attention[inB] ?? 0)
    })
  each((inA, inB) => {
    count++
    sumA += inA
    sumB += inB
  })
  const [meanA, meanB] = [sumA / count, sumB / count]
  let [both, squaresA, squaresB] = [0, 0, 0]
  each((inA, inB) => {
    both += (inA - meanA) * (inB - meanB)
    squaresA += (inA - meanA) ** 2
    squaresB += (inB - meanB) ** 2
  })
  // What is left of equal weights is rounding.
  const least = 1e-12 * count
  return squaresA < least || squaresB < least ? undefined : both / Math.sqrt(squaresA * squaresB)
}

/**
 * Which part of a row's weight lies elsewhere in B than in A, on average over compared rows: 0 … 1. All tokens that the other map has not are
 * one place. Undefined where nothing is compared.
 */
export function elsewhere(a: AttentionMap, b: AttentionMap, { toB, compared }: Alignment): number | undefined {
  if (compared === 'none') return undefined
  const there = comparable(a.length, toB)
  // Where every token is compared, what is left of both rows is rounding.
  const whole = compared !== 'ends'
  let sum = 0
  for (const query of there) {
    let [apart, restA, restB] = [0, 1, 1]
    for (const key of there) {
      const inA = a.attention[query * a.length + key] ?? 0
      const inB = b.attention[(toB[query] ?? 0) * b.length + (toB[key] ?? 0)] ?? 0
      apart += Math.abs(inA - inB)
      restA -= inA
      restB -= inB
    }
    sum += (apart + (whole ? 0 : Math.abs(restA - restB))) / 2
  }
  return there.length === 0 ? undefined : sum / there.length
}

/** How much of two maps' weight lies at the same distances from its query, whatever their texts: 0 … 1. */
export function alikeByDistance(a: AttentionMap, b: AttentionMap): number {
  const reach = Math.max(a.length, b.length) - 1
  const [one, other] = [byDistance(a, reach), byDistance(b, reach)]
  return 1 - one.reduce((apart, share, at) => apart + Math.abs(share - (other[at] ?? 0)), 0) / 2
}

/** The share of all weight at each distance from −reach to reach, key − query. */
function byDistance({ attention, length }: AttentionMap, reach: number): Float64Array {
  const shares = new Float64Array(2 * reach + 1)
  for (let query = 0; query < length; query++) {
    for (let key = 0; key < length; key++) {
      const at = key - query + reach
      shares[at] = (shares[at] ?? 0) + (attention[query * length + key] ?? 0) / length
    }
  }
  return shares
}

export function largest(values: Float32Array): number {
  return values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0)
}

export const habits: readonly Habit[] = ['back', 'ahead', 'itself', 'first', 'last']

/** The weight that each habit gets, the mean of the queries that can have it: a first token has none before it. */
export function habitsOf({ attention, length }: AttentionMap): Record<Habit, number> {
  const key: Record<Habit, (query: number) => number> = {
    back: (query) => query - 1,
    ahead: (query) => query + 1,
    itself: (query) => query,
    first: () => 0,
    last: () => length - 1,
  }
  const mean = (habit: Habit) => {
    let [sum, count] = [0, 0]
    for (let query = 0; query < length; query++) {
      const at = key[habit](query)
      if (at < 0 || at >= length) continue
      sum += attention[query * length + at] ?? 0
      count++
    }
    return count === 0 ? 0 : sum / count
  }
  return { back: mean('back'), ahead: mean('ahead'), itself: mean('itself'), first: mean('first'), last: mean('last') }
}

/** From this share of its weight on a map is said to look there. */
const most = 0.4

/** What a map looks at; undefined: at nothing that has a name here. */
export function habitOf(weights: Record<Habit, number>): Habit | undefined {
  const best = habits.reduce((one, other) => (weights[other] > weights[one] ? other : one))
  return weights[best] >= most ? best : undefined
}

/** Where two maps differ most of all habits. */
export function widest(a: Record<Habit, number>, b: Record<Habit, number>): Habit {
  const apart = (habit: Habit) => Math.abs(a[habit] - b[habit])
  return habits.reduce((one, other) => (apart(other) > apart(one) ? other : one))
}

/** The head next to this one; the first after the last. */
export function nextHead({ layer, head }: { layer: number; head: number }, heads: number) {
  return { layer, head: (head + 1) % Math.max(heads, 1) }
}
