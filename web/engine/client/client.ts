import { withMessage, noWorker } from './failures'
import { engineFailure } from '../protocol/failure'
import type { FromWorker, Reply, ToWorker } from '../protocol/messages'
import type {
  BackendChoice,
  EngineInfo,
  Failure,
  GridLayout,
  GridView,
  ModelInfo,
  ModelRope,
  ModelSource,
  Simulation,
  TokenizerFiles,
} from '../protocol/protocol'
import type { Result, Params, Kind, Chunk } from '../protocol/requests'
import { Trust } from './trust'
import { Watchdog, type Ticker } from './watchdog'
import type { WeightsChoice } from '../protocol/weights'

/** What a Worker offers of itself; tests bring their own. */
export interface WorkerLike {
  postMessage(message: ToWorker, transfer?: Transferable[]): void
  terminate(): void
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
}

/** What happens without having been asked for. `generation` counts the workers: it changes when one is replaced. */
export type EngineEvent =
  | { type: 'starting'; generation: number }
  | { type: 'started'; info: EngineInfo }
  /** The CPU's products are made by so many threads from now on. */
  | { type: 'threads'; threads: number }
  | { type: 'loading'; id: number; source: ModelSource }
  | { type: 'progress'; id: number; file: string; loaded: number; total: number }
  /** Of the model that is on its way. */
  | { type: 'rope'; rope: ModelRope }
  /** Of a model whose weights are still on their way: `loaded` follows with the same version, if they come. */
  | { type: 'tokenizer'; version: number; tokenizer: TokenizerFiles }
  /** `version` tells one loaded model from another. */
  | {
      type: 'loaded'
      version: number
      model: ModelInfo
      tokenizer: TokenizerFiles
      describedHeads: string | undefined
      source: ModelSource
    }
  | { type: 'loadFailed'; failure: Failure }
  | { type: 'failed'; failure: Failure }
  | { type: 'deviceLost'; message: string }
  /** So many maps of the grid are still to be painted. */
  | { type: 'painting'; left: number }
  /** The engine no longer holds this run, about which it was asked. */
  | { type: 'gone'; run: number }
  /** It has given no sign of life for so many seconds, although something was asked of it. `loading`: all that was asked is to load a model. */
  | { type: 'silent'; seconds: number; loading: boolean }
  /** It was silent, and has said something. */
  | { type: 'answering' }
  /** `restarting`: a new worker is on its way; else it crashed too often and waits for the visitor. */
  | { type: 'crashed'; message: string; restarting: boolean }

/** How a request is made. */
export interface RequestOptions<K extends Kind> {
  /** Of its requester, from `newSlot`: of kinds of which only the newest counts, its newer request takes the place of its older one. */
  slot?: number
  /** Of a result that streams. */
  onChunk?: (chunk: Chunk<K>) => void
  /** Stops it. */
  signal?: AbortSignal
}

let lastSlot = 0

/** A slot that no other requester has. */
export const newSlot = (): number => ++lastSlot

interface PendingRequest {
  params: object
  onChunk(chunk: unknown): void
  resolve(reply: Reply<never>): void
  reject(reason: Failure): void
}

/** After this many crashes without a result in between, the engine is not started again by itself. */
const mostCrashes = 3

/** The page's side of the protocol: promises for what is asked, events for what happens; a crashed worker is replaced. */
export class EngineClient {
  readonly #spawn: () => WorkerLike
  readonly #listen: (event: EngineEvent) => void
  readonly #simulate: Simulation | undefined
  readonly #trust: Trust
  #worker: WorkerLike | undefined
  #backend: BackendChoice = 'auto'
  #weights: WeightsChoice = 'auto'
  #generation = 0
  #lastId = 0
  #crashes = 0
  /** Threads of the worker's engine. */
  #threads = 1
  /** Whether an engine of several threads has crashed: the next ones have one. */
  #singleThread = false
  readonly #pending = new Map<number, PendingRequest>()
  /** Models on their way, by the id of their load. */
  readonly #sources = new Map<number, ModelSource>()
  #loaded: { id: number; source: ModelSource } | undefined
  #newestLoad: number | undefined
  /** Of the worker's engine; 'failed': the worker said that it has none. */
  #state: 'starting' | 'running' | 'failed' = 'starting'
  readonly #watchdog: Watchdog
  /** Steps of work that the worker had done when it was last pinged. */
  #steps = -1

