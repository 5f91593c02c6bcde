// Measuring in steps: a value that grows while its request stays the same.
import { untrack } from 'svelte'
import { newSlot } from '../engine/client/client'
import { isFailure } from '../engine/protocol/failure'
import type { Failure } from '../engine/protocol/protocol'
import type { Result, Params, Kind, Chunk } from '../engine/protocol/requests'
import type { Request } from './answers'
import type { EngineState } from './engine.svelte'
import { goneFailure, type Status } from './resource.svelte'

/** What a series measures. Equal names measure the same of one worker and model. */
export interface SeriesRequest {
  name: string
  /** The run that the values are about, if they are about one: they are cached no longer than it. */
  run?: number
}

/**
 * Sends the request of one step. It ends with the series: no promise settles after that.
 *
 * @param onChunk receives the chunks of a result that streams
 * @throws {Failure}
 */
export type Step = <K extends Kind>(
  kind: K,
  request: Request<K>,
  onChunk?: (chunk: Chunk<K>) => void,
) => Promise<Result<K>>

/**
 * Yields a value after each step.
 *
 * @param before the last value of an earlier series of this name
 * @param signal aborts when the series ends, for promises other than steps
 */
export type Measure<R, V> = (
  request: R,
  step: Step,
  before: V | undefined,
  signal: AbortSignal,
) => AsyncGenerator<V, void, void>

export interface Series<R extends SeriesRequest, V> {
  /** The last value of the present request. */
  readonly current: V | undefined
  /** The newest value with its request, which stays until a newer request has measured something. */
  readonly latest: { key: R; value: V } | undefined
  /** `loading` while steps remain, `ready` once all are measured. */
  readonly status: Status
  readonly failure: Failure | undefined
}

/**
 * Measures in steps for as long as the request stays the same; a newer request, and the end of the component, stop it. A request that comes
 * back goes on from where it was.
 */
export function series<R extends SeriesRequest, V>(
  engine: EngineState,
  request: () => R | undefined,
  measure: Measure<R, V>,
): Series<R, V> {
  const slot = newSlot()
  let state: { key: R; generation: number; value: V | undefined; status: Status; failure?: Failure } | undefined =
    $state.raw()
  let latest: { key: R; value: V } | undefined = $state.raw()
  const present = $derived(request())
  const name = $derived(present?.name)
  const isPresent = () => state !== undefined && state.key.name === name && state.generation === engine.generation

  $effect(() => {
    const { generation } = engine
    if (name === undefined) return
    const key = untrack(() => present) as R
    const stop = new AbortController()
    // Only another request starts another series, whatever the first step reads.
    untrack(() => void run(key, generation, stop.signal))
    return () => stop.abort()
  })

  async function run(key: R, generation: number, signal: AbortSignal): Promise<void> {
    const found = engine.answers.measured(key.name) as { value: V; complete: boolean } | undefined
    const set = (value: V | undefined, status: Status, failure?: Failure) => {
      state = { key, generation, value, status, ...(failure ? { failure } : {}) }
      if (value !== undefined) latest = { key, value }
    }
    let value = found?.value
    if (found?.complete) return set(value, 'ready')
    set(value, 'loading')
    try {
      for await (const next of measure(key, step(signal), value, signal)) {
        if (signal.aborted) return
        value = next
        engine.answers.addMeasured(key.name, { value, complete: false }, key.run)
        set(value, 'loading')
      }
      engine.answers.addMeasured(key.name, { value, complete: true }, key.run)
      set(value, 'ready')
    } catch (error) {
      if (!isFailure(error)) throw error
      if (!signal.aborted && error.code !== 'restarted') set(value, error.code === 'gone' ? 'gone' : 'failed', error)
    }
  }

  const step =
    (signal: AbortSignal): Step =>
    async (kind, { params, model }, onChunk) => {
      const how = { slot, signal, ...(onChunk ? { onChunk } : {}) }
      for (;;) {
        const reply = await (model
          ? model.ask(kind, params, how)
          : engine.client.ask(kind, params as Params<typeof kind>, how))
        // A stopped series waits for nothing: the generator is left where it is.
        if (signal.aborted || reply.status === 'stopped') return new Promise<never>(() => {})
        if (reply.status === 'ok') return reply.result
        if (reply.status === 'gone') throw goneFailure()
      }
    }

  return {
    get current() {
      return isPresent() ? state?.value : undefined
    },
    get latest() {
      return latest
    },
    get status() {
      if (name === undefined) return 'idle'
      return isPresent() ? (state?.status ?? 'loading') : 'loading'
    },
    get failure() {
      return isPresent() ? state?.failure : undefined
    },
  }
}

/** The chunks of a result that streams, and at the end the result. */
export async function* stream<K extends Kind>(
  step: Step,
  kind: K,
  request: Request<K>,
): AsyncGenerator<{ chunk: Chunk<K>; result?: never } | { chunk?: never; result: Result<K> }, void, void> {
  const chunks: Chunk<K>[] = []
  let wake = () => {}
  const end = step(kind, request, (chunk) => {
    chunks.push(chunk)
    wake()
  })
  for (;;) {
    const next = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)))
    const result = chunks.length > 0 ? undefined : await Promise.race([next, end.then((result) => ({ result }))])
    for (const chunk of chunks.splice(0)) yield { chunk }
    if (result) return yield result
  }
}
