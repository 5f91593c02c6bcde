import { EngineClient, type EngineEvent, type Listener, type WorkerLike } from '../engine/client'
import type { BackendChoice, EngineInfo, ModelInfo, ModelSource } from '../engine/protocol'
import type { Answer, Asks, Kind } from '../engine/questions'
import type { WeightsChoice } from '../engine/weights'
import { said as failures } from '../words/worker'
import { TextTokenizer } from '../text/tokenizer'
import { asError, error } from './errors'

/** Bytes of a file that have come, of those it has; 0: not known. */
export interface Progress {
  file: string
  loaded: number
  total: number
}

/** A model in the engine, with what reads its texts. */
export interface Held {
  version: number
  info: ModelInfo
  tokenizer: TextTokenizer
}

export interface Beginning {
  backend: BackendChoice
  weights: WeightsChoice
  onProgress?: ((progress: Progress) => void) | undefined
}

/** A question that the engine dropped is asked again so often: it was lost with a device or a worker. */
const tries = 3

/** One worker with one model in it. A lost device and a crashed worker are replaced, and the model is read again. */
export class Engine {
  readonly #client: EngineClient
  readonly #onProgress: ((progress: Progress) => void) | undefined
  #info: EngineInfo | undefined
  #held!: Promise<Held>
  #hold!: (held: Held) => void
  #drop!: (reason: Error) => void
  #settled = true

  constructor(spawn: () => WorkerLike, { backend, weights, onProgress }: Beginning) {
    this.#onProgress = onProgress
    this.#await()
    this.#client = new EngineClient(spawn, (event) => this.#hear(event))
    this.#client.start(backend, weights)
  }

  /** What runs; undefined while it starts. */
  get info(): EngineInfo | undefined {
    return this.#info
  }

  /** The model, once it is there: again after a loss. */
  get held(): Promise<Held> {
    return this.#held
  }

  async load(source: ModelSource, signal: AbortSignal | undefined): Promise<Held> {
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

  /** Asks of the model that is there; again where the engine was lost meanwhile. `asks` is made for each try. @throws {RopescopeError} */
  async ask<K extends Kind>(
    kind: K,
    asks: (held: Held) => Asks<K>,
    signal: AbortSignal | undefined,
    part: Listener<K>['part'] = () => {},
  ): Promise<Answer<K>> {
    const stop = signal ?? new AbortController().signal
    for (let left = tries; ; left--) {
      signal?.throwIfAborted()
      try {
        const answer = await this.#client.ask(kind, asks(await this.#held), { part, signal: stop })
        signal?.throwIfAborted()
        if (answer !== null) return answer
      } catch (reason) {
        signal?.throwIfAborted()
        const failed = asError(reason)
        if (!('code' in failed) || failed.code !== 'restarted' || !this.#client.running || left === 1) throw failed
      }
      if (left === 1) throw error('restarted', failures.failures.restarted, true)
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
      case 'starting':
      case 'deviceLost':
        this.#info = undefined
        this.#await()
        return
      case 'progress':
        this.#onProgress?.({ file: event.file, loaded: event.loaded, total: event.total })
        return
      case 'loaded':
        try {
          this.#hold({ version: event.version, info: event.model, tokenizer: TextTokenizer.open(event.tokenizer) })
        } catch (reason) {
          this.#drop(asError(reason))
        }
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
