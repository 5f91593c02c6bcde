import { engineFailure, isFailure } from '../protocol/failure'
import { endTokens, writingRules } from '../protocol/generation'
import type { FromWorker } from '../protocol/messages'
import type { Backend, ModelInfo, ModelRope, ModelSource, StoredFormat, WeightBytes } from '../protocol/protocol'
import {
  openSource,
  type IncomingModel,
  type Progress,
  cancelFailure,
  concatenate,
  type IncomingFile,
} from '../protocol/source'
import type { LoadedModel, Surface, WasmEngine, WasmLoading } from './handler'
import { lossFailure, type EngineSupervisor } from './supervisor'

/** Bytes of a weights file with the length of its header. */
const headerStart = 8

/** Milliseconds between two reports of progress. */
const progressInterval = 50

export interface LoaderContext {
  post(message: FromWorker): void
  supervisor: EngineSupervisor
  /** Of the machine in GB, by the browser. */
  memory?: number | undefined
  yieldToEventLoop(): Promise<void>
  now(): number
  /** Reports a load that failed; an error that is no Failure crashes the worker. */
  fail(id: number, error: unknown): void
}

/** Reads models into the engine, and again when the engine is replaced. */
export class ModelLoader {
  readonly #context: LoaderContext
  /** The loaded model with its source and engine; the engine is a replaced one until the model is read again. */
  #loaded: { model: LoadedModel; source: ModelSource; engine: WasmEngine } | undefined
  #prefetched: PrefetchedSource | undefined
  #loading: { id: number; abort: AbortController } | undefined

  constructor(context: LoaderContext) {
    this.#context = context
  }

  /** The model in the engine. */
  get model(): LoadedModel | undefined {
    return this.#loaded?.engine === this.#context.supervisor.engine ? this.#loaded?.model : undefined
  }

  /** Fetches the files of a model that will probably be loaded. */
  prefetch(source: ModelSource): void {
    this.#prefetched = new PrefetchedSource(source)
  }

  cancel(id: number): void {
    if (this.#loading?.id === id) this.#loading.abort.abort()
  }

  /** Reads the model again after the engine was replaced, unless another one is loading. */
  restore(): void {
    const { supervisor } = this.#context
    const loaded = this.#loaded
    if (!this.#loading && loaded && loaded.engine !== supervisor.engine) void this.load(loaded.model.id, loaded.source)
  }

  async load(id: number, source: ModelSource): Promise<void> {
    this.#loading?.abort.abort()
    const loading = { id, abort: new AbortController() }
    this.#loading = loading
    const { supervisor, fail } = this.#context
    const { signal } = loading.abort
    const progress = this.#progressOf(id)
    const prefetched = this.#prefetched?.take(source, progress, signal)
    this.#prefetched = undefined
    try {
      await this.#read(id, source, prefetched ?? openSource(source, progress, signal), signal)
      if (this.#loading === loading) this.#loading = undefined
    } catch (error) {
      const code = isFailure(error) ? error.code : undefined
      // The failure may come from a broken adapter, so an unknown one is checked.
      const isReplaced = code === 'device-lost' || (code === 'gpu' && (await supervisor.checkAdapter()))
      const isNewest = this.#loading === loading
      if (isNewest) this.#loading = undefined
      if (isNewest && isReplaced) {
        void this.load(id, source)
        return
      }
      loading.abort.abort()
      fail(id, error)
      if (isNewest) this.restore()
    }
  }

  #progressOf(id: number): Progress {
    const { now, post } = this.#context
    let last = 0
    return (file, loaded, total) => {
      if (loaded !== total && now() - last < progressInterval) return
      last = now()
      post({ type: 'progress', id, file, loaded, total })
    }
  }

  /** Reads a model into the engine as its weights arrive; the former one stays until the end. */
  async #read(id: number, source: ModelSource, incoming: IncomingModel, signal: AbortSignal): Promise<void> {
    const { post, supervisor, yieldToEventLoop } = this.#context
    const [config, weights] = await Promise.all([incoming.config, incoming.weights])
    const surface = await supervisor.surface()
    if (!surface) throw engineFailure('no-engine', {}, true)
    const header = await readHeader(surface, weights)
    // Fails here for a wrong config or size, before the weights are read and pipelines are compiled.
    const { bytes, rope } = JSON.parse(surface.beforeWeights(config, header)) as BeforeWeights
    post({ type: 'rope', id, rope })
    let unfinished: WasmLoading | undefined
    try {
      const load = await supervisor.withEngine(async (engine) => {
        const format = this.#formatOf(bytes)
        const loading = await engine.begin(config, header, weights.length, format.format)
        if (supervisor.engine === engine) return { engine, loading, format }
        loading.free()
        throw lossFailure()
      })
      unfinished = load.loading
      const [tokenizer, generation, describedHeads] = await Promise.all([
        incoming.tokenizer,
        incoming.generation,
        incoming.describedHeads,
      ])
      post({ type: 'tokenizer', id, tokenizer })
      for await (const piece of weights.rest()) {
        if (supervisor.engine !== load.engine) throw lossFailure()
        unfinished.push(piece)
        // Pieces that have arrived follow each other at once: messages must come between them.
        await yieldToEventLoop()
      }
      await supervisor.withEngine((engine) => {
        if (signal.aborted) throw cancelFailure()
        if (engine !== load.engine) throw lossFailure()
        unfinished = undefined
        const info = JSON.parse(engine.adopt(load.loading)) as Omit<ModelInfo, 'name' | 'weights'>
        const ends = endTokens(generation) ?? info.eos_token_ids
        const model = {
          ...info,
          name: source.name,
          weights: load.format,
          eos_token_ids: ends,
          ...(info.encoder ? { writing: writingRules(generation, ends) } : {}),
        }
        this.#loaded = {
          model: { id, info, newest: undefined, baseline: undefined, comparison: undefined },
          source,
          engine,
        }
        post({ type: 'loaded', id, model, tokenizer, describedHeads })
      })
    } finally {
      unfinished?.free()
    }
  }

