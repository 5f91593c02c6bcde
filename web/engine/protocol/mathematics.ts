// Results that need no model: parts and predictions of scores, curves by distance, added positions.

import type { ContextExtensionName, PositionEncodingName } from '../../wasm/ropescope.js'

export type { ContextExtensionName, PositionEncodingName }

/** Position encodings and context extensions, by their names in the link. */
export const positionEncodings: readonly PositionEncodingName[] = [
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
]

export const contextExtensions: readonly ContextExtensionName[] = [
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
]

/** A pair of a query and a key as hands of a dial. */
export interface PairHands {
  query: number
  key: number
  angle: number
}

/** A score of a head by frequency pair. All arrays but `sweep` have head_size / 2 entries. */
export interface ScoreParts {
  /** scale·|q_i||k_i| cos((m−n)θ_i + φ_i), fast pairs first. */
  parts: Float64Array
  /** Running sum of `parts`; its last entry is the score. */
  running: Float64Array
  score: number
  /** The same q and k at distances −maxDistance … maxDistance (query − key): 2·maxDistance + 1 scores. */
  sweep: Float64Array
  /** Of each pair |q_i| and |k_i|, and the angle from query to key before rotation, −π … π. */
  hands: readonly PairHands[]
  maxDistance: number
  /** scale·max |h_{i+1} − h_i|, h_i before rotation: times Σ|S_j| no score of these two is greater (the paper's equation 37). */
  steepest: number
}

/** A frequency pair of a head, over all counted tokens of a text. */
export interface MeanPair {
  /** E‖q_i‖·E‖k_i‖ */
  strength: number
  /** ‖E q_i‖ / E‖q_i‖, and the same of the keys: 1 where all tokens have the same row. */
  queryConstancy: number
  keyConstancy: number
  /** The angle from the mean key to the mean query before rotation, −π … π. */
  phase: number
  /** The distance (query − key) nearest to 0 with its greatest part of the score; NaN where it does not rotate. */
  wants: number
}

/** The prediction from a head's mean query and key before rotation, by distance (query − key) from −(length − 1) to length − 1. */
export interface HeadPrediction {
  /** (head_size / 2) */
  pairs: MeanPair[]
  scores: Float64Array
  /** Mean weight over the queries with a key at that distance; 0 where no query sees one. */
  weights: Float64Array
  /** r̄ of predicted and actual scores, a mean over queries; NaN where there are too few tokens. */
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

/** The search for the first negative sum of cosines ends here. */
export const farthestCrossing = 65_536

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
  /** Of the row that the positions are added to. */
  norm: number
}

/** The effect of adding a position to a row. */
export interface AddedPositions {
  size: number
  /** (length, size): the positions. */
  rows: Float64Array
  /** Of the row. */
  norm: number
  /** (length): of the row with each position added, and its cosine with the row. */
  norms: Float64Array
  cosines: Float64Array
  /** (dimensions): cosines of random pairs of rows. */
  random: Float64Array[]
}

/** θ of one layer, (headSize / 2), from θ of all layers, (layers, headSize / 2). */
export function thetaOfLayer(theta: Float64Array, layer: number, headSize: number): Float64Array {
  const pairs = headSize >> 1
  return theta.slice(layer * pairs, (layer + 1) * pairs)
}
