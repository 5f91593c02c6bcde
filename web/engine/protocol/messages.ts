// The messages between the page and the engine's worker.

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
} from './protocol'
import type { Result, Params, RequestKind, Chunk } from './requests'

/** The engine's module, which the page compiles while the worker starts; undefined where it failed: the worker tries it then. */
export interface ModuleMessage {
  type: 'module'
  module: WebAssembly.Module | undefined
}

/** The one message to a helper, a worker that runs the kernels of one thread. */
export interface HelperStart {
  module: WebAssembly.Module
  memory: WebAssembly.Memory
  /** The address of the thread pool. */
  pool: number
  /** 1 for the first helper. */
  thread: number
}

/** From the engine's worker about its helpers. */
export type HelperRequest =
  { type: 'createHelpers'; count: number } | { type: 'startHelpers'; starts: HelperStart[] } | { type: 'endHelpers' }

/** The answer to `createHelpers`: all of them run their code, or there is none. */
export interface HelpersMessage {
  type: 'helpers'
  created: boolean
}

export interface EngineRequest<K extends RequestKind> {
  type: 'request'
  id: number
  kind: K
  params: Params<K>
  /** Names the requester: a newer request of the same slot may replace this one. */
  slot?: number
}

/** A part of a result that streams; the result ends the stream. */
interface EngineChunk<K extends RequestKind> {
  type: 'chunk'
  id: number
  kind: K
  chunk: Chunk<K>
}

interface EngineResult<K extends RequestKind> {
  type: 'result'
  id: number
  kind: K
  result: Result<K>
}

/** The answer to a request. */
export type Reply<T> =
  | { status: 'ok'; result: T }
  /** Its requester has sent a newer one, or no longer waits. */
  | { status: 'superseded' }
  /** The engine no longer holds its model or run. */
  | { status: 'gone' }
  | { status: 'failed'; failure: Failure }

/** Why a request has no result although nothing failed. */
export type DropReason = 'superseded' | 'gone'

export type ToWorker =
  /** `trusted`: adapters that passed the check, by the worker's names. `singleThread`: use one thread, because an engine with more has crashed. */
  | {
      type: 'start'
      backend: BackendChoice
      weights?: WeightsChoice
      simulate?: Simulation
      trusted?: readonly string[]
      singleThread?: boolean
    }
  /** This model will probably be loaded: fetch its files. */
  | { type: 'prefetch'; source: ModelSource }
  | { type: 'load'; id: number; source: ModelSource }
  | { type: 'cancelLoad'; id: number }
  | { type: 'canvas'; canvas: OffscreenCanvas }
  | { type: 'layout'; layout: GridLayout }
  | { type: 'gridView'; view: GridView }
  | { [K in RequestKind]: EngineRequest<K> }[RequestKind]
  /** Back-pressure: the page has handled the last chunk of this request, and takes the next one. */
  | { type: 'more'; id: number }
  | { type: 'stop'; id: number }
  /** Asks for a pong. */
  | { type: 'ping' }
  /** For tests. */
  | { type: 'loseDevice' }
  | { type: 'panic' }

export type FromWorker =
  | { type: 'started'; info: EngineInfo }
  /** The GPU passed the check. `adapter`: the name to trust it by, where the browser names it. */
  | { type: 'adapterPassed'; adapter?: string }
  /** The number of threads that multiply matrices on the CPU from now on. */
  | { type: 'threads'; threads: number }
  | { type: 'progress'; id: number; file: string; loaded: number; total: number }
  /** Of a model whose weights are still loading. */
  | { type: 'rope'; id: number; rope: ModelRope }
  /** Sent before the weights have arrived, so that the page opens the tokenizer meanwhile. */
  | { type: 'tokenizer'; id: number; tokenizer: TokenizerFiles }
  /** `describedHeads`: the text of heads.json, where there is one. */
  | { type: 'loaded'; id: number; model: ModelInfo; tokenizer: TokenizerFiles; describedHeads?: string | undefined }
  | { [K in RequestKind]: EngineResult<K> }[RequestKind]
  | { [K in RequestKind]: EngineChunk<K> }[RequestKind]
  | { type: 'dropped'; id: number; kind: RequestKind; reason: DropReason }
  /** Maps of the grid that are not painted yet; sent where painting takes long. */
  | { type: 'painting'; left: number }
  /** Of a request or a load; without an id of the engine itself. */
  | { type: 'failed'; id?: number; failure: Failure }
  | { type: 'deviceLost'; message: string }
  /** `open`: requests without an answer; `steps`: of work since the worker started. */
  | { type: 'pong'; open: number; steps: number }
  /** The WASM panicked: the worker must be replaced. */
  | { type: 'crashed'; message: string }
