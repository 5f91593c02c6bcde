// What the engine says of neurons of feed-forward networks.

/** A neuron at a token. */
export interface NeuronNumbers {
  neuron: number
  /** What the output projection reads, `ffn.N`. */
  value: number
  /** The first projection, `ffn.N.inner`; with a gate the up projection. */
  inner: number
  /** The gate before its activation; null without one. */
  gate: number | null
  /** The activation's result. */
  activated: number
}

/** A token, and what its list is ordered by. */
export interface TokenNumber {
  id: number
  number: number
}

/** A neuron in a text, and what it reads and writes by its weights alone. */
export interface NeuronOfText {
  /** `ffn.N` at each token: (length). */
  values: readonly number[]
  /** Tokens whose embedding adds most to it before its activation: the dot product with its row, of the gate where there is one. */
  reads: readonly TokenNumber[]
  /** Null of an encoder, and without logits over the vocabulary. */
  writes: NeuronWrites | null
}

/** What a neuron adds to logits, in logits per 1 of its value. */
export interface NeuronWrites {
  likelier: readonly TokenNumber[]
  less_likely: readonly TokenNumber[]
  /** Whether the output head's further layers are left out, and word embeddings stand for its matrix: an approximation. */
  skips_head: boolean
}
