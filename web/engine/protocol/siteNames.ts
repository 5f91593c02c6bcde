// Sites of a forward pass, from src/plan/site.rs: WRITE_SITES=1 cargo test --test engine site_names.

/** The axes of each tensor. In its name N stands for the layer, K for one of the layer's norms. */
export const tensors = {
  'embeddings.word': ['row', 'column'],
  'embeddings.position': ['row', 'column'],
  'embeddings.type': ['row', 'column'],
  'hidden_states.N': ['row', 'column'],
  'layer.N.query': ['head', 'row', 'column'],
  'layer.N.key': ['head', 'row', 'column'],
  'layer.N.value': ['head', 'row', 'column'],
  'layer.N.query.rotated': ['head', 'row', 'column'],
  'layer.N.key.rotated': ['head', 'row', 'column'],
  'layer.N.score.unscaled': ['head', 'query', 'key'],
  'layer.N.score': ['head', 'query', 'key'],
  'layer.N.score.masked': ['head', 'query', 'key'],
  'layer.N.score.max': ['head', 'query'],
  'layer.N.score.sum': ['head', 'query'],
  'attentions.N': ['head', 'query', 'key'],
  'layer.N.head': ['head', 'row', 'column'],
  'layer.N.written': ['head', 'row'],
  'layer.N.attention': ['row', 'column'],
  'layer.N.residual': ['row', 'column'],
  'ffn.N.inner': ['row', 'neuron'],
  'ffn.N.gate': ['row', 'neuron'],
  'ffn.N.activated': ['row', 'neuron'],
  'ffn.N': ['row', 'neuron'],
  'layer.N.ffn': ['row', 'column'],
  'layer.N.norm.K': ['row', 'column'],
  'layer.N.norm.K.mean': ['row'],
  'layer.N.norm.K.scale': ['row'],
  residual: ['row', 'column'],
  norm: ['row', 'column'],
  'norm.mean': ['row'],
  'norm.scale': ['row'],
  logits: ['row', 'id'],
  probabilities: ['row', 'id'],
  contacts: ['row', 'column'],
} as const

/** Tensors that a run keeps, by the command line's names. */
export const taps = {
  hidden_states: 'hidden_states.N',
  attentions: 'attentions.N',
  query: 'layer.N.query',
  key: 'layer.N.key',
  value: 'layer.N.value',
  query_rotated: 'layer.N.query.rotated',
  key_rotated: 'layer.N.key.rotated',
  written: 'layer.N.written',
  contacts: 'contacts',
} as const satisfies Readonly<Record<string, keyof typeof tensors>>

/** The others that a run keeps, which are named by their sites. */
export const tapsBySite = [
  'layer.N.attention',
  'layer.N.residual',
  'ffn.N.inner',
  'ffn.N.gate',
  'ffn.N.activated',
  'ffn.N',
  'layer.N.ffn',
  'layer.N.norm.K',
  'residual',
  'norm',
] as const satisfies readonly (keyof typeof tensors)[]
