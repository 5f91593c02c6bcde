// Measuring in steps: an answer that grows while its request stays the same.
import { newSlot } from '../engine/client/client'
import type { Chunk, Kind, Result } from '../engine/protocol/requests'
import type { KeyParts, Request } from './answers'
import type { EngineState } from './engine.svelte'
import { EngineAnswer, goneFailure, send, type Answer } from './resource.svelte'

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
export function series<R extends KeyParts, V>(
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
        if (signal.aborted || reply.status === 'stopped') return new Promise<never>(() => {})
        if (reply.status === 'ok') return reply.result
        if (reply.status === 'gone') throw goneFailure()
      }
    }
  return new EngineAnswer(engine, kind, request, false, (key, signal, before) =>
    measure(key, stepUntil(signal), before, signal),
  )
}

/** The chunks of a result that streams, and at the end the result. */
export interface Streamed<K extends Kind> {
  chunks: readonly Chunk<K>[]
  result: Result<K> | undefined
}

/** The same as `resource` for a kind that streams, with the chunks so far. */
export const streamed = <K extends Kind, R extends Request<K>>(
  engine: EngineState,
  kind: K,
  request: () => R | undefined,
): Answer<R, Streamed<K>> =>
  series(engine, kind, request, async function* (key, step, before: Streamed<K> | undefined) {
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
