// A worker whose messages the test sends.

import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { WorkerLike } from '../engine/client/client'
import type { EngineRequest, FromWorker, ToWorker, DropReason } from '../engine/protocol/messages'
import type { Failure, HeadResult, ModelInfo, RunResult, TokenizerFiles } from '../engine/protocol/protocol'
import type { Result, RequestKind } from '../engine/protocol/requests'

/** Lets promises and effects settle: a turn of the event loop. */
export const soon = () => setImmediate()

export const files = { tokenizer: readFileSync('models/roformer-english/tokenizer.json', 'utf8') }

const info = {
  name: 'test',
  architecture: 'RoFormerForMaskedLM',
  num_hidden_layers: 4,
  num_attention_heads: 8,
  num_key_value_heads: 8,
  max_position_embeddings: 512,
  head_size: 2,
  scale: Math.SQRT1_2,
  predicts_tokens: true,
  is_decoder: false,
  eos_token_ids: [] as number[],
  weights: { format: 'f32', bytes: 1 },
} as ModelInfo

/** What `loaded` takes for an encoder–decoder. */
export const encoderDecoder = {
  encoder: { num_hidden_layers: 4, num_attention_heads: 8 },
  decoder_start_token_id: 2,
  is_decoder: true,
} as unknown as Partial<ModelInfo>

export class FakeWorker implements WorkerLike {
  sent: ToWorker[] = []
  onmessage: WorkerLike['onmessage'] = null
  onerror: WorkerLike['onerror'] = null
  postMessage(message: ToWorker): void {
    this.sent.push(message)
  }
  terminate(): void {}

  say(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>)
  }

  /** All requests of a kind. */
  requests<K extends RequestKind>(kind: K): EngineRequest<K>[] {
    return this.sent.filter(
      (message) => message.type === 'request' && message.kind === kind,
    ) as unknown as EngineRequest<K>[]
  }

  async answer<K extends RequestKind>({ id, kind }: EngineRequest<K>, result: Result<K>): Promise<void> {
    this.say({ type: 'result', id, kind, result } as FromWorker)
    await soon()
  }

  async refuse({ id, kind }: EngineRequest<RequestKind>, reason: DropReason): Promise<void> {
    this.say({ type: 'dropped', id, kind, reason })
    await soon()
  }

  /** Fails a request with an engine's failure that may pass. */
  async fail({ id }: EngineRequest<RequestKind>, failure: Failure): Promise<void> {
    this.say({ type: 'failed', id, failure })
    await soon()
  }

  /** Answers a load, by default the newest one. */
  async loaded(over: Partial<ModelInfo> = {}, id = this.newestLoad, tokenizer: TokenizerFiles = files): Promise<void> {
    this.say({ type: 'loaded', id, model: { ...info, ...over }, tokenizer })
    await soon()
  }

  get newestLoad(): number {
    const load = this.sent.findLast((message) => message.type === 'load')
    return load?.type === 'load' ? load.id : -1
  }

  /** Ends the newest run, or this one. */
  async ran(run = this.requests('run').at(-1), over: Partial<RunResult> = {}): Promise<void> {
    if (!run) throw new Error('nothing was run')
    const { ids, rows, layer, head } = run.params.request
    const result = {
      ...headOf(run.id, layer, head, ids.length),
      rows,
      theta: Float64Array.of(1),
      report: { milliseconds: 1 },
      ...over,
    } as RunResult
    await this.answer(run, result)
  }
}

export function headOf(run: number, layer: number, head: number, length: number): HeadResult {
  const rows = new Float32Array(2 * length)
  return { run, layer, head, length, attention: new Float32Array(length ** 2), query: rows, key: rows }
}
