// Everything the page can ask of its worker: a row a question. How each is answered stands in answers.ts, under the same name.

import type {
  Candidate,
  GeneratedToken,
  GenerationEnd,
  GenerationSettings,
  Sampling,
  SearchedToken,
} from './generation'
import type {
  AddedPositions,
  DistanceCurves,
  HeadPrediction,
  PositionTable,
  ScoreParts,
  SinusoidsOf,
  ContextExtensionName,
  PositionEncodingName,
} from './mathematics'
import type {
  AlikeHeads,
  Backend,
  Change,
  ContactResult,
  Differences,
  FlowResult,
  GridPixels,
  HeadByDistance,
  HeadResult,
  HeadRows,
  HeadStatistics,
  LensResult,
  Loss,
  MapKind,
  MapResult,
  RunResult,
  MasksResult,
  Trial,
  TrialKind,
} from './protocol'
import type { Pair } from './parts'

/** A text to be run, with what is changed in the model. */
export interface TextRun {
  ids: Uint32Array
  pair?: Pair
  positionOffset: number
  beyondLength?: boolean
  change?: Omit<Change, 'labels'>
}

export interface RunRequest {
  /** (length): the tokens that views show */
  ids: Uint32Array
  /** What an encoder–decoder runs: `ids` are those of one part of it. */
  pair?: Pair
  /** Positions of tokens that stand for no word: they have no part in what heads are said to do. */
  special?: Uint32Array
  /** Positions whose vocabulary fills are wanted, ascending. */
  rows: Uint32Array
  topK: number
  layer: number
  head: number
  /** Added to every position id. */
  positionOffset: number
  /** Whether to run a text that is longer than the model's `max_position_embeddings`, where its positions go on. */
  beyondLength?: boolean
  change?: Change
}

