// Types of the handlers: the WASM with narrower functions, the engine, its model, and the runs that it holds.
import { infoOfPart, type Pair, type PartName } from '../protocol/parts'
import type { Change, ModelInfo, PairIntervention } from '../protocol/protocol'
import type { Chunk, RequestKind, Params, Result, TextRun } from '../protocol/requests'
import type { Turn } from './scheduler'
import type * as wasm from '../../wasm/ropescope.js'
import type { NumberIntervention } from '../protocol/numberIntervention'
import type { Site } from '../protocol/site'

/** The model in the engine. */
export interface LoadedModel {
  /** The id of the request that loaded it. */
  readonly id: number
  readonly info: Omit<ModelInfo, 'name' | 'weights'>
  /** The newest run, which the engine paints. */
  newest: FullRun | undefined
  /** The newest run without interventions; it answers until the engine overwrites it. */
  baseline: FullRun | undefined
  /** The newest run of another text or with other interventions. */
  comparison: StoredRun | undefined
}

/** A run whose heads and maps can be read. */
export interface StoredRun {
  /** The id of the request that ran it. */
  readonly id: number
  /** By `runKey`. */
  readonly key: string
  readonly length: number
  /** The engine's number for it. */
  readonly number: number
  /** Of an encoder–decoder. */
  readonly pair: Pair | undefined
}

/** A run that answers every request. */
export interface FullRun extends StoredRun {
  /** (length) */
  readonly ids: Uint32Array
  /** (length): ids; negative for special tokens. */
  readonly tokens: Float32Array
  /** (layers, head_size / 2). Positions begin at `offset`. */
  readonly theta: Float64Array
  readonly offset: number
  readonly muted: readonly PairIntervention[]
}

export interface EngineCall {
  /** The id of the request. */
  id: number
  engine: WasmEngine
  /** Undefined before a model is loaded. */
  model: LoadedModel | undefined
  /** The mathematics; undefined where the WASM did not start. */
  surface(): Promise<Surface | undefined>
  /** Lets messages arrive. False: nobody waits for the result any more. */
  pause(): Promise<boolean>
  /** Whether a task of an earlier turn waits. */
  shouldYield(): boolean
}

/** Of a request to the engine: its turn, and whether a newer one of its slot replaces it. */
interface TurnRules<K extends RequestKind> {
  needs: 'engine'
  turn: Turn
  newestOnly: boolean
  /** Whether the older request's work serves the newer one, too: it is not cancelled then. */
  shares?(older: Params<K>, newer: Params<K>): boolean
}

/** Answers requests of one kind: from the mathematics at once, or by the engine. A stream takes a turn for each chunk. */
export type Handler<K extends RequestKind> =
  | { needs: 'mathematics'; handle(surface: Surface, params: Params<K>): Result<K> }
  /** Null: its run or model is gone. */
  | (TurnRules<K> & { handle(call: EngineCall, params: Params<K>): Promise<Result<K> | null> })
  | (TurnRules<K> & { stream(call: EngineCall, params: Params<K>): Stream<K> })

export type Stream<K extends RequestKind> = AsyncGenerator<Chunk<K>, Result<K> | null, void>

/** The part whose heads are read; of other models the decoder. */
export const partName = (pair: Pair | undefined): PartName => pair?.part ?? 'decoder'

/** The sizes of the part whose heads are read. */
export const sizesOf = (model: LoadedModel, pair: Pair | undefined): LoadedModel['info'] =>
  infoOfPart(model.info, partName(pair))

/** Equal for runs with equal heads. */
export function runKey({ ids, pair, positionOffset, change }: TextRun & { change?: Change }): string {
  const { labels: _, ...interventions } = change ?? {}
  const source = pair && [Array.from(pair.source), Array.from(pair.text), pair.part]
  return JSON.stringify([Array.from(ids), source, positionOffset, interventions])
}

/** The run of this id that answers every request. */
export const findRun = (model: LoadedModel | undefined, id: number): FullRun | undefined =>
  [model?.newest, model?.baseline].find((run) => run?.id === id)

/** The run of this id whose heads and maps can be read. */
export const findHeads = (model: LoadedModel | undefined, id: number): StoredRun | undefined =>
  findRun(model, id) ?? [model?.comparison].find((run) => run?.id === id)

/** Awaited every few milliseconds; false cancels the call, which then rejects with code "cancelled". */
type Pause = () => Promise<boolean>

/** Every function parameter of a method is a pause. */
type WithPause<M> = M extends (...args: infer Args) => infer R
  ? (...args: { [I in keyof Args]: Function extends Args[I] ? Pause : Args[I] }) => R
  : M

/** An object of the WASM, without its symbols. */
type Handle<C> = { readonly [M in Exclude<keyof C, symbol>]: WithPause<C[M]> }

/** One engine on one backend. Its methods must not overlap: each takes the engine for itself until it settles. */
export type WasmEngine = Handle<wasm.Engine>
export type WasmDevice = Handle<wasm.DeviceHandle>
export type WasmLoading = wasm.ModelLoading
export type WasmRun = Handle<wasm.RunOutput>
export type WasmHead = Handle<wasm.HeadOutput>
/** A run consumes it. */
export type WasmChange = wasm.Change

export type Surface = Omit<typeof wasm, 'Engine'> & {
  readonly Engine: {
    /** Rejects with a Failure. `onLost` is called once, when the device is gone. */
    open(backend: wasm.BackendName, onLost: (message: string) => void): Promise<WasmEngine>
  }
  /** Its memory, which is shared where the page is isolated. */
  readonly memory?: WebAssembly.Memory
}

type Replacement = 'zero' | 'mean' | 'frozen' | 'rotated' | `log-n:${number}` | `clamp:${number}`
export type Intervention = `${Site}=${Replacement}` | NumberIntervention
