// The worker's model and its runs, and what a question's answer works with.
import type { Pair, PartName } from '../protocol/parts'
import type { ModelInfo, Muted } from '../protocol/protocol'
import type { Result, Params, Kind, Chunk } from '../protocol/requests'
import type { Surface, WasmEngine } from './surface'
import type { Turn } from './scheduler'

/** The model that the engine holds. */
export interface ModelAtWork {
  /** The id of the request that loaded it. */
  readonly id: number
  readonly info: Omit<ModelInfo, 'name' | 'weights'>
  /** The newest run, whose picture the engine paints. */
  run: HeldRun | undefined
  /** The newest run without interventions. It answers until the engine has overwritten it. */
  whole: HeldRun | undefined
  /** The newest run of another text. */
  beside: BesideRun | undefined
}

/** A run that answers questions about heads and maps. */
export interface BesideRun {
  /** The id of the question that ran it. */
  readonly id: number
  readonly length: number
  /** The engine's number for it. */
  readonly number: number
  /** The source and text of an encoder–decoder, and the part whose heads are selected. */
  readonly pair: Pair | undefined
}

/** A run that answers every question. */
export interface HeldRun extends BesideRun {
  /** (length) */
  readonly ids: Uint32Array
  /** (length): ids; negative for tokens that stand for no word. */
  readonly tokens: Float32Array
  /** (layers, head_size / 2): angles a position. Positions begin at `offset`. */
  readonly theta: Float64Array
  readonly offset: number
  readonly muted: readonly Muted[]
}

export interface AtWork {
  /** The id of the question. */
  id: number
  engine: WasmEngine
  /** Undefined before a model is loaded. */
  model: ModelAtWork | undefined
  /** The mathematics; undefined where the WASM did not start. */
  surface(): Promise<Surface | undefined>
  /** Lets messages in. False: nobody waits for the answer any more. */
  pause(): Promise<boolean>
  /** Whether a question of an earlier turn waits. */
  overtaken(): boolean
}

/** Where a question is answered. A question to the engine has a turn; a stream takes a turn for each part. */
export type Row<K extends Kind> =
  | { needs: 'mathematics'; answer(surface: Surface, asks: Params<K>): Result<K> }
  | {
      needs: 'engine'
      turn: Turn
      newestOnly: boolean
      /** Null: its run or model is gone. */
      answer(at: AtWork, asks: Params<K>): Promise<Result<K> | null>
    }
  | {
      needs: 'engine'
      turn: Turn
      newestOnly: boolean
      stream(at: AtWork, asks: Params<K>): Stream<K>
    }

export type Stream<K extends Kind> = AsyncGenerator<Chunk<K>, Result<K> | null, void>

/** The part whose heads are read; of a model with one stack that is the decoder. */
export const partOf = (pair: Pair | undefined): PartName => pair?.part ?? 'decoder'

/** The run of this id that answers every question. */
export const heldRun = (model: ModelAtWork | undefined, id: number): HeldRun | undefined =>
  [model?.run, model?.whole].find((held) => held?.id === id)

/** The run of this id that answers questions about heads and maps. */
export const lookable = (model: ModelAtWork | undefined, id: number): BesideRun | undefined =>
  heldRun(model, id) ?? [model?.beside].find((held) => held?.id === id)
