// One score as a waterfall over frequency pairs, and whether it is the model's own.
import type { Action } from '../../ui/keys'
import { slide } from '../../ui/walk'
import { bySpeed } from '../../charts/pair-axis/axis'

/** A pair's part, and the running sum before and after it. */
export interface Step {
  pair: number
  /** 2π/θ_i in tokens. */
  wavelength: number
  part: number
  from: number
  to: number
}

export interface Waterfall {
  /** The fastest pair first. */
  steps: readonly Step[]
  total: number
  /** The pair that moves the score most. */
  main: Step | undefined
  /** The slowest pairs, where all of them are too small to be seen. */
  tail: { count: number; sum: number } | undefined
}

/** Parts smaller than this share of the picture's height cannot be told apart. */
const tiny = 0.02

/** `parts` and `wavelengths`: (pairs), by pair. */
export function waterfall(parts: ArrayLike<number>, wavelengths: ArrayLike<number>): Waterfall {
  let sum = 0
  const steps = bySpeed(wavelengths).map((pair): Step => {
    const [from, part] = [sum, parts[pair] ?? 0]
    sum += part
    return { pair, wavelength: wavelengths[pair] ?? Infinity, part, from, to: sum }
  })
  const main = steps.reduce<Step | undefined>(
    (most, step) => (Math.abs(step.part) > Math.abs(most?.part ?? 0) ? step : most),
    undefined,
  )
  const [least, most] = rangeOf(steps)
  const loud = steps.findLastIndex((step) => Math.abs(step.part) >= tiny * (most - least))
  const quiet = steps.slice(loud + 1)
  const tail = quiet.length > 1 && loud >= 0 ? { count: quiet.length, sum: sum - (steps[loud]?.to ?? 0) } : undefined
  return { steps, total: sum, main, tail }
}

/** The least and the greatest sum on the way, 0 among them. */
export function rangeOf(steps: readonly Step[]): [number, number] {
  return steps.reduce<[number, number]>(([least, most], { to }) => [Math.min(least, to), Math.max(most, to)], [0, 0])
}

/** A head's attention: (length, length), query tokens down. */
export interface Weights {
  attention: Float32Array
  length: number
}

export const weightAt = ({ attention, length }: Weights, query: number, key: number): number =>
  attention[query * length + key] ?? 0

/** The other key of the row with the largest weight: the one to check a score against. Undefined: there is none. */
export function rivalOf(weights: Weights, query: number, key: number): number | undefined {
  let rival: number | undefined
  for (let other = 0; other < weights.length; other++) {
    const weight = weightAt(weights, query, other)
    if (other !== key && weight > 0 && (rival === undefined || weight > weightAt(weights, query, rival))) rival = other
  }
  return rival
}

/** Whether the sum is what attention made the weight of; `by`: how far off it is. */
export type Check = { state: 'agrees' | 'differs'; by: number } | { state: 'masked' | 'unchecked'; by: 0 }

/** What shows in two digits. */
const tolerance = 0.005
/** The least 32-bit weight with all its digits. */
const leastWeight = 1.2e-38

/**
 * Two scores of a row differ by the logarithm of the ratio of their weights: softmax adds the same to both. Linear attention divides both
 * by the same: their ratio is that of the weights.
 */
export function check(
  one: { score: number; weight: number },
  other: { score: number; weight: number } | undefined,
  masked: boolean,
  linear = false,
): Check {
  if (masked) return { state: 'masked', by: 0 }
  const told = linear ? Math.abs(one.weight) : one.weight
  if (!other || !(told >= leastWeight) || !(other.weight >= leastWeight)) return { state: 'unchecked', by: 0 }
  const by = linear
    ? Math.abs(one.score - (other.score * one.weight) / other.weight)
    : Math.abs(one.score - other.score - Math.log(one.weight / other.weight))
  return { state: by <= tolerance ? 'agrees' : 'differs', by }
}

/** Where a key press moves the chosen pair along the axis: null lets it go, undefined is not such a key. */
export function movePair(
  pair: number | null,
  action: Action | undefined,
  order: readonly number[],
): number | null | undefined {
  if (action === 'leave') return null
  const to = slide(pair === null ? -1 : order.indexOf(pair), action, order.length - 1)
  return to === undefined ? undefined : (order[to] ?? null)
}
