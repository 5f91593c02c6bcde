// What the view tells once it is open: fetched with it.
import { percent } from '../../format'
import { decimal, integer } from '../../numbers'

const token = (text: string, position: number) => `${text} ${integer(position)}`

export const flow = {
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
