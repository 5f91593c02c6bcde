// What is measured of this machine, one step after the other, on an engine that is asked as the npm package asks its own.
import type { Backend, EngineInfo, ModelInfo } from '../../engine/protocol/protocol'
import type { Answer, AsksOfModel, Kind, Part } from '../../engine/protocol/questions'
import { tokensASecond } from '../../text/continuation'

/** What answers. */
export interface Asker {
  ask<K extends Kind>(
    kind: K,
    asks: AsksOfModel<K>,
    signal: AbortSignal,
    hearing?: { part?: (part: Part<K>) => void },
  ): Promise<Answer<K>>
}

export type Measure =
  | { kind: 'product'; rows: number; inner: number; columns: number; gigaflops: number }
  /** Milliseconds of each run, submit to result. */
  | { kind: 'run'; tokens: number; runs: readonly number[] }
  | { kind: 'writing'; tokens: number; perSecond: number }

export type Step = { kind: 'product'; rows: number } | { kind: 'run'; tokens: number } | { kind: 'writing' }

/** What one backend came to: its measures, or why it is missing or ended early. */
export interface OfBackend {
  backend: Backend
  info: EngineInfo | undefined
  /** On which the CPU makes products. */
  threads: number
  measures: readonly Measure[]
  failed?: string
}

/** Rows of products, and tokens of runs. */
export const lengths = [16, 128] as const
const headSize = 128
/** A trial has four heads: its projection is as wide as it is high. */
const columns = 4 * headSize
const runs = 7
const written = 24
/** After so many milliseconds no further run of one length is begun. */
const enough = 4000

/** Ids that look like nothing, another text each time; none of the first few, which are special in most vocabularies. */
function ids(text: number, tokens: number, { vocab_size: size }: ModelInfo): Uint32Array {
  const first = Math.min(8, size - 1)
  return Uint32Array.from({ length: tokens }, (_, at) => first + ((at * 7919 + text * 104_729) % (size - first)))
}

/** Measures products, then the model. @throws {Failure | DOMException} where a step fails or the signal ends it */
export async function measure(
  asker: Asker,
  model: ModelInfo,
  { signal, begins, tell, now, threads }: Observer,
): Promise<void> {
  if (threads) {
    await asker.ask('run', { request: request(ids(runs + 2, 1, model), model) }, signal)
    await orEnded(threads, signal)
  }
  for (const rows of lengths) {
    begins({ kind: 'product', rows })
    const { milliseconds } = await asker.ask('trial', { what: 'fused', length: rows, headSize }, signal)
    tell({
      ...{ kind: 'product', rows, inner: columns, columns },
      gigaflops: (2 * rows * columns * columns) / milliseconds / 1e6,
    })
  }
  for (const tokens of lengths) {
    if (tokens > model.max_position_embeddings) continue
    begins({ kind: 'run', tokens })
    // The first makes plans and compiles shaders.
    const all: number[] = []
    for (let run = 0, began = now(); run <= runs && (run < 2 || now() - began < enough); run++) {
      const { report } = await asker.ask('run', { request: request(ids(run, tokens, model), model) }, signal)
      if (run > 0) all.push(report.milliseconds)
    }
    tell({ kind: 'run', tokens, runs: all })
  }
  if (!model.is_decoder || !model.predicts_tokens || model.encoder) return
  begins({ kind: 'writing' })
  const times: number[] = []
  const settings = {
    ...{ temperature: 0, topK: 1, topP: 1, minP: 0, repetitionPenalty: 1, seed: 0 },
    ...{ maxNewTokens: written, stopIds: [], beyondLength: false },
  }
  const part = () => void times.push(now())
  await asker.ask('generate', { ids: ids(runs + 1, lengths[0], model), settings }, signal, { part })
  tell({ kind: 'writing', tokens: times.length, perSecond: tokensASecond(times) ?? NaN })
}

/** What a promise gives. @throws {DOMException} where the signal ends the waiting */
function orEnded<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    void promise.then(resolve, reject)
  })
}

export interface Observer {
  signal: AbortSignal
  begins(step: Step): void
  tell(measure: Measure): void
  /** Milliseconds. */
  now(): number
  /** Of an engine that will have several behind its first result: settles once they are there. */
  threads?: Promise<unknown>
}

/** A run whose last token is predicted where the model predicts any; of an encoder–decoder its encoder reads the text. */
function request(ids: Uint32Array, { encoder, decoder_start_token_id: start, predicts_tokens: predicts }: ModelInfo) {
  const place = { topK: 1, layer: 0, head: 0, positionOffset: 0 }
  if (encoder) {
    const pair = { source: ids, text: Uint32Array.of(start ?? 0), part: 'encoder' as const }
    return { ids, pair, rows: new Uint32Array(), ...place }
  }
  return { ids, rows: Uint32Array.from(predicts ? [ids.length - 1] : []), ...place }
}
