// What the engine says of a number: how it follows from others.

/** A number, and the numbers that it follows from. A number of the text or of the file has no formula. */
export interface Explanation {
  /** Its name in the formula that it is an operand of. */
  name: string
  /** A site, or a place in the file of weights or in the text; null of a term or a constant. */
  at: string | null
  /** As the run computed it or the file has it; null of a term, which no run stores. */
  value: number | null
  /** The value of the formula, in f64. */
  recomputed: number | null
  formula: string | null
  /** In the order of the formula; of a long sum the largest terms. */
  operands: readonly Explanation[]
  /** The other terms of that sum: how many, and their sum; of a maximum, the largest of them. */
  rest: { terms: number; value: number } | null
}

/** What a part of the model adds to a logit. */
export interface LogitTerm {
  of: 'embedding' | 'head' | 'cross_head' | 'feed_forward' | 'bias'
  /** Null of the embedding, and of biases after the last layer. */
  layer: number | null
  head: number | null
  /** The site of a vector that is added to the residual stream, or a bias of the file. */
  at: string
  value: number
}

/** The terms that add up to a logit, from the embedding to the output head. */
export interface Attribution {
  /** As the run computed it. */
  logit: number
  terms: readonly LogitTerm[]
}

/** The number as it is shown: of a term that no run stores, its value by the formula. */
export const numberOf = ({ value, recomputed }: Pick<Explanation, 'value' | 'recomputed'>): number =>
  value ?? recomputed ?? Number.NaN