/** `part`, where a row has one: what is told, again and again, before the answer. */
export interface Requests {
  /** θ_i = base^(−2i/d): (head_size / 2). */
  frequencies: { params: { headSize: number; base: number }; result: Float64Array }
  /** (length, pairs): m·θ_i modulo 2π. */
  angles: { params: { theta: Float64Array; length: number }; result: Float32Array }
  /** The bound at distances 0 … maxDistance. */
  decay: { params: { theta: Float64Array; maxDistance: number }; result: Float64Array }
  /**
   * What Read's chapter 6 draws over distances 0 … maxDistance, for each rope by its head size and base or by θ: see `DistanceCurves`.
   * q, k: (headSize), not rotated, scored by the first rope with its distance counted from `aligned`; none where they are empty.
   */
  distanceCurves: {
    params: {
      ropes: readonly ({ headSize: number; base: number } | { theta: Float64Array })[]
      maxDistance: number
      query: Float32Array
      key: Float32Array
      aligned: number
      /** Whether every pair turns as fast as the first. */
      alike: boolean
    }
    result: DistanceCurves[]
  }
  /** Two rows turned to positions m and n, and their score at distances −reach … reach (m − n), four from one to the next. Rows: (2 · pairs), θ: (pairs). */
  rotated: {
    params: { query: Float64Array; key: Float64Array; theta: Float64Array; m: number; n: number; reach: number }
    result: { query: Float64Array; key: Float64Array; sweep: Float64Array }
  }
  /**
   * A row drawn by its seed, with each position added: sinusoids, or a table, (length, size), where the row is as long as the model's
   * embeddings are; and cosines of random pairs of rows in each of these dimensions.
   */
  added: {
    params: { rows: SinusoidsOf | PositionTable; seed: number; dimensions: readonly number[]; count: number }
    result: AddedPositions
  }
  /**
   * A row (headSize), or one drawn by its seed: as it is, turned by its position, and with its sinusoidal position added. `rotated`: the row
   * is turned already, by θ where that is told.
   */
  norms: {
    params: {
      headSize: number
      base: number
      position: number
      row: Float32Array | undefined
      theta: Float64Array | undefined
      rotated: boolean
      seed: number
    }
    result: { before: Float64Array; rotated: Float64Array; added: Float64Array }
  }
  /** One head of attention by hand: query, key, value (tokens, size), seen (tokens, tokens). */
  byHand: {
    params: { tokens: number; size: number; scale: number; rows: Float64Array; visible: readonly boolean[] }
    result: { scores: Float64Array; weights: Float64Array; outputs: Float64Array }
  }
  /** The terms of a way to tell positions (`web/views/ways`), (terms, tokens, tokens), with the first token here and there. */
  ways: {
    params: { way: PositionEncodingName; first: number; shifted: number }
    result: { terms: Float64Array; shifted: Float64Array }
  }
  /** What each way to tell positions learns, in each layer and for all, and what a text takes, in a layer and for all: (ways, 4). */
  learnt: { params: { heads: number; headSize: number; positions: number }; result: Float64Array }
  /**
   * A plain rope stretched in each of these ways (`web/views/stretch`): θ (headSize / 2), then its magnitude; and the mean score of equal
   * rows at so many distances from 0 to factor · context.
   */
  stretched: {
    params: {
      ways: readonly ContextExtensionName[]
      headSize: number
      base: number
      context: number
      factor: number
      distances: number
    }
    result: { theta: Float64Array; scores: Float64Array }[]
  }
  /** The smallest base whose sum of cosines is nowhere negative within each of these contexts; NaN: none up to 10⁹. */
  smallestBases: { params: { headSize: number; contexts: readonly number[] }; result: Float64Array }
  /** So many numbers of mean 0 and variance 1, drawn by a seed. */
  drawn: { params: { count: number; seed: number }; result: Float64Array }
  /** 256 × 3 sRGB bytes between stops (stops × 3). */
  palette: { params: { stops: Uint8Array }; result: Uint8Array }
  /** One score taken apart: the query row, rotated to position m by theta, the key row to n, and what their product is multiplied by. */
  explain: {
    params: {
      query: Float32Array
      key: Float32Array
      m: number
      n: number
      theta: Float64Array
      scale: number
      maxDistance: number
    }
    result: ScoreParts
  }
  /**
   * What the mean query and key of a head, before rotation, foretell of it. query, key: (length, headSize), rotated by theta from
   * `offset` on; counted: (length), 0 where a token has no part in the means; causal: a query sees no key ahead.
   */
  prediction: {
    params: {
      query: Float32Array
      key: Float32Array
      headSize: number
      offset: number
      theta: Float64Array
      scale: number
      counted: Uint8Array
      causal: boolean
    }
    result: HeadPrediction
  }
  /** A forward pass. `model` is the id of the load whose model the token ids belong to: a run for one that was replaced is dropped. */
  run: { params: { model: number; request: RunRequest }; result: RunResult }
  /**
   * A head of this run, which is the newest, the last in which nothing was changed, or the last beside them, as long as the engine still holds
   * it. So for a map; what follows is of no run beside.
   */
  head: { params: { run: number; layer: number; head: number }; result: HeadResult }
  /** What heads of this run show of every query and key: of one head, or the mean of what several weigh. Scores are the first one's. */
  map: {
    params: { run: number; kind: MapKind; heads: readonly { layer: number; head: number }[] }
    result: MapResult
  }
  /** What the queries of an encoder–decoder's run may see, in all its parts. */
  masks: { params: { run: number }; result: MasksResult }
  /** What all heads of this run do. A part is the number of layers that were looked at. */
  statistics: { params: { run: number }; chunk: number; result: HeadStatistics }
  /** Which residues of this run's protein touch: for texts of up to 512 tokens. */
  contacts: { params: { run: number }; result: ContactResult }
  /** All heads of this run by distance, a layer a part: for texts of up to 512 tokens. */
  everyHead: { params: { run: number }; chunk: readonly HeadByDistance[]; result: { run: number } }
  /** How alike the maps of this run's heads are to one head's: for texts of up to 512 tokens. A part is how many heads were compared. */
  alike: { params: { run: number; layer: number; head: number }; chunk: number; result: AlikeHeads }
  /** Unrotated queries and keys of all heads of a layer of this run: for texts of up to a thousand tokens. */
  headRows: { params: { run: number; layer: number }; result: HeadRows }
  /**
   * How unlikely labels of other texts are, in a run of its own: what is asked about the last `run` is still answered. ids, labels: (batch,
   * length), none where negative. Nothing else gets in meanwhile: ask for a few texts at a time.
   */
  loss: {
    params: {
      model: number
      ids: Uint32Array
      batch: number
      labels: Int32Array
      change?: Omit<Change, 'labels'>
      beyondLength?: boolean
    }
    result: Loss
  }
  /** What the output head makes of every layer at these rows of a text, in a run of its own as `loss`. */
  lens: {
    params: TextRun & { model: number; rows: Uint32Array; topK: number }
    result: LensResult
  }
  /** What flows through the layers of a text of up to 512 tokens, in a run of its own as `loss`. */
  flow: {
    params: TextRun & { model: number }
    result: FlowResult
  }
  /**
   * How far a text is from what it is with nothing changed and no offset, or `of: 'shift'` with the same changed and no offset, in runs of
   * their own as `loss`. For as much as takes 128 MiB.
   */
  differences: {
    params: {
      model: number
      ids: Uint32Array
      of: 'change' | 'shift'
      positionOffset: number
      change?: Change
      beyondLength?: boolean
    }
    result: Differences
  }
  /** All taps and the result of a text as the bytes of a safetensors file, in a run of its own as `loss`. Too large ones are refused unrun. */
  file: {
    params: TextRun & { model: number }
    result: Uint8Array
  }
  /**
   * A head of another run than the newest: of another text, or with other interventions. It runs where the engine holds no such run; what is
   * asked about the newest run is still answered. Maps can be asked for by the result's `run`, until another text runs so.
   */
  comparisonHead: {
    params: TextRun & { model: number; layer: number; head: number }
    result: HeadResult
  }
  /** What may come next after this run's text, best first. */
  candidates: { params: { run: number; settings: Sampling }; result: Candidate[] }
  /** Writes on after these ids, token by token, and answers why it ended. Runs and heads that are asked for meanwhile go in between. */
  generate: {
    params: { model: number; ids: Uint32Array; settings: GenerationSettings }
    chunk: GeneratedToken | SearchedToken
    result: GenerationEnd
  }
  /** Times a few ops over made-up numbers; needs no model. */
  trial: { params: { what: TrialKind; length: number; headSize: number }; result: Trial }
  /** The grid of all heads as a painter makes it. */
  gridPixels: { params: { painter: Backend }; result: GridPixels }
}

export type Kind = keyof Requests
export type Params<K extends Kind> = Requests[K]['params']
export type Result<K extends Kind> = Requests[K]['result']
/** What is asked of a model: which one is added by its door. */
export type ParamsOfModel<K extends Kind> = Params<K> extends { model: number } ? Omit<Params<K>, 'model'> : Params<K>
export type Chunk<K extends Kind> = Requests[K] extends { chunk: infer C } ? C : never
