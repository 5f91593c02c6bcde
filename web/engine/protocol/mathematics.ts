// What the engine computes without a model, or of rows that it is given: scores taken apart and foretold, curves by distance, added
// positions.

import type * as wasm from '../../wasm/ropescope.js'

/** Ways to tell positions, and ways to stretch a rope, with their names in the link. */
export const positionEncodings = [
  'none',
  'sinusoidal',
  'learned',
  'shaw',
  'xl',
  't5',
  'tupe',
  'deberta',
  'alibi',
  'rope',
] as const satisfies readonly wasm.PositionEncodingName[]
export type PositionEncodingName = (typeof positionEncodings)[number]

export const contextExtensions = [
  'trained',
  'interpolation',
  'ntk',
  'dynamic',
  'yarn',
  'yarnCode',
  'llama',
  'partial',
  'proportional',
  'longrope',
  'clamp',
  'logn',
] as const satisfies readonly wasm.ContextExtensionName[]
export type ContextExtensionName = (typeof contextExtensions)[number]

/** One score of one head, taken apart by frequency pair. All arrays have head_size / 2 entries but `sweep`. */
export interface ScoreParts {
  /** scale·|q_i||k_i| cos((m−n)θ_i + φ_i), fast pairs first. */
  parts: Float64Array
  /** Running sum of `parts`; its last entry is the score. */
  running: Float64Array
  score: number
  /** The same q and k at distances −maxDistance … maxDistance (query − key): 2·maxDistance + 1 scores. */
  sweep: Float64Array
  maxDistance: number
  /** scale·max |h_{i+1} − h_i|, h_i before rotation: times Σ|S_j| no score of these two is greater (the paper's equation 37). */
  steepest: number
}

/** One frequency pair of a head over all tokens of a text that count. */
export interface MeanPair {
  /** E‖q_i‖·E‖k_i‖ */
  strength: number
  /** ‖E q_i‖ / E‖q_i‖, and the same of the keys: 1 where it is the same for every token. */
  queryConstancy: number
  keyConstancy: number
  /** The angle from the mean key to the mean query before rotation, −π … π. */
  phase: number
  /** The distance (query − key) nearest to 0 at which it adds most; NaN where it does not turn. */
  wants: number
}

/** What a head's mean query and key before rotation foretell. By distance: from −(length − 1) to length − 1 (query − key). */
export interface HeadPrediction {
  /** (head_size / 2) */
  pairs: MeanPair[]
  scores: Float64Array
  /** Mean weight over the queries that have a key at that distance; 0 where no query sees one. */
  weights: Float64Array
  /** r̄ of foretold and actual scores, a mean over queries; NaN where there are too few tokens. */
  correlation: number
  /** (length, head_size), before rotation. */
  query: Float64Array
  key: Float64Array
}

/** One rope over distances 0 … maxDistance. */
export interface DistanceCurves {
  /** (pairs) */
  theta: Float64Array
  /** The paper's bound, and Σ cos(mθ_i) divided by the number of pairs: (maxDistance + 1) each. */
  bound: Float64Array
  cosines: Float64Array
  /** The first distance at which that sum is negative; NaN: none up to 65,536. */
  crossing: number
  /** The score of the two rows, (maxDistance + 1): of the first rope alone. */
  score: Float64Array
}

/** Beyond this distance no first negative sum of cosines is looked for. */
export const farthestCrossing = 65_536

/** What adding a position does to a row. */
/** Sinusoidal positions 0 … length − 1. */
export interface SinusoidsOf {
  headSize: number
  base: number
  length: number
}

/** Learned positions. */
export interface PositionTable {
  size: number
  /** (length, size) */
  table: Float64Array
  /** Of the row that they are added to. */
  norm: number
}

export interface AddedPositions {
  size: number
  /** (length, size): what is added. */
  rows: Float64Array
  /** Of the row as it is, */
  norm: number
  /** and with each position added: (length) each. */
  norms: Float64Array
  cosines: Float64Array
  /** (dimensions): cosines of random pairs of rows. */
  random: Float64Array[]
}

/** θ of one layer's pairs, (headSize / 2), of those of all layers, (layers, headSize / 2). */
export function thetaOfLayer(theta: Float64Array, layer: number, headSize: number): Float64Array {
  const pairs = headSize >> 1
  return theta.slice(layer * pairs, (layer + 1) * pairs)
}
