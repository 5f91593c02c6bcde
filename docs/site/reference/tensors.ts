// What the tensors of a forward pass are, for the page of sites. src/plan/site.rs has the same in its comments.
import type { TensorName } from '../../../web/engine/protocol/site'

interface Meaning {
  /** The size of each axis. */
  shape: readonly Size[]
  meaning: string
}

/** Sizes of the model; `length` is the number of tokens. */
type Size =
  | 'length'
  | 'heads'
  | 'key heads'
  | 'head size'
  | 'hidden size'
  | 'embedding size'
  | 'intermediate size'
  | 'vocabulary'
  | 'residues'

const rows = ['length', 'hidden size'] as const
const queries = ['heads', 'length', 'head size'] as const
const keys = ['key heads', 'length', 'head size'] as const
const map = ['heads', 'length', 'length'] as const
const neurons = ['length', 'intermediate size'] as const
const embeddings = ['length', 'embedding size'] as const

export const tensorMeanings: Readonly<Record<TensorName, Meaning>> = {
  'embeddings.word': {
    shape: embeddings,
    meaning: 'The word embeddings, a summand of the input, before any token dropout.',
  },
  'embeddings.position': { shape: embeddings, meaning: 'The position embeddings, where positions are added.' },
  'embeddings.type': { shape: embeddings, meaning: 'The embeddings of token types.' },
  embeddings: {
    shape: embeddings,
    meaning: 'The sum of the terms, after any token dropout. Without a norm, ESM-2 has 0 in rows of padding.',
  },
  'embeddings.norm': {
    shape: embeddings,
    meaning: 'The norm of the embeddings, or of their projection, where there is one. ESM-2 has 0 in rows of padding.',
  },
  'embeddings.norm.mean': { shape: ['length'], meaning: 'The mean of each row that it norms.' },
  'embeddings.norm.scale': { shape: ['length'], meaning: 'The scale of each row that it norms.' },
  'hidden_states.N': {
    shape: rows,
    meaning:
      'The input of layer N. One more than there are layers: the last is the output, after the final norm if there is one.',
  },
  'layer.N.query.projected': {
    shape: queries,
    meaning: 'The queries before the norm of each head, where there is one.',
  },
  'layer.N.key.projected': { shape: keys, meaning: 'The keys before the norm of each head, likewise.' },
  'layer.N.query': { shape: queries, meaning: 'The queries before rotation, after any norm of each head.' },
  'layer.N.key': { shape: keys, meaning: 'The keys before rotation, likewise.' },
  'layer.N.value': { shape: keys, meaning: 'The values before any rotation.' },
  'layer.N.query.rotated': { shape: queries, meaning: 'The queries, rotated to their positions.' },
  'layer.N.key.rotated': { shape: keys, meaning: 'The keys, rotated to their positions.' },
  'layer.N.score.unscaled': { shape: map, meaning: 'query · key.' },
  'layer.N.score': { shape: map, meaning: 'query · key, scaled.' },
  'layer.N.score.masked': { shape: map, meaning: 'The score with the mask added.' },
  'layer.N.score.max': { shape: ['heads', 'length'], meaning: 'The maximum of each row of scores.' },
  'layer.N.score.sum': {
    shape: ['heads', 'length'],
    meaning: 'The sum of the exponentials of each row of scores, relative to its maximum.',
  },
  'attentions.N': { shape: map, meaning: 'The attention weights: rows are queries, columns are keys.' },
  'layer.N.head': {
    shape: queries,
    meaning: 'The output of each head before the output projection: the weighted sum of the values.',
  },
  'layer.N.written': {
    shape: ['heads', 'length'],
    meaning: 'The norm of what each head writes into the residual stream, without the bias of the projection.',
  },
  'layer.N.attention': {
    shape: rows,
    meaning: 'What attention adds to the residual stream, after norms and multipliers in front of the sum.',
  },
  'layer.N.residual': { shape: rows, meaning: 'The residual stream between attention and feed-forward network.' },
  'ffn.N.inner': {
    shape: neurons,
    meaning: 'The first projection of the feed-forward network; of a gated one the up projection.',
  },
  'ffn.N.gate': { shape: neurons, meaning: 'The gate before its activation function.' },
  'ffn.N.activated': { shape: neurons, meaning: 'The result of the activation function.' },
  'ffn.N': { shape: neurons, meaning: 'What the output projection of the feed-forward network reads.' },
  'layer.N.ffn': { shape: rows, meaning: 'What the feed-forward network adds to the residual stream, likewise.' },
  'layer.N.norm.K.input': {
    shape: rows,
    meaning: 'What norm K of layer N reads: often the residual stream under another name.',
  },
  'layer.N.norm.K': { shape: rows, meaning: 'The result of norm K of layer N.' },
  'layer.N.norm.K.mean': { shape: ['length'], meaning: 'The mean of each row that it norms.' },
  'layer.N.norm.K.scale': { shape: ['length'], meaning: 'The scale of each row that it norms.' },
  residual: { shape: rows, meaning: 'The residual stream after the last layer, before the final norm.' },
  norm: { shape: rows, meaning: 'The result of the final norm.' },
  'norm.mean': { shape: ['length'], meaning: 'The mean of each row that it norms.' },
  'norm.scale': { shape: ['length'], meaning: 'The scale of each row that it norms.' },
  'output.dense': {
    shape: rows,
    meaning: 'The first projection of the output head, where it has more than one.',
  },
  'output.activated': { shape: rows, meaning: 'The result of its activation function.' },
  'output.norm': { shape: rows, meaning: 'The norm of the output head, where it has one.' },
  'output.norm.mean': { shape: ['length'], meaning: 'The mean of each row that it norms.' },
  'output.norm.scale': { shape: ['length'], meaning: 'The scale of each row that it norms.' },
  logits: { shape: ['length', 'vocabulary'], meaning: 'What the output head computes.' },
  probabilities: { shape: ['length', 'vocabulary'], meaning: 'The softmax of the logits.' },
  contacts: {
    shape: ['residues', 'residues'],
    meaning: "The probability that two residues touch, by ESM-2's regression over all attention.",
  },
}
