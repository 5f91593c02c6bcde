// Measuring in steps: an answer that grows while its request stays the same; what the reader starts and stops, what was measured of the
// model so far, and what a reload would lose of all that.
import { newSlot } from '../engine/client/client'
import type { Chunk, RequestKind, Result } from '../engine/protocol/requests'
import type { AnyRequest, Request } from './answers'
import type { EngineState, LoadedModel } from './engine.svelte'
import { EngineAnswer, resultOf, send, type Answer } from './resource.svelte'

/**
 * Sends the request of one step. It ends with the series: no promise settles after that.
 *
 * @param onChunk receives the chunks of a result that streams
 * @throws {Failure}
 */
export type Step = <K extends RequestKind>(
  kind: K,
  request: Request<K>,
  onChunk?: (chunk: Chunk<K>) => void,
) => Promise<Result<K>>

/**
 * Yields a value after each step.
 *
 * @param before the last value of an earlier series of the same request
 * @param signal aborts when the series ends, for promises other than steps
 */
export type Measure<R, V> = (
  request: R,
  step: Step,
  before: V | undefined,
  signal: AbortSignal,
) => AsyncGenerator<V, void, void>

/**
 * The same as `resource` for what is measured in steps. It stops when nobody has this request any longer, and goes on from there when it comes
 * back.
 *
 * @param kind names what is measured
 */
export function series<R extends AnyRequest, V>(
  engine: EngineState,
  kind: string,
  request: () => R | undefined,
  measure: Measure<R, V>,
): Answer<R, V> {
  const slot = newSlot()
  const stepUntil =
    (signal: AbortSignal): Step =>
    async (kind, request, onChunk) => {
      for (;;) {
        const reply = await send(engine, kind, request, { slot, signal, ...(onChunk ? { onChunk } : {}) })
        // A stopped series waits for nothing: the generator is left where it is.
        if (signal.aborted) return new Promise<never>(() => {})
        if (reply.status !== 'superseded') return resultOf(reply)
      }
    }
  return new EngineAnswer(engine, kind, request, false, (request, signal, before) =>
    measure(request, stepUntil(signal), before, signal),
  )
}

/** The chunks of a result that streams, and at the end the result. */
export interface StreamState<K extends RequestKind> {
  chunks: readonly Chunk<K>[]
  result: Result<K> | undefined
}

/** The same as `resource` for a kind that streams, with the chunks so far. */
export const streamed = <K extends RequestKind, R extends Request<K>>(
  engine: EngineState,
  kind: K,
  request: () => R | undefined,
): Answer<R, StreamState<K>> =>
  series(engine, kind, request, async function* (key, step, before: StreamState<K> | undefined) {
    const chunks: Chunk<K>[] = []
    let yielded = 0
    let wake = () => {}
    const end = step(kind, key, (chunk) => {
      chunks.push(chunk)
      wake()
    })
    for (;;) {
      const next = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)))
      const result =
        chunks.length > yielded ? undefined : await Promise.race([next, end.then((result) => ({ result }))])
      yielded = chunks.length
      // A stream that begins again shows no less than before.
      if (result || yielded > (before?.chunks.length ?? 0)) yield { chunks: [...chunks], result: result?.result }
      if (result) return
    }
  })

let lastAttempt = 0

/** Holds for one model in one worker: a model that is read again is measured only by another start. */
export class Measurement<P, V> {
  readonly #engine: EngineState
  readonly #kind: string
  #plan: { of: P; model: LoadedModel | undefined; generation: number } | undefined = $state.raw()
  /** Each start has its own, also of another view: it goes on where the one before stopped or failed. */
  attempt = 0

  /** @param kind names what is measured, for all that measure it */
  constructor(engine: EngineState, kind: string) {
    this.#engine = engine
    this.#kind = kind
  }

  /** What was started or stopped last. */
  get last(): P | undefined {
    return this.#plan?.of
  }

  /** The same, where it was of the present model. */
  get plan(): P | undefined {
    const [plan, { model, generation }] = [this.#plan, this.#engine]
    return plan && plan.model === model && plan.generation === generation ? plan.of : undefined
  }

  /** Starts, continues or stops. */
  set(of: P): void {
    const { model, generation } = this.#engine
    this.attempt = ++lastAttempt
    this.#plan = { of, model, generation }
  }

  /** What was measured of the present model. */
  get value(): V | undefined {
    const { model } = this.#engine
    return model && this.of(model)
  }

  of(model: LoadedModel): V | undefined {
    return this.#engine.answers.ofModel.get(this.#nameOf(model)) as V | undefined
  }

  /** It stays as long as the model, whichever view measured it. */
  store(model: LoadedModel, value: V): void {
    this.#engine.answers.ofModel.set(this.#nameOf(model), value)
  }

  #nameOf({ version }: LoadedModel): string {
    return `${this.#kind} ${version}`
  }
}

const measuredModels = new WeakSet<object>()

/** Notes that losses of this model were measured: a reload loses them. */
export function noteMeasured(model: object): void {
  measuredModels.add(model)
}

/** What only this tab has. */
export type UnsavedKind = 'files' | 'writing' | 'losses' | 'undo'

/** What a reload would lose: the link restores all else. */
export function unsavedOf({
  engine: { model },
  generation,
  undoable,
}: {
  engine: EngineState
  generation: { writing: boolean }
  undoable: { undo: boolean; redo: boolean }
}): UnsavedKind[] {
  const found: Record<UnsavedKind, boolean> = {
    files: model?.source.kind === 'files',
    writing: generation.writing,
    losses: model !== undefined && measuredModels.has(model),
    undo: undoable.undo || undoable.redo,
  }
  return (Object.keys(found) as UnsavedKind[]).filter((what) => found[what])
}