  #formatOf(bytes: WeightBytes): ModelInfo['weights'] {
    const { supervisor, memory } = this.#context
    const { weights = 'auto' } = supervisor
    const format = weights === 'auto' ? fittingFormat(bytes, supervisor.info?.backend ?? 'cpu', memory) : weights
    return { format, bytes: bytes[format] }
  }
}

async function readHeader(surface: Surface, weights: IncomingFile): Promise<Uint8Array> {
  const start = await weights.take(headerStart)
  return concatenate([start, await weights.take(surface.headerBytes(start) - start.length)])
}

/** A model's files, fetched before the page loads the model. */
export class PrefetchedSource {
  readonly #source: ModelSource
  readonly #incoming: IncomingModel
  readonly #abort = new AbortController()
  /** The newest progress of each file before the load. */
  readonly #unreported = new Map<string, Parameters<Progress>>()
  #progress: Progress | undefined

  constructor(source: ModelSource) {
    this.#source = source
    this.#incoming = openSource(source, (...progress) => this.#report(progress), this.#abort.signal)
  }

  /** The files of this model; of another one undefined, and its fetch ends. */
  take(source: ModelSource, progress: Progress, signal: AbortSignal): IncomingModel | undefined {
    if (source.kind !== 'url' || this.#source.kind !== 'url' || source.base !== this.#source.base) {
      this.#abort.abort()
      return undefined
    }
    signal.addEventListener('abort', () => this.#abort.abort())
    this.#progress = progress
    for (const report of this.#unreported.values()) progress(...report)
    return this.#incoming
  }

  #report(progress: Parameters<Progress>): void {
    if (this.#progress) this.#progress(...progress)
    else this.#unreported.set(progress[0], progress)
  }
}

/** From the headers of a model's files. */
interface BeforeWeights {
  bytes: WeightBytes
  rope: ModelRope
}

/** In bytes. Smaller models are stored in f32, the fastest format, whatever their file has. */
const smallModel = 256e6

/** In bytes. WASM has 4 GiB; texts and results need memory, too. */
const mostOnCpu = 2.5e9
/** In bytes. Adapters do not report their memory; many laptops give a page so much. */
const mostOnGpu = 4e9

/**
 * The most exact format that fits, or the smallest where none does.
 *
 * @param memory of the machine in GB, by the browser (8 at most)
 */
export function fittingFormat(bytes: WeightBytes, backend: Backend, memory: number | undefined): StoredFormat {
  if (bytes.f32 <= smallModel) return 'f32'
  const most = Math.min(backend === 'cpu' ? mostOnCpu : mostOnGpu, ((memory ?? 8) / 2) * 1e9)
  return (['stored', 'int8'] as const).find((format) => bytes[format] <= most) ?? 'int4'
}