  constructor(
    spawn: () => WorkerLike,
    listen: (event: EngineEvent) => void,
    simulate?: Simulation,
    trust: Trust = new Trust(),
    ticker?: Ticker,
  ) {
    this.#spawn = spawn
    this.#listen = listen
    this.#simulate = simulate
    this.#trust = trust
    const watched = {
      waits: () =>
        this.#worker !== undefined && (this.#state === 'starting' || this.#isLoading() || this.#pending.size > 0),
      ping: () => this.#worker?.postMessage({ type: 'ping' }),
      silent: (seconds: number) => {
        const loading = this.#state === 'running' && this.#pending.size === 0
        this.#listen({ type: 'silent', seconds, loading })
      },
      answers: () => this.#listen({ type: 'answering' }),
    }
    this.#watchdog = new Watchdog(watched, ticker)
  }

  /** Starts, or starts over, in a new worker; the model is read again from where it came. */
  start(backend: BackendChoice, weights: WeightsChoice = this.#weights): void {
    this.#backend = backend
    this.#weights = weights
    this.#crashes = 0
    this.#singleThread = false
    this.#replaceWorker()
  }

  /** Ends the worker; what waits for an answer hears that. */
  end(): void {
    this.#dropWorker('no-engine')
  }

  /** Loads a model; the one before stays until it is there. `loaded` or `loadFailed` follows. */
  load(source: ModelSource): void {
    const id = ++this.#lastId
    this.#sources.set(id, source)
    this.#newestLoad = id
    if (this.#worker) this.#postLoad(id, source)
    // It crashed too often and was given up: a model to load is a reason to try once more, and goes into the new worker.
    else this.start(this.#backend)
  }

  /** Whether there is a worker; none from the last of too many crashes until the next start. */
  get running(): boolean {
    return this.#worker !== undefined
  }

  cancelLoad(): void {
    if (this.#newestLoad !== undefined) this.#post({ type: 'cancelLoad', id: this.#newestLoad })
  }

  /** @throws {Failure} */
  ask<K extends Kind>(
    kind: K,
    params: Params<K>,
    { slot, onChunk, signal }: RequestOptions<K> = {},
  ): Promise<Reply<Result<K>>> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        resolve({ status: 'stopped' })
        return
      }
      if (!this.#worker) {
        reject(withMessage(engineFailure('no-engine', {}, true)))
        return
      }
      const stop = () => this.#post({ type: 'stop', id })
      this.#pending.set(id, {
        params,
        onChunk: (chunk) => onChunk?.(chunk as Chunk<K>),
        resolve: (reply) => {
          signal?.removeEventListener('abort', stop)
          resolve(reply)
        },
        reject: (reason) => {
          signal?.removeEventListener('abort', stop)
          reject(reason)
        },
      })
      this.#post({ type: 'request', id, kind, params, ...(slot === undefined ? {} : { slot }) } as ToWorker)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  mountCanvas(canvas: OffscreenCanvas): void {
    this.#post({ type: 'canvas', canvas }, [canvas])
  }

  setLayout(layout: GridLayout): void {
    this.#post({ type: 'layout', layout })
  }

  setGridView(view: GridView): void {
    this.#post({ type: 'gridView', view })
  }

  /** For tests: destroys the device. */
  loseDevice(): void {
    this.#post({ type: 'loseDevice' })
  }

  /** For tests: panics in the engine. */
  panic(): void {
    this.#post({ type: 'panic' })
  }

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, transfer)
    if (this.#worker) this.#watchdog.watch()
  }

  #postLoad(id: number, source: ModelSource): void {
    this.#listen({ type: 'loading', id, source })
    this.#post({ type: 'load', id, source })
  }

  #replaceWorker(): void {
    this.#dropWorker('restarted')
    this.#generation++
    this.#listen({ type: 'starting', generation: this.#generation })
    const worker = this.#spawn()
    this.#worker = worker
    this.#threads = 1
    this.#state = 'starting'
    this.#steps = -1
    worker.onmessage = ({ data }) => {
      if (this.#worker !== worker) return
      const alive = data.type !== 'pong' || this.#isWorking(data)
      this.#receive(data)
      if (alive) this.#watchdog.receiveSign()
    }
    worker.onerror = (event) => {
      event.preventDefault?.()
      if (this.#worker === worker) this.#crash(event.message || noWorker())
    }
    const trusted = this.#trust.adapters
    this.#post({
      type: 'start',
      backend: this.#backend,
      ...(this.#weights === 'auto' ? {} : { weights: this.#weights }),
      ...(this.#simulate ? { simulate: this.#simulate } : {}),
      ...(trusted.length > 0 ? { trusted } : {}),
      ...(this.#singleThread ? { alone: true } : {}),
    })
    // What was on its way goes on; else the model that was there comes back.
    const newest = this.#newestLoad
    // Nobody answers the loads that it took the place of.
    for (const id of this.#sources.keys()) if (id !== newest) this.#sources.delete(id)
    const source = newest === undefined ? undefined : this.#sources.get(newest)
    if (newest !== undefined && source) {
      this.#postLoad(newest, source)
    } else if (this.#loaded) {
      this.load(this.#loaded.source)
    }
  }

  /** @param code of the failure of what waits: `restarted` where another worker follows */
  #dropWorker(code: 'restarted' | 'no-engine'): void {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#watchdog.receiveSign()
    for (const { reject } of this.#pending.values()) reject(withMessage(engineFailure(code, {}, true)))
    this.#pending.clear()
  }

  #crash(message: string): void {
    this.#crashes++
    this.#singleThread ||= this.#threads > 1
    const restarting = this.#crashes < mostCrashes
    this.#listen({ type: 'crashed', message, restarting })
    if (restarting) this.#replaceWorker()
    else this.#dropWorker('no-engine')
  }

  /** Whether the answer to a ping is a sign that what is asked will be answered. */
  #isWorking({ open, steps }: Extract<FromWorker, { type: 'pong' }>): boolean {
    const hasWorked = steps !== this.#steps
    this.#steps = steps
    if (this.#state === 'starting') return true
    // A request that the worker does not know, or that has stopped, keeps the page waiting for ever; so does a load without new bytes.
    if (this.#pending.size > 0) return open > 0 && hasWorked
    return !this.#isLoading() || hasWorked
  }

  /** A load without an engine waits for the next start. */
  #isLoading(): boolean {
    return this.#newestLoad !== undefined && this.#state !== 'failed'
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'threads':
        this.#threads = message.threads
        this.#listen(message)
        return
      case 'started':
        this.#state = 'running'
        this.#listen(message)
        return
      case 'painting':
        this.#listen(message)
        return
      case 'sound':
        if (message.adapter !== undefined) this.#trust.add(message.adapter)
        return
      case 'progress':
        if (message.id === this.#newestLoad || message.id === this.#loaded?.id) this.#listen(message)
        return
      case 'rope':
        if (message.id === this.#newestLoad) this.#listen({ type: 'rope', rope: message.rope })
        return
      case 'tokenizer':
        this.#listen({ type: 'tokenizer', version: message.id, tokenizer: message.tokenizer })
        return
      case 'loaded': {
        const source = this.#sources.get(message.id) ?? this.#loaded?.source
        if (!source) return
        this.#sources.delete(message.id)
        if (this.#newestLoad === message.id) this.#newestLoad = undefined
        this.#loaded = { id: message.id, source }
        const { id: version, model, tokenizer, describedHeads } = message
        this.#listen({ type: 'loaded', version, model, tokenizer, describedHeads, source })
        return
      }
      case 'deviceLost':
        this.#listen(message)
        return
      case 'crashed':
        this.#crash(message.message)
        return
      case 'failed':
        this.#fail(message.id, withMessage(message.failure))
        return
      case 'chunk':
        this.#pending.get(message.id)?.onChunk(message.chunk)
        // Back-pressure: the next chunk is asked for when this one is handled.
        this.#post({ type: 'more', id: message.id })
        return
      case 'result': {
        // A text that ran shows that the engine works.
        if (message.kind === 'run') this.#crashes = 0
        this.#take(message.id)?.resolve({ status: 'ok', result: message.result as never })
        return
      }
      case 'dropped': {
        const waiting = this.#take(message.id)
        waiting?.resolve({ status: message.reason })
        if (message.reason === 'gone' && waiting && 'run' in waiting.params)
          this.#listen({ type: 'gone', run: waiting.params.run as number })
      }
    }
  }

  #take(id: number): PendingRequest | undefined {
    const waiting = this.#pending.get(id)
    this.#pending.delete(id)
    return waiting
  }

  #fail(id: number | undefined, reason: Failure): void {
    if (reason.code === 'wasm' || reason.code === 'no-engine') this.#state = 'failed'
    const waiting = id === undefined ? undefined : this.#pending.get(id)
    if (id !== undefined && waiting) {
      this.#pending.delete(id)
      waiting.reject(reason)
    } else if (reason.code === 'no-engine' && id === this.#newestLoad) {
      // It waits for a new start, and is loaded then.
      this.#listen({ type: 'loadFailed', failure: reason })
    } else if (id !== undefined && (this.#sources.delete(id) || id === this.#loaded?.id)) {
      // A load that a newer one took the place of is no news.
      const newest = this.#newestLoad === id || this.#newestLoad === undefined
      if (this.#newestLoad === id) this.#newestLoad = undefined
      if (newest) this.#listen({ type: 'loadFailed', failure: reason })
    } else {
      this.#listen({ type: 'failed', failure: reason })
    }
  }
}
