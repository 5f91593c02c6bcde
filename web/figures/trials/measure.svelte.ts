// Trials that are timed on this machine, in engines of their own, one backend after the other: the page's model stays as it is.
import { isFailure } from '../../engine/protocol/failure'
import type { Backend, TrialKind } from '../../engine/protocol/protocol'
import type { EngineState } from '../../session/engine.svelte'

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
export interface EndedLine extends Line {
  length: number
  /** The engine's sentence; undefined: the step would have taken too long. */
  reason?: string
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

export class Trials {
  readonly #page: EngineState
  readonly #plan: Plan
  #engine: EngineState | undefined
  points: readonly Point[] = $state.raw([])
  endedLines: readonly EndedLine[] = $state.raw([])
  /** Backends that the browser lacks. */
  missing: readonly Backend[] = $state.raw([])
  /** What is being measured. */
  step: (Line & { length: number }) | undefined = $state.raw()

  /** Create it while a component is created: it ends with that. */
  constructor(page: EngineState, plan: Plan) {
    this.#page = page
    this.#plan = plan
    $effect(() => () => this.stop())
  }

  /** What was measured stays. */
  stop(): void {
    this.#engine?.end()
    this.#engine = undefined
    this.step = undefined
  }

  /** Measures everything again. */
  async start(): Promise<void> {
    this.stop()
    ;[this.points, this.endedLines, this.missing] = [[], [], []]
    for (const backend of backends) {
      const engine = this.#page.another()
      this.#engine = engine
      engine.start(backend, 'auto')
      await this.#measureOn(engine, backend)
      engine.end()
      if (this.#engine !== engine) return
    }
    this.stop()
  }

  async #measureOn(engine: EngineState, backend: Backend): Promise<void> {
    const { kinds, headSizes, lengths } = this.#plan
    for (const length of lengths) {
      for (const headSize of headSizes) {
        let expected: Float64Array | undefined
        for (const what of kinds) {
          const line: Line = { backend, what, headSize }
          if (this.endedLines.some((ended) => sameLine(ended, line))) continue
          const before = this.points.filter((point) => sameLine(point, line))
          if ((predictedMilliseconds(before) ?? 0) > longestStep) {
            this.endedLines = [...this.endedLines, { ...line, length }]
            continue
          }
          this.step = { ...line, length }
          const result = await this.#measure(engine, line, length)
          if (this.#engine !== engine) return
          // Without a GPU the CPU computes in its place.
          if (engine.info && engine.info.backend !== backend) {
            this.missing = [...this.missing, backend]
            return
          }
          if (!result) continue
          const { milliseconds, bytes, numbers } = result
          expected ??= numbers
          const deviation = largestDifference(numbers, expected)
          this.points = [...this.points, { ...line, length, milliseconds, bytes, deviation }]
        }
      }
    }
  }

  async #measure(engine: EngineState, line: Line, length: number) {
    try {
      const reply = await engine.client.ask('trial', { what: line.what, length, headSize: line.headSize })
      return reply.status === 'ok' ? reply.result : undefined
    } catch (error) {
      if (!isFailure(error)) throw error
      if (this.#engine === engine) this.endedLines = [...this.endedLines, { ...line, length, reason: error.message }]
      return undefined
    }
  }
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
