// One score: its parts by frequency pair, its curve over distances, and whether it is the model's own.
import type { Inputs } from '../module'
import { bySpeed, wavelengthsOf } from '../../charts/labels'
import { handsOf, type Hands } from '../../charts/dials/dials'
import { weightAt, type Weights } from '../../charts/matrix'
import {
  boundOf,
  explainRequest,
  fine,
  movedRequest,
  peakOf,
  reachFor,
  spanOf,
  thetaOf,
  type Peak,
  type Swept,
} from '../../charts/sweep/model'
import type { Failure } from '../../engine/protocol/protocol'
import { attentionOf, scaleOf } from '../../session/change'
import { newest, resource } from '../../session/resource.svelte'
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
  /** All pairs that rotate, the fastest first. */
  hands: readonly Hands[]
  /** The model's factor of a score. */
  scale: number
  sweep: Swept
  /** Its highest score at a whole distance, and the range of all its scores. */
  peak: Peak
  span: number
  /** The pair with a curve of its own: the selected one, else the fastest. */
  pair: number
  pairSweep: Swept | undefined
  /** The paper's bound, where it is on. */
  bound: Swept | undefined
}

export interface ScoreData {
  /** The newest complete explanation, which stays while the next one is loading. */
  readonly explained: Explained | undefined
  readonly stale: boolean
  /** The parts where the key has been moved, or was last; undefined at its own place. */
  readonly moved: Moved | undefined
  readonly failure: Failure | undefined
}

/** The parts, by pair, of the score with the key moved to a distance (query − key). */
export interface Moved {
  distance: number
  parts: Float64Array
}

/** Tokens that the curve shows on each side. */
const leastReach = 16

/** The selected cell, and what its explanation takes. */
function subjectOf({ run, cursor: { query, key, pair } }: Pick<Inputs<unknown>, 'run' | 'cursor'>) {
  if (!run || Math.max(query, key) >= run.head.length) return undefined
  const theta = thetaOf(run)
  const single = pair ?? theta.indexOf(Math.max(...theta))
  return {
    run,
    query,
    key,
    theta,
    pair: single,
    reach: reachFor(query - key, leastReach),
    rival: rivalOf(run.head, query, key),
  }
}

/** What explaining a score reads. */
type ScoreInputs = Pick<Inputs<{ bound: string }>, 'bench' | 'run' | 'cursor' | 'params'>

/** The inputs with the cell below the pointer, unless the key walks. */
export const withCellUnderPointer = (inputs: ScoreInputs): ScoreInputs => ({
  bench: inputs.bench,
  get run() {
    return inputs.run
  },
  get params() {
    return inputs.params
  },
  get cursor() {
    const { cursor, bench } = inputs
    return bench.cellUnderPointer && bench.walk.distance === undefined
      ? { ...cursor, ...bench.cellUnderPointer }
      : cursor
  },
})

export function explain(inputs: ScoreInputs): ScoreData {
  const { engine } = inputs.bench
  const subject = () => subjectOf(inputs)
  const score = resource(engine, 'explain', () => {
    const of = subject()
    return of && explainRequest(of.run, of, of.reach)
  })
  const alone = resource(engine, 'explain', () => {
    const of = subject()
    return of && explainRequest(of.run, of, of.reach, of.pair)
  })
  const rival = resource(engine, 'explain', () => {
    const of = subject()
    return of?.rival === undefined ? undefined : explainRequest(of.run, { query: of.query, key: of.rival }, 0)
  })
  const decay = resource(engine, 'decay', () => {
    const of = inputs.params.bound === 'on' ? subject() : undefined
    return of && { params: { theta: of.theta.map((angle) => angle / fine), maxDistance: of.reach * fine } }
  })
  const moved = resource(engine, 'movedParts', () => {
    const { run, cursor, bench } = inputs
    const { position } = bench.walk
    if (!run || position === undefined) return undefined
    // Between two tokens as fine as the curve is.
    const distance = Math.round(position * fine) / fine
    const request = movedRequest(run, cursor, distance)
    return request && { ...request, run, query: cursor.query, key: cursor.key, distance }
  })
  const explained = newest((): Explained | undefined => {
    const of = subject()
    const [full, part, other] = [score.current, alone.current, rival.current]
    const isComplete = rival.status !== 'loading' && decay.status !== 'loading'
    if (!of || !full || !part || !isComplete) return undefined
    const { run, query, key, theta, reach } = of
    const weight = weightAt(run.head, query, key)
    const isMasked = run.model.info.is_decoder && key > query
    const compared = other && { score: other.score, weight: weightAt(run.head, query, of.rival ?? key) }
    return {
      run,
      query,
      key,
      score: full.score,
      weight,
      check: check({ score: full.score, weight }, compared, isMasked, attentionOf(run) !== 'softmax'),
      waterfall: waterfall(full.parts, wavelengthsOf(theta)),
      wavelengths: wavelengthsOf(theta),
      hands: handsOf(full.hands, theta),
      scale: scaleOf(run),
      sweep: { values: full.sweep, reach },
      peak: peakOf({ values: full.sweep, reach }, run.model.info.is_decoder),
      span: spanOf({ values: full.sweep, reach }),
      pair: of.pair,
      pairSweep: theta.length > 1 ? { values: part.sweep, reach } : undefined,
      bound: decay.current && boundOf(full.steepest, decay.current, theta.length, reach),
    }
  })
  return {
    get explained() {
      return explained.value
    },
    get stale() {
      return explained.stale
    },
    get moved() {
      const { latest } = moved
      const { value: of } = explained
      if (inputs.bench.walk.distance === undefined || !latest || !of) return undefined
      const { run, query, key, distance } = latest.key
      // The parts of another score are none of this one's.
      return run === of.run && query === of.query && key === of.key ? { distance, parts: latest.value } : undefined
    },
    get failure() {
      return score.failure ?? alone.failure ?? rival.failure ?? decay.failure
    },
  }
}
