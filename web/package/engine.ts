import { EngineClient, type EngineEvent, type RequestOptions, type WorkerLike } from '../engine/client/client'
import { engineFailure } from '../engine/protocol/failure'
import type { BackendChoice, EngineInfo, ModelSource, WeightsChoice } from '../engine/protocol/protocol'
import type { Result, ParamsOfModel, RequestKind } from '../engine/protocol/requests'
import { ModelOpener, type EngineModel } from '../session/engineModel'
import type { CutWords } from '../text/chineseWords'
import { messages } from './messages.en'
import { asError, error } from './errors'

/** How many bytes of a file have loaded. A `total` of 0 is unknown. */
export interface Progress {
  file: string
  loaded: number
  total: number
}

interface EngineOptions {
  backend: BackendChoice
  weights: WeightsChoice
  onProgress?: ((progress: Progress) => void) | undefined
  cutWords?: CutWords | undefined
}

/** Callbacks of one request. `begin` is called before each attempt. */
interface RequestCallbacks<K extends RequestKind> {
  onChunk?: RequestOptions<K>['onChunk']
  begin?: () => void
}

/** Attempts at a request that is lost with a device or a worker. */
const attempts = 3

/** A worker with one model. After a lost device or a crash it starts again and reads the model again. */
export class Engine {
  readonly #client: EngineClient
  readonly #opener: ModelOpener
  readonly #onProgress: ((progress: Progress) => void) | undefined
  #info: EngineInfo | undefined
  #model!: Promise<EngineModel>
  #resolveModel!: (model: EngineModel) => void
  #rejectModel!: (reason: Error) => void
  #settled = true

  constructor(spawn: () => WorkerLike, { backend, weights, onProgress, cutWords }: EngineOptions) {
    this.#onProgress = onProgress
    this.#expectModel()
    this.#client = new EngineClient(spawn, (event) => this.#receive(event))
    this.#opener = new ModelOpener(this.#client, async (name) => {
      if (!cutWords) throw error('tokenizer', messages.noCutWords(name))
      return cutWords
    })
    this.#client.start(backend, weights)
  }

  /** Backend and adapter; undefined while the engine starts. */
  get info(): EngineInfo | undefined {
    return this.#info
  }

  /** The model. After a loss, the promise of the model that is read again. */
  get model(): Promise<EngineModel> {
    return this.#model
  }

  async load(source: ModelSource, signal: AbortSignal | undefined): Promise<EngineModel> {
    signal?.throwIfAborted()
    const cancel = () => this.#client.cancelLoad()
    signal?.addEventListener('abort', cancel)
    this.#client.load(source)
    try {
      return await this.#model
    } catch (reason) {
      signal?.throwIfAborted()
      throw reason
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Sends a request to the model, and sends it again after a crash. @throws {RopescopeError} */
  async ask<K extends RequestKind>(
    kind: K,
    params: ParamsOfModel<K>,
    signal: AbortSignal | undefined,
    { onChunk = () => {}, begin = () => {} }: RequestCallbacks<K> = {},
  ): Promise<Result<K>> {
    const stop = signal ?? new AbortController().signal
    for (let left = attempts; left > 0; left--) {
      signal?.throwIfAborted()
      begin()
      const reply = await (await this.#model).ask(kind, params, { onChunk, signal: stop })
      signal?.throwIfAborted()
      if (reply.status === 'ok') return reply.result
      if (reply.status === 'failed' && reply.failure.code !== 'restarted') throw asError(reply.failure)
    }
    throw asError(engineFailure('restarted', {}, true))
  }

  /** Ends the worker. The promise of the model is rejected with the reason. */
  end(reason: Error): void {
    this.#client.end()
    this.#expectModel()
    this.#rejectModel(reason)
  }

  /** Makes a new promise of the model, unless the last one is still pending. */
  #expectModel(): void {
    if (!this.#settled) return
    this.#settled = false
    this.#model = new Promise((resolve, reject) => {
      const once =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          this.#settled = true
          settle(value)
        }
      this.#resolveModel = once(resolve)
      this.#rejectModel = once(reject)
    })
    // Callers of `model` handle the rejection.
    this.#model.catch(() => {})
  }

  #receive(event: EngineEvent): void {
    switch (event.type) {
      case 'started':
        this.#info = event.info
        return
      case 'starting':
        this.#info = undefined
        this.#expectModel()
        return
      case 'deviceLost':
        this.#info = undefined
        this.#expectModel()
        return
      case 'progress':
        this.#onProgress?.({ file: event.file, loaded: event.loaded, total: event.total })
        return
      case 'tokenizer':
        this.#opener.prepare(event)
        return
      case 'loaded':
        this.#opener.open(event, this.#resolveModel, (reason) => this.#rejectModel(asError(reason)))
        return
      case 'loadFailed':
      case 'failed':
        this.#rejectModel(asError(event.failure))
        return
      case 'crashed':
        if (!event.restarting) this.#rejectModel(error('crashed', event.message, true))
    }
  }
}
