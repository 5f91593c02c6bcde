// Trials that are timed on this machine: in engines of their own, one backend after the other, so that the page's model stays as it is.
import { isFailure } from '../engine/protocol/failure'
import type { Backend, TrialKind } from '../engine/protocol/protocol'
import type { EngineState } from './engine.svelte'

/** One line of a plot. */
export interface Series {
  backend: Backend
  what: TrialKind
  headSize: number
}

export interface Point extends Series {
  /** Tokens. */
  length: number
  milliseconds: number
  bytes: number
  /** How far its numbers are from those of the first kind of the same size, at most. */
  apart: number
}

/** Where a line ends before the last length, and why. */
export interface Ended extends Series {
  length: number
  /** The engine's sentence; undefined: it would have taken too long. */
  reason?: string
}

/** What is to be measured on each backend: each kind at each head size, and then all of it at the next length. */
export interface Plan {
  kinds: readonly TrialKind[]
  headSizes: readonly number[]
  lengths: readonly number[]
}

/** A step that would take longer is not begun. */
export const longestStep = 5000

export const backends = ['gpu', 'cpu'] as const satisfies readonly Backend[]

const same = (one: Series, other: Series) =>
  one.backend === other.backend && one.what === other.what && one.headSize === other.headSize

/** What the next step of a line will take, by how the last two grew; undefined where there is only one. */
export function foretell(points: readonly Point[]): number | undefined {
  const [before, last] = points.slice(-2)
  return before && last ? last.milliseconds * Math.max(1, last.milliseconds / before.milliseconds) : undefined
}

export class Trials {
  readonly #first: EngineState
  #engine: EngineState | undefined
  points: readonly Point[] = $state.raw([])
  ended: readonly Ended[] = $state.raw([])
  /** Backends that are not there. */
  missing: readonly Backend[] = $state.raw([])
  /** What is measured now. */
  now: (Series & { length: number }) | undefined = $state.raw()

  constructor(first: EngineState) {
    this.#first = first
  }

  /** Ends what is under way; what was measured stays. */
  stop(): void {
    this.#engine?.end()
    this.#engine = undefined
    this.now = undefined
  }

  /** Measures anew, all of it. */
  async measure(plan: Plan): Promise<void> {
    this.stop()
    ;[this.points, this.ended, this.missing] = [[], [], []]
    for (const backend of backends) {
      const engine = this.#first.another()
      this.#engine = engine
      engine.start(backend, 'auto')
      await this.#on(engine, backend, plan)
      engine.end()
      if (this.#engine !== engine) return
    }
    this.stop()
  }

  async #on(engine: EngineState, backend: Backend, { kinds, headSizes, lengths }: Plan): Promise<void> {
    for (const length of lengths) {
      for (const headSize of headSizes) {
        let expected: Float64Array | undefined
        for (const what of kinds) {
          const of: Series = { backend, what, headSize }
          if (this.ended.some((line) => same(line, of))) continue
          const line = this.points.filter((point) => same(point, of))
          if ((foretell(line) ?? 0) > longestStep) {
            this.ended = [...this.ended, { ...of, length }]
            continue
          }
          this.now = { ...of, length }
          const told = await this.#step(engine, of, length)
          if (this.#engine !== engine) return
          // Where the browser has no GPU the CPU stands in.
          if (engine.info && engine.info.backend !== backend) {
            this.missing = [...this.missing, backend]
            return
          }
          if (!told) continue
          const { milliseconds, bytes, numbers } = told
          expected ??= numbers
          this.points = [...this.points, { ...of, length, milliseconds, bytes, apart: distance(numbers, expected) }]
        }
      }
    }
  }

  async #step(engine: EngineState, of: Series, length: number) {
    try {
      const reply = await engine.client.ask('trial', { what: of.what, length, headSize: of.headSize })
      return reply.status === 'ok' ? reply.result : undefined
    } catch (error) {
      if (!isFailure(error)) throw error
      if (this.#engine === engine) this.ended = [...this.ended, { ...of, length, reason: error.message }]
      return undefined
    }
  }
}

/** The largest difference of two rows of numbers. */
export function distance(one: Float64Array, other: Float64Array): number {
  let most = one.length === other.length ? 0 : Infinity
  for (let at = 0; at < one.length; at++) most = Math.max(most, Math.abs((one[at] ?? 0) - (other[at] ?? 0)))
  return most
}
