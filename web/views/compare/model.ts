// Two maps of one text: their difference, how alike they are, and what each of them looks at.
import type { Habit } from '../../words/en/compare'

/** (length, length), row-major: query tokens down, key tokens across. */
export interface AttentionMap {
  attention: Float32Array
  length: number
}

export function difference(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((weight, cell) => weight - (b[cell] ?? 0))
}

/** Of the cells that can be other than 0; undefined where one of the maps has the same weight in all of them. */
export function correlation(a: AttentionMap, b: AttentionMap, causal: boolean): number | undefined {
  const { length } = a
  let [count, sumA, sumB] = [0, 0, 0]
  const each = (use: (a: number, b: number) => void) => {
    for (let query = 0; query < length; query++) {
      for (let key = 0; key < (causal ? query + 1 : length); key++) {
        use(a.attention[query * length + key] ?? 0, b.attention[query * length + key] ?? 0)
      }
    }
  }
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

/** Which part of a row's weight lies elsewhere in B than in A, on average: 0 … 1. */
export function elsewhere(a: AttentionMap, b: AttentionMap): number {
  let sum = 0
  for (let cell = 0; cell < a.attention.length; cell++) {
    sum += Math.abs((a.attention[cell] ?? 0) - (b.attention[cell] ?? 0))
  }
  return a.length === 0 ? 0 : sum / 2 / a.length
}

export function largest(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
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
