import { percent } from '../../elements/format'
import { decimal, integer } from '../numbers'

const token = (text: string, position: number) => `${text} ${integer(position)}`

export const flow = {
  tab: 'Flow',
  title: 'What flows through the layers',
  help: 'Where what arrives at a token comes from, if attention alone moved it, and how much each layer and head adds.',
  source:
    'Attention rollout: Abnar and Zuidema (2020, arXiv 2005.00928, equation 1): a layer’s heads are averaged, half of every token stays where it is, and the layers are multiplied. Norms are of the hidden states as Hugging Face numbers them; a RoFormer normalises after every layer, so they differ little. What a head writes is ‖Σ a v W‖, its weighted values through its part of the output projection, as a mean over tokens (norms as Kobayashi et al. 2020, arXiv 2004.10102, take them): what is added to the residual stream, without the projection’s bias. Heads that write against each other are not told apart. Rollout knows neither values nor feed-forward layers, and all heads count alike: it says where information could have come from, not what was used.',

  queryAxis: 'to: query ↓',
  keyAxis: 'from: key →',
  token,
  mean: 'mean of all tokens',
  norm: 'norm ‖h‖',
  change: 'change ‖Δh‖',
  /** The embeddings stand before layer 0. */
  state: (at: number) => (at === 0 ? 'in' : String(at - 1)),
  layer: String,
  heads: (most: number) => `‖A v W‖, to ${decimal(most, 1)}`,
  tooLong: (most: number, tokens: number) =>
    `Texts of up to ${integer(most)} tokens are followed; this one has ${integer(tokens)}.`,
  coming: 'Following the text …',

  label: (query: string) =>
    `Map of what reaches each token. Arrow keys move the query and the key; now it shows where ${query} comes from.`,
  moved: (query: string, key: string, part: number) => `${percent(part)} of what arrives at ${query} comes from ${key}`,
  movedHead: (layer: number, head: number) => `head ${layer}.${head}`,
  headline: (query: string, own: number, other: string, part: number) =>
    `${query} keeps ${percent(own)} of itself and takes most, ${percent(part)}, from ${other}.`,
  alone: (query: string) => `All that arrives at ${query} is its own.`,
  line: (from: number, to: number, layer: number, change: number, head: string) =>
    `If attention alone moved it. Its norm goes from ${decimal(from, 1)} to ${decimal(to, 1)}; layer ${layer} changes it most, by ${decimal(change, 1)}. Of all heads ${head} writes the most.`,

  tables: { rollout: 'rollout', norms: 'norms', heads: 'heads' },
  corner: 'to \\ from',
  normColumns: ['hidden states', 'token', 'norm', 'change by the layer'],
  headColumns: ['head', 'mean norm of what it writes'],
}
