// Trials that are timed on this machine, in engines of their own, one backend after the other: the page's model stays as it is.
import type { Backend, TrialKind, Failure } from '../../engine/protocol/protocol'
import type { EngineState } from '../../session/engine.svelte'
import { send, type Answer } from '../../session/resource.svelte'
import { series } from '../../session/series.svelte'

/** One line of a panel. */
interface Line {
  backend: Backend
  what: TrialKind
  headSize: number
}

export interface Point extends Line {
  /** Tokens. */
  length: number
  milliseconds: number
  bytes: number
  /** The largest difference from the numbers of the first kind at the same size. */
  deviation: number
}

/** Where a line ends before the last length, and why. */
interface EndedLine extends Line {
  length: number
  /** Undefined: the step would have taken too long. */
  failure?: Failure
}

/** On each backend every kind at every head size is measured, then all of it at the next length. */
export interface Plan {
  kinds: readonly TrialKind[]
  headSizes: readonly number[]
  lengths: readonly number[]
}

/** In ms. A step that would take longer is not begun. */
export const longestStep = 5000

export const backends = ['gpu', 'cpu'] as const satisfies readonly Backend[]

const sameLine = (one: Line, other: Line) =>
  one.backend === other.backend && one.what === other.what && one.headSize === other.headSize

/** The milliseconds of a line's next step, by the growth of its last one; undefined where there is only one. */
export function predictedMilliseconds(points: readonly Pick<Point, 'milliseconds'>[]): number | undefined {
  const [before, last] = points.slice(-2)
  return before && last ? last.milliseconds * Math.max(1, last.milliseconds / before.milliseconds) : undefined
}

/** What is measured so far. */
interface TrialMeasurement {
  points: readonly Point[]
  endedLines: readonly EndedLine[]
  /** Backends that the browser lacks. */
  missing: readonly Backend[]
  /** What is being measured. */
  step: (Line & { length: number }) | undefined
}

const nothing: TrialMeasurement = { points: [], endedLines: [], missing: [], step: undefined }

/** Depends on the plan and on this machine alone: nothing that happens to the page's engine ends or repeats it. */
export class Trials {
  /** Counts the starts. Each measures everything again. */
  #attempt = $state(0)
  #isMeasuring = $state(false)
  readonly #series: Answer<{ params: { attempt: number } }, TrialMeasurement>

  /** Create it while a component is created: it ends with that. */
  constructor(page: EngineState, plan: Plan) {
    this.#series = series(
      page.another(),
      'trials',
      () => (this.#isMeasuring ? { params: { attempt: this.#attempt } } : undefined),
      (_request, _step, _before, signal) => measureAll(page, plan, signal),
    )
  }

  start(): void {
    this.#attempt++
    this.#isMeasuring = true
  }

  /** What was measured stays. */
  stop(): void {
    this.#isMeasuring = false
  }

  get points(): readonly Point[] {
    return this.#measured.points
  }

  get endedLines(): readonly EndedLine[] {
    return this.#measured.endedLines
  }

  get missing(): readonly Backend[] {
    return this.#measured.missing
  }

  get step(): TrialMeasurement['step'] {
    return this.#isMeasuring ? this.#measured.step : undefined
  }

  get #measured(): TrialMeasurement {
    return this.#series.latest?.value ?? nothing
  }
}

async function* measureAll(
  page: EngineState,
  plan: Plan,
  signal: AbortSignal,
): AsyncGenerator<TrialMeasurement, void, void> {
  let measured = nothing
  for (const backend of backends) {
    if (signal.aborted) return
    const engine = page.another()
    // A step that is running ends with its engine.
    const end = () => engine.end()
    signal.addEventListener('abort', end)
    try {
      engine.start(backend, 'auto')
      for await (const next of measureOn(engine, backend, plan, measured)) yield (measured = next)
    } finally {
      signal.removeEventListener('abort', end)
      end()
    }
  }
  yield { ...measured, step: undefined }
}

async function* measureOn(
  engine: EngineState,
  backend: Backend,
  { kinds, headSizes, lengths }: Plan,
  before: TrialMeasurement,
): AsyncGenerator<TrialMeasurement, void, void> {
  let measured = before
  for (const length of lengths) {
    for (const headSize of headSizes) {
      let expected: Float64Array | undefined
      for (const what of kinds) {
        const line: Line = { backend, what, headSize }
        if (measured.endedLines.some((ended) => sameLine(ended, line))) continue
        const points = measured.points.filter((point) => sameLine(point, line))
        if ((predictedMilliseconds(points) ?? 0) > longestStep) {
          measured = { ...measured, endedLines: [...measured.endedLines, { ...line, length }] }
          continue
        }
        yield (measured = { ...measured, step: { ...line, length } })
        const result = await trialOf(engine, line, length)
        // Without a GPU the CPU computes in its place.
        if (engine.info && engine.info.backend !== backend) {
          yield { ...measured, missing: [...measured.missing, backend] }
          return
        }
        if (!result) continue
        if ('failure' in result) {
          measured = { ...measured, endedLines: [...measured.endedLines, { ...line, length, ...result }] }
          continue
        }
        const { milliseconds, bytes, numbers } = result
        expected ??= numbers
        const deviation = largestDifference(numbers, expected)
        measured = { ...measured, points: [...measured.points, { ...line, length, milliseconds, bytes, deviation }] }
      }
    }
  }
  yield measured
}

async function trialOf(engine: EngineState, { what, headSize }: Line, length: number) {
  const reply = await send(engine, 'trial', { params: { what, length, headSize } })
  return reply.status === 'ok' ? reply.result : reply.status === 'failed' ? { failure: reply.failure } : undefined
}

/** Infinite where the lengths differ. */
export function largestDifference(one: Float64Array, other: Float64Array): number {
  let most = one.length === other.length ? 0 : Infinity
  for (let at = 0; at < one.length; at++) most = Math.max(most, Math.abs((one[at] ?? 0) - (other[at] ?? 0)))
  return most
}

/** Softmax and linear attention at the same length on the same backend. */
export interface Pair {
  softmax: Point
  linear: Point
}

/** The longest of all pairs that are measured. */
export function longestPair(points: readonly Point[]): Pair | undefined {
  const pairs = points.flatMap((softmax) => {
    if (softmax.what !== 'softmax') return []
    const linear = points.find(
      ({ what, backend, length }) => what === 'linear' && backend === softmax.backend && length === softmax.length,
    )
    return linear ? [{ softmax, linear }] : []
  })
  return pairs.reduce<Pair | undefined>(
    (best, pair) => (!best || pair.softmax.length > best.softmax.length ? pair : best),
    undefined,
  )
}
