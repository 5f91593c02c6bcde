// All requests to the worker. engine/worker/handlers answers each under the same name.

import type { Attribution, Explanation } from './explanation'
import type { NeuronNumbers, NeuronOfText } from './neurons'
import type {
  NextTokens,
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
  SimilarHeads,
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

/** A text to run, with its interventions. */
export interface TextRun {
  ids: Uint32Array
  pair?: Pair
  positionOffset: number
  beyondLength?: boolean
  change?: Omit<Change, 'labels'>
}

export interface RunRequest {
  /** (length): the tokens of the views. */
  ids: Uint32Array
  /** The input of an encoder–decoder; `ids` are the tokens of one part. */
  pair?: Pair
  /** Positions of special tokens, which statistics of heads leave out. */
  special?: Uint32Array
  /** Positions whose fills are read, ascending. */
  rows: Uint32Array
  topK: number
  layer: number
  head: number
  /** Added to all positions. */
  positionOffset: number
  /** Whether the text may exceed the model's `max_position_embeddings`. */
  beyondLength?: boolean
  change?: Change
}

/** Terms of scores, with the first token at two positions. */
interface Terms {
  terms: Float64Array
  shifted: Float64Array
}

/** By kind. A request with a `chunk` streams: chunks come before the result. */
export interface Requests {
  /** θ_i = base^(−2i/d): (head_size / 2). */
  frequencies: { params: { headSize: number; base: number }; result: Float64Array }
  /** (length, pairs): m·θ_i modulo 2π. */
  angles: { params: { theta: Float64Array; length: number }; result: Float32Array }
  /** The paper's bound at distances 0 … maxDistance. */
  decay: { params: { theta: Float64Array; maxDistance: number }; result: Float64Array }
  /**
   * The curves of Read's chapter 6, of each rope by its head size and base, or by θ. `query` and `key`: (headSize), before rotation, or empty;
   * the first rope gives their score, with distances counted from `aligned`.
   */
  distanceCurves: {
    params: {
      ropes: readonly ({ headSize: number; base: number } | { theta: Float64Array })[]
      maxDistance: number
      query: Float32Array
      key: Float32Array
      aligned: number
      /** Whether all pairs rotate as fast as the first. */
      alike: boolean
    }
    result: DistanceCurves[]
  }
  /** Two rows, (2 · pairs), rotated to positions m and n, and their score at distances (m − n) −reach … reach in steps of a quarter. */
  rotation: {
    params: { query: Float64Array; key: Float64Array; theta: Float64Array; m: number; n: number; reach: number }
    result: { query: Float64Array; key: Float64Array; sweep: Float64Array }
  }
  /**
   * A random row with each position added: sinusoids, or a table, (length, size), with the row's norm that of the model's embeddings; and
   * cosines of random pairs of rows in each of these dimensions.
   */
  addedPositions: {
    params: { rows: SinusoidsOf | PositionTable; seed: number; dimensions: readonly number[]; count: number }
    result: AddedPositions
  }
  /**
   * A row (headSize), or a random one: before rotation, rotated to its position, and with its sinusoidal position added. `rotated`: the given
   * row is rotated.
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
  /** One head of attention. `rows`: query, key and value, (tokens, size) each; `visible`: (tokens, tokens). */
  byHand: {
    params: { tokens: number; size: number; scale: number; rows: Float64Array; visible: readonly boolean[] }
    result: { scores: Float64Array; weights: Float64Array; outputs: Float64Array }
  }
  /** The terms of a position encoding, (terms, tokens, tokens), with the first token at two positions; and RoPE's beside any other. */
  positionEncodings: {
    params: { way: PositionEncodingName; first: number; shifted: number }
    result: Terms & { rope: Terms | undefined }
  }
  /** (encodings, 4): of each position encoding, its parameters in a layer and in all, and its numbers for a text in a layer and in all. */
  encodingCosts: { params: { heads: number; headSize: number; positions: number }; result: Float64Array }
  /**
   * A plain rope under each context extension: θ (headSize / 2), then its magnitude; and the mean score of equal rows at so many distances
   * from 0 to factor · context.
   */
  contextExtensions: {
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
  /** For each context the smallest base whose sum of cosines is nowhere negative within it; NaN: none up to 10⁹. */
  smallestBases: { params: { headSize: number; contexts: readonly number[] }; result: Float64Array }
  /** Random numbers of mean 0 and variance 1. */
  randomNumbers: { params: { count: number; seed: number }; result: Float64Array }
  /** 256 × 3 sRGB bytes between stops (stops × 3). */
  palette: { params: { stops: Uint8Array }; result: Uint8Array }
  /** The parts of one score: of the query row, rotated by theta to position m, and the key row, rotated to n. `scale`: the factor of scores. */
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
  /** The parts, (pairs), of the same score with the key moved from `currentDistance` (query − key) to `distance`. */
  movedParts: {
    params: {
      query: Float32Array
      key: Float32Array
      currentDistance: number
      theta: Float64Array
      scale: number
      distance: number
    }
    result: Float64Array
  }
  /**
   * The prediction of a head from its mean query and key before rotation. `query`, `key`: (length, headSize), rotated by theta, with positions
   * from `offset` on; `counted`: (length), 0 where the means leave a token out.
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
  /** A forward pass. `model`: the id of the load of the model that the ids belong to; a run for a replaced model is dropped. */
  run: { params: { model: number; request: RunRequest }; result: RunResult }
  /**
   * A head of the newest run, of the newest one without interventions, or of the comparison's, while the engine holds it. The same for maps;
   * later requests cannot ask about the comparison's run.
   */
  head: { params: { run: number; layer: number; head: number }; result: HeadResult }
  /** A map of one head, or the mean of several. A map of scores is the first head's. */
  map: {
    params: { run: number; kind: MapKind; heads: readonly { layer: number; head: number }[] }
    result: MapResult
  }
  /** The masks of all parts of an encoder–decoder's run. */
  masks: { params: { run: number }; result: MasksResult }
  /** Statistics of all heads. A chunk is the number of layers so far. */
  statistics: { params: { run: number }; chunk: number; result: HeadStatistics }
  /** For texts of up to 512 tokens. */
  contacts: { params: { run: number }; result: ContactResult }
  /** All heads by distance, a layer a chunk; for texts of up to 512 tokens. */
  everyHead: { params: { run: number }; chunk: readonly HeadByDistance[]; result: { run: number } }
  /** How similar all maps are to one head's; for texts of up to 512 tokens. A chunk is the number of heads so far. */
  similarHeads: { params: { run: number; layer: number; head: number }; chunk: number; result: SimilarHeads }
  /** Queries and keys of all heads of a layer before rotation; for texts of up to 1,000 tokens. */
  headRows: { params: { run: number; layer: number }; result: HeadRows }
  /**
   * The loss of other texts, in a run of its own, which leaves the newest `run` as it is. `ids`, `labels`: (batch, length), negative: none.
   * Other requests wait meanwhile: ask for a few texts at a time.
   */
  loss: {
    params: Omit<TextRun, 'pair' | 'positionOffset'> & { model: number; batch: number; labels: Int32Array }
    result: Loss
  }
  /** The logit lens at these rows of a text, in a run of its own. */
  lens: {
    params: TextRun & { model: number; rows: Uint32Array; topK: number }
    result: LensResult
  }
  /** Of a text of up to 512 tokens, in a run of its own. */
  flow: {
    params: TextRun & { model: number }
    result: FlowResult
  }
  /**
   * The differences between a text and the same text without interventions and offset; `of: 'shift'`: with the same interventions and without
   * offset. In runs of their own; the compared tensors take at most 128 MiB.
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
  /** All taps and the result of a text as a safetensors file, in a run of its own. A file that is too large is refused before the run. */
  file: {
    params: TextRun & { model: number }
    result: Uint8Array
  }
  /**
   * The numbers at each of these sites of a text, in a run of its own: row-major, layer by layer where a site is of every layer. `of: 'norms'`:
   * the norm of each row instead, from several runs where one cannot keep the tensors. Those of `numbers` take at most 128 MiB.
   */
  siteNumbers: {
    params: TextRun & { model: number; sites: readonly string[]; of: 'numbers' | 'norms' }
    result: readonly Float32Array[]
  }
  /** What each part of the model adds to the logits of these tokens at a row of the text, in runs of its own. */
  attributions: {
    params: TextRun & { model: number; row: number; tokens: readonly number[] }
    result: readonly Attribution[]
  }
  /** Where the numbers at these sites of a text come from, in runs of its own. A site has an index for each axis. */
  explanations: {
    params: TextRun & { model: number; sites: readonly string[] }
    result: readonly Explanation[]
  }
  /**
   * The strongest neurons of a layer at a row of the text, with the largest magnitude first; up to 256, in a run of its own. Of an
   * encoder–decoder the row is of the selected part's own text.
   */
  neurons: {
    params: TextRun & { model: number; layer: number; row: number; count: number }
    result: readonly NeuronNumbers[]
  }
  /** A neuron at every row of the text, in a run of its own, and the tokens that it reads and writes: `count` of each list, up to 20. */
  neuron: {
    params: TextRun & { model: number; layer: number; neuron: number; count: number }
    result: NeuronOfText
  }
  /**
   * A head of another text, or with other interventions. The text runs unless the engine holds that run; the newest `run` stays as it is. Maps
   * can be read by the result's `run` until the next comparison.
   */
  comparisonHead: {
    params: TextRun & { model: number; layer: number; head: number }
    result: HeadResult
  }
  /** The tokens that may follow this run's text, best first. */
  candidates: { params: { run: number; settings: Sampling }; result: NextTokens }
  /** Continues these ids token by token; the result says why it ended. Runs and reads go in between. */
  generate: {
    params: { model: number; ids: Uint32Array; settings: GenerationSettings }
    chunk: GeneratedToken | SearchedToken
    result: GenerationEnd
  }
  /** Times a few ops over random numbers; needs no model. */
  trial: { params: { what: TrialKind; length: number; headSize: number }; result: Trial }
  /** The grid of all heads as this backend paints it. */
  gridPixels: { params: { painter: Backend }; result: GridPixels }
}

export type RequestKind = keyof Requests
export type Params<K extends RequestKind> = Requests[K]['params']
export type Result<K extends RequestKind> = Requests[K]['result']
/** The params without the model's id, which `EngineModel.ask` adds. */
export type ParamsOfModel<K extends RequestKind> =
  Params<K> extends { model: number } ? Omit<Params<K>, 'model'> : Params<K>
export type Chunk<K extends RequestKind> = Requests[K] extends { chunk: infer C } ? C : never
