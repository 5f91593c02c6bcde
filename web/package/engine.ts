import { EngineClient, type EngineEvent, type How, type WorkerLike } from '../engine/client/client'
import { engineFailure } from '../engine/protocol/failure'
import type { BackendChoice, EngineInfo, ModelSource } from '../engine/protocol/protocol'
import type { Result, ParamsOfModel, Kind } from '../engine/protocol/requests'
import type { WeightsChoice } from '../engine/protocol/weights'
import { Holder, type HeldModel } from '../session/heldModel'
import type { CutWords } from '../text/chineseWords'
import { said } from '../i18n/package'
import { asError, error } from './errors'

/** Bytes of a file that have come, of those it has; 0: not known. */
export interface Progress {
  file: string
  loaded: number
  total: number
}

export interface Beginning {
  backend: BackendChoice
  weights: WeightsChoice
  onProgress?: ((progress: Progress) => void) | undefined
  cutWords?: CutWords | undefined
  /** Hears on how many threads the CPU makes products from now on. */
  onThreads?: ((threads: number) => void) | undefined
}

/** Hears the chunks of a result, and of each try that it begins. */
export interface Hearing<K extends Kind> {
  onChunk?: How<K>['onChunk']
  begin?: () => void
}

/** A question that the engine dropped is asked again so often: it was lost with a device or a worker. */
const tries = 3

/** One worker with one model in it. A lost device and a crashed worker are replaced, and the model is read again. */
export class Engine {
  readonly #client: EngineClient
  readonly #holder: Holder
  readonly #onProgress: ((progress: Progress) => void) | undefined
  readonly #onThreads: ((threads: number) => void) | undefined
  #info: EngineInfo | undefined
  #threads = 1
  #held!: Promise<HeldModel>
  #hold!: (held: HeldModel) => void
  #drop!: (reason: Error) => void
  #settled = true

  constructor(spawn: () => WorkerLike, { backend, weights, onProgress, cutWords, onThreads }: Beginning) {
    this.#onProgress = onProgress
    this.#onThreads = onThreads
    this.#await()
    this.#client = new EngineClient(spawn, (event) => this.#hear(event))
    this.#holder = new Holder(this.#client, async (name) => {
      if (!cutWords) throw error('tokenizer', said.noCutWords(name))
      return cutWords
    })
    this.#client.start(backend, weights)
  }

  /** What runs; undefined while it starts. */
  get info(): EngineInfo | undefined {
    return this.#info
  }

  /** On how many threads the CPU makes products. */
  get threads(): number {
    return this.#threads
  }

  /** The model, once it is there: again after a loss. */
  get held(): Promise<HeldModel> {
    return this.#held
  }

  async load(source: ModelSource, signal: AbortSignal | undefined): Promise<HeldModel> {
    signal?.throwIfAborted()
    const cancel = () => this.#client.cancelLoad()
    signal?.addEventListener('abort', cancel)
    this.#client.load(source)
    try {
      return await this.#held
    } catch (reason) {
      signal?.throwIfAborted()
      throw reason
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Asks the model that is there; again where the engine was lost meanwhile. @throws {RopescopeError} */
  async ask<K extends Kind>(
    kind: K,
    params: ParamsOfModel<K>,
    signal: AbortSignal | undefined,
    { onChunk = () => {}, begin = () => {} }: Hearing<K> = {},
  ): Promise<Result<K>> {
    const stop = signal ?? new AbortController().signal
    for (let left = tries; ; left--) {
      signal?.throwIfAborted()
      try {
        begin()
        const reply = await (await this.#held).ask(kind, params, { onChunk, signal: stop })
        signal?.throwIfAborted()
        if (reply.status === 'ok') return reply.result
      } catch (reason) {
        signal?.throwIfAborted()
        const failed = asError(reason)
        if (!('code' in failed) || failed.code !== 'restarted' || !this.#client.running || left === 1) throw failed
      }
      if (left === 1) throw asError(engineFailure('restarted', {}, true))
    }
  }

  /** Ends the worker, and with it the model; whoever waits for it hears why. */
  end(reason: Error): void {
    this.#client.end()
    this.#await()
    this.#drop(reason)
  }

  /** Whoever waits for a model that is not there yet goes on waiting. */
  #await(): void {
    if (!this.#settled) return
    this.#settled = false
    this.#held = new Promise((resolve, reject) => {
      const once =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          this.#settled = true
          settle(value)
        }
      this.#hold = once(resolve)
      this.#drop = once(reject)
    })
    // Whoever asks hears of it.
    this.#held.catch(() => {})
  }

  #hear(event: EngineEvent): void {
    switch (event.type) {
      case 'started':
        this.#info = event.info
        return
      case 'threads':
        this.#threads = event.threads
        this.#onThreads?.(event.threads)
        return
      case 'starting':
        this.#threads = 1
        this.#info = undefined
        this.#await()
        return
      case 'deviceLost':
        this.#info = undefined
        this.#await()
        return
      case 'progress':
        this.#onProgress?.({ file: event.file, loaded: event.loaded, total: event.total })
        return
      case 'tokenizer':
        this.#holder.prepare(event)
        return
      case 'loaded':
        this.#holder.hold(event, this.#hold, (reason) => this.#drop(asError(reason)))
        return
      case 'loadFailed':
      case 'failed':
        this.#drop(asError(event.failure))
        return
      case 'crashed':
        if (!event.restarting) this.#drop(error('crashed', event.message, true))
    }
  }
}
