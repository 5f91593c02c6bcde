import { withMessage, noWorker } from './words'
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
  WeightsChoice,
} from '../protocol/protocol'
import type { Result, Params, RequestKind, Chunk } from '../protocol/requests'
import { Trust } from './trust'
import { Watchdog, type Ticker } from './watchdog'

/** The part of a Worker that the client uses; tests have their own. */
export interface WorkerLike {
  postMessage(message: ToWorker, transfer?: Transferable[]): void
  terminate(): void
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
}

/** Events that no request asked for. `generation` counts the workers. */
export type EngineEvent =
  | { type: 'starting'; generation: number }
  | { type: 'started'; info: EngineInfo }
  /** The number of threads that multiply matrices on the CPU from now on. */
  | { type: 'threads'; threads: number }
  | { type: 'loading'; id: number; source: ModelSource }
  | { type: 'progress'; id: number; file: string; loaded: number; total: number }
  /** Of the model that is loading. */
  | { type: 'rope'; rope: ModelRope }
  /** Of a model whose weights are still loading: `loaded` follows with the same version if they arrive. */
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
  /** Maps of the grid that are not painted yet. */
  | { type: 'painting'; left: number }
  /** A request asked about this run, which the engine no longer holds. */
  | { type: 'gone'; run: number }
  /** No message has arrived for so many seconds while a request waits. `loading`: only a load waits. */
  | { type: 'silent'; seconds: number; loading: boolean }
  /** A message has arrived after `silent`. */
  | { type: 'answering' }
  /** `restarting`: a new worker starts; else it crashed too often, and the visitor has to start it. */
  | { type: 'crashed'; message: string; restarting: boolean }

export interface RequestOptions<K extends RequestKind> {
  /** Names the requester, from `newSlot`. Where only the newest request counts, it replaces the older one of the same slot. */
  slot?: number
  onChunk?: (chunk: Chunk<K>) => void
  signal?: AbortSignal
}

let lastSlot = 0

export const newSlot = (): number => ++lastSlot

interface PendingRequest {
  params: object
  onChunk(chunk: unknown): void
  resolve(reply: Reply<never>): void
}

const failedReply = (failure: Failure) => ({ status: 'failed', failure: withMessage(failure) }) as const

/** After so many crashes without a result in between, the client starts no new worker by itself. */
const mostCrashes = 3

