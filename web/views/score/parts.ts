// One score: its parts by frequency pair, its curve over distances, and whether it is the model's own.
import { bySpeed } from '../../charts/labels'
import type { Hands } from '../../charts/dials/dials'
import { weightAt, type Weights } from '../../charts/matrix'
import type { Peak, ScoreCurve } from '../../charts/sweep/model'
import type { Run } from '../../session/runs.svelte'
import type { Action } from '../../ui/keys'
import { slide } from '../../ui/walk'

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
  /** The slowest pairs, where all of them are too small to see. */
  tail: { count: number; sum: number } | undefined
}

/** The smallest visible part, as a share of the picture's height. */
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

/** The other key of the row with the largest weight, which a score is checked against. */
export function rivalOf(weights: Weights, query: number, key: number): number | undefined {
  let rival: number | undefined
  for (let other = 0; other < weights.length; other++) {
    const weight = weightAt(weights, query, other)
    if (other !== key && weight > 0 && (rival === undefined || weight > weightAt(weights, query, rival))) rival = other
  }
  return rival
}

/** Whether the sum is the model's own score; `by`: their difference. */
export type Check = { state: 'agrees' | 'differs'; by: number } | { state: 'masked' | 'unchecked'; by: 0 }

/** Visible in two digits. */
const tolerance = 0.005
/** The least normal 32-bit number. */
const leastWeight = 1.2e-38

/**
 * Two scores of a row differ by the logarithm of the ratio of their weights, since softmax normalizes both by the same sum. In linear
 * attention their ratio is that of the weights.
 */
export function check(
  one: { score: number; weight: number },
  other: { score: number; weight: number } | undefined,
  masked: boolean,
  linear = false,
): Check {
  if (masked) return { state: 'masked', by: 0 }
  const weight = linear ? Math.abs(one.weight) : one.weight
  if (!other || !(weight >= leastWeight) || !(other.weight >= leastWeight)) return { state: 'unchecked', by: 0 }
  const by = linear
    ? Math.abs(one.score - (other.score * one.weight) / other.weight)
    : Math.abs(one.score - other.score - Math.log(one.weight / other.weight))
  return { state: by <= tolerance ? 'agrees' : 'differs', by }
}

/** Where a key press moves the selected pair along the axis; null deselects it, undefined: the key does nothing here. */
export function movePair(
  pair: number | null,
  action: Action | undefined,
  order: readonly number[],
): number | null | undefined {
  if (action === 'leave') return null
  const to = slide(pair === null ? -1 : order.indexOf(pair), action, order.length - 1)
  return to === undefined ? undefined : (order[to] ?? null)
}

/** All of it belongs to one query, key and head of one run. */
export interface Explained {
  run: Run
  query: number
  key: number
  score: number
  weight: number
  check: Check
  waterfall: Waterfall
  /** 2π/θ_i in tokens, by pair. */
  wavelengths: Float64Array
  /** All pairs that rotate, the fastest first; where positions are added, all pairs. */
  hands: readonly Hands[]
  /** The model's factor of a score. */
  scale: number
  /** The distances that the key can walk. */
  path: readonly number[]
  /** The scores by distance. Where positions are added they are those of other keys, at the distances of the path alone. */
  sweep: ScoreCurve
  /** Its highest score at a whole distance, and the range of all its scores. */
  peak: Peak
  span: number
  /** The pair with a curve of its own: the selected one, else the fastest. */
  pair: number
  pairSweep: ScoreCurve | undefined
  /** The paper's bound, where it is on. */
  bound: ScoreCurve | undefined
  /** Where positions are added. */
  row?: RowOfKeys
}

/** The keys that a query sees. */
interface RowOfKeys {
  keys: number
  /** With each of them, also beside the path. */
  scores: Float64Array
  /** Of the path: the least and the greatest running sum, and the hands of all keys. */
  range: readonly [number, number]
  hands: readonly Hands[]
}

/** The parts, by pair, of the score with the key moved to a distance (query − key). */
export interface Moved {
  distance: number
  parts: Float64Array
}
