// The messages between the page and the worker that holds the engine. The page knows nothing else of the WASM.

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
} from './protocol'
import type { Result, Params, Kind, Chunk } from './requests'
import type { WeightsChoice } from './weights'

/** The engine's module, which the page compiles while the worker starts; undefined where it could not: the worker does it then. */
export interface Compiled {
  type: 'module'
  module: WebAssembly.Module | undefined
}

/** A request on its way. */
export interface EngineRequest<K extends Kind> {
  type: 'request'
  id: number
  kind: K
  params: Params<K>
  /** Names its requester: a newer request of the same slot takes its place. Without one nothing does. */
  slot?: number
}

/** A piece of its result: more follow, and the result at the end. */
export interface EngineChunk<K extends Kind> {
  type: 'chunk'
  id: number
  kind: K
  chunk: Chunk<K>
}

export interface EngineResult<K extends Kind> {
  type: 'result'
  id: number
  kind: K
  result: Result<K>
}

/**
 * Why a request has no result although nothing failed: a newer request of its requester took its place, its requester stopped it, or the
 * engine no longer holds the model or the run that it is about.
 */
export type DropReason = 'superseded' | 'stopped' | 'gone'

/** What comes back for a request that did not fail. */
export type Reply<T> = { status: 'ok'; result: T } | { status: DropReason }

export type ToWorker =
  /** `trusted`: the adapters that the page knows to be sound, as the worker named them. `alone`: one thread is to do, an engine with more crashed. */
  | {
      type: 'start'
      backend: BackendChoice
      weights?: WeightsChoice
      simulate?: Simulation
      trusted?: readonly string[]
      alone?: boolean
    }
  /** This model will be loaded, probably: its files are asked for. */
  | { type: 'prefetch'; source: ModelSource }
  | { type: 'load'; id: number; source: ModelSource }
  | { type: 'cancelLoad'; id: number }
  | { type: 'canvas'; canvas: OffscreenCanvas }
  | { type: 'layout'; layout: GridLayout }
  | { type: 'gridView'; view: GridView }
  | { [K in Kind]: EngineRequest<K> }[Kind]
  /** Back-pressure: the page has handled the last chunk of this request, the next one may come. */
  | { type: 'more'; id: number }
  /** The page wants no more of this request. */
  | { type: 'stop'; id: number }
  /** Asks for a sign of life. */
  | { type: 'ping' }
  /** Tests: destroys the device (`loseDevice`) or panics in the engine (`panic`). */
  | { type: 'loseDevice' }
  | { type: 'panic' }

export type FromWorker =
  | { type: 'started'; info: EngineInfo }
  /** The GPU computes what the CPU computes. `adapter`: by this name it may be trusted from now on; none where it cannot be told from others. */
  | { type: 'sound'; adapter?: string }
  /** The CPU's products are made by so many threads from now on. */
  | { type: 'threads'; threads: number }
  | { type: 'progress'; id: number; file: string; loaded: number; total: number }
  /** Of a model whose weights are still on their way. */
  | { type: 'rope'; id: number; rope: ModelRope }
  /** The tokenizer of a model whose weights are still on their way: it can be opened meanwhile. */
  | { type: 'tokenizer'; id: number; tokenizer: TokenizerFiles }
  /** `describedHeads`: the text of heads.json, where there is one. */
  | { type: 'loaded'; id: number; model: ModelInfo; tokenizer: TokenizerFiles; describedHeads?: string | undefined }
  | { [K in Kind]: EngineResult<K> }[Kind]
  | { [K in Kind]: EngineChunk<K> }[Kind]
  | { type: 'dropped'; id: number; kind: Kind; reason: DropReason }
  /** So many maps of the grid are still to be painted: told where that takes a while. */
  | { type: 'painting'; left: number }
  /** Of a request or a load, or of the engine itself where there is no id. */
  | { type: 'failed'; id?: number; failure: Failure }
  | { type: 'deviceLost'; message: string }
  /** The answer to a ping. `open`: requests that are not answered yet; `steps`: so many steps of work were done since the worker began. */
  | { type: 'pong'; open: number; steps: number }
  /** The WASM panicked: the worker must be replaced. */
  | { type: 'crashed'; message: string }