/** The page's side of the protocol: promises for requests, events for the rest. Replaces a crashed worker. */
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
  /** Whether an engine with several threads has crashed: later ones have one thread. */
  #singleThread = false
  readonly #pending = new Map<number, PendingRequest>()
  /** Models that are loading, by the id of their load. */
  readonly #sources = new Map<number, ModelSource>()
  #loaded: { id: number; source: ModelSource } | undefined
  #newestLoad: number | undefined
  /** Of the worker's engine; 'failed': the worker reported that it has none. */
  #state: 'starting' | 'running' | 'failed' = 'starting'
  readonly #watchdog: Watchdog
  /** The worker's steps at the last pong. */
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
    const watch = {
      waits: () =>
        this.#worker !== undefined && (this.#state === 'starting' || this.#isLoading() || this.#pending.size > 0),
      ping: () => this.#worker?.postMessage({ type: 'ping' }),
      silent: (seconds: number) => {
        const loading = this.#state === 'running' && this.#pending.size === 0
        this.#listen({ type: 'silent', seconds, loading })
      },
      answers: () => this.#listen({ type: 'answering' }),
    }
    this.#watchdog = new Watchdog(watch, ticker)
  }

  /** Starts a new worker, which reads the model again. */
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

  /** Loads a model; the former one stays until then. `loaded` or `loadFailed` follows. */
  load(source: ModelSource): void {
    const id = ++this.#lastId
    this.#sources.set(id, source)
    this.#newestLoad = id
    if (this.#worker) this.#postLoad(id, source)
    // There is no worker after too many crashes: another model is a reason to try again.
    else this.start(this.#backend)
  }

  /** Whether there is a worker: after too many crashes there is none until the next start. */
  get running(): boolean {
    return this.#worker !== undefined
  }

  cancelLoad(): void {
    if (this.#newestLoad !== undefined) this.#post({ type: 'cancelLoad', id: this.#newestLoad })
  }

  ask<K extends RequestKind>(
    kind: K,
    params: Params<K>,
    { slot, onChunk, signal }: RequestOptions<K> = {},
  ): Promise<Reply<Result<K>>> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve({ status: 'superseded' })
      if (!this.#worker) return resolve(failedReply(engineFailure('no-engine', {}, true)))
      const stop = () => this.#post({ type: 'stop', id })
      this.#pending.set(id, {
        params,
        onChunk: (chunk) => onChunk?.(chunk as Chunk<K>),
        resolve: (reply) => {
          signal?.removeEventListener('abort', stop)
          resolve(reply)
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
      const showsWork = data.type !== 'pong' || this.#isWorking(data)
      this.#receive(data)
      if (showsWork) this.#watchdog.receiveSign()
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
      ...(this.#singleThread ? { singleThread: true } : {}),
    })
    // The new worker does not answer older loads.
    const newest = this.#newestLoad
    for (const id of this.#sources.keys()) if (id !== newest) this.#sources.delete(id)
    // A load continues; else the loaded model is read again.
    const source = newest === undefined ? undefined : this.#sources.get(newest)
    if (newest !== undefined && source) {
      this.#postLoad(newest, source)
    } else if (this.#loaded) {
      this.load(this.#loaded.source)
    }
  }

  /** Ends the worker. Its requests fail with this code: `restarted` where another worker follows. */
  #dropWorker(code: 'restarted' | 'no-engine'): void {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#watchdog.receiveSign()
    for (const { resolve } of this.#pending.values()) resolve(failedReply(engineFailure(code, {}, true)))
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

  /** Whether a pong shows that the open requests will be answered. */
  #isWorking({ open, steps }: Extract<FromWorker, { type: 'pong' }>): boolean {
    const hasWorked = steps !== this.#steps
    this.#steps = steps
    if (this.#state === 'starting') return true
    // The page would wait for ever for a request that the worker does not know, and for a load without new bytes.
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
      case 'adapterPassed':
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
        // Back-pressure: the worker sends the next chunk after this message.
        this.#post({ type: 'more', id: message.id })
        return
      case 'result': {
        // A run shows that the engine works.
        if (message.kind === 'run') this.#crashes = 0
        this.#removePending(message.id)?.resolve({ status: 'ok', result: message.result as never })
        return
      }
      case 'dropped': {
        const request = this.#removePending(message.id)
        request?.resolve({ status: message.reason })
        if (message.reason === 'gone' && request && 'run' in request.params)
          this.#listen({ type: 'gone', run: request.params.run as number })
      }
    }
  }

  #removePending(id: number): PendingRequest | undefined {
    const request = this.#pending.get(id)
    this.#pending.delete(id)
    return request
  }

  #fail(id: number | undefined, failure: Failure): void {
    if (failure.code === 'wasm' || failure.code === 'no-engine') this.#state = 'failed'
    const request = id === undefined ? undefined : this.#removePending(id)
    if (request) {
      request.resolve({ status: 'failed', failure })
    } else if (failure.code === 'no-engine' && id === this.#newestLoad) {
      // The next start loads it.
      this.#listen({ type: 'loadFailed', failure })
    } else if (id !== undefined && (this.#sources.delete(id) || id === this.#loaded?.id)) {
      // A newer load has replaced this one: its failure is not reported.
      const isNewest = this.#newestLoad === id || this.#newestLoad === undefined
      if (this.#newestLoad === id) this.#newestLoad = undefined
      if (isNewest) this.#listen({ type: 'loadFailed', failure })
    } else {
      this.#listen({ type: 'failed', failure })
    }
  }
}
