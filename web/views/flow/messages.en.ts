import type { HeadPlace } from '../../viewstate/choice'
import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, headName, percent } from '../../i18n/numbers'
import { key, query, sentence, type Sentence, type Token } from '../../i18n/rich'

const token = (text: string, position: number) => `${text} ${integer(position)}`

const en = {
  help: 'Where each token’s information comes from by attention alone, and how much each layer and head adds.',
  source:
    'Attention rollout: Abnar and Zuidema (2020, arXiv 2005.00928, equation 1). The heads of a layer are averaged, half of every token stays in place, and the layers are multiplied. Norms are of the hidden states as Hugging Face numbers them; a RoFormer normalises after every layer, so they differ little. A head’s output is ‖Σ a v W‖, its weighted values through its part of the output projection, as a mean over tokens (norms as in Kobayashi et al. 2020, arXiv 2004.10102), without the projection’s bias. Heads that write against each other are not distinguished. Rollout ignores values and feed-forward layers and weighs all heads equally: it shows where information could have come from, not what was used.',
  axes: { query: 'to: query ↓', key: 'from: key →' },
  shortAxes: { query: 'query ↓', key: 'key →' },
  token,
  mean: 'mean of all tokens',
  norm: ['size of the token’s vector', ' ‖h‖'] as readonly string[],
  change: ['how much a layer changes it', ' ‖Δh‖'] as readonly string[],
  /** The embeddings come before layer 0. */
  state: (at: number) => (at === 0 ? 'in' : String(at - 1)),
  layer: String,
  heads: (most: number): readonly string[] => ['size of each head’s output', ' ‖A v W‖', `, to ${decimal(most, 1)}`],
  layerAxis: 'layer →',
  headAxis: 'head →',
  tooLong: (most: number, tokens: number) =>
    `Rollout is computed for texts of up to ${integer(most)} tokens; this one has ${integer(tokens)}.`,
  loading: 'Computing the rollout…',

  label: (query: string, cross: boolean) =>
    `Map of rollout. Arrow keys move the query${cross ? '' : ' and the key'}. Current query: ${query}.`,
  moved: (query: string, key: string, part: number) => `${percent(part)} of ${query} comes from ${key}`,
  movedHead: (head: HeadPlace) => `head ${headName(head)}`,
  headline: (of: Token, own: number, other: Token, part: number): Sentence =>
    sentence`${query(of)} keeps ${percent(own)} of itself. Its largest other source is ${key(other)}: ${percent(part)}.`,
  alone: (of: Token): Sentence => sentence`${query(of)} takes everything from itself.`,
  line: (from: number, to: number, layer: number, change: number, head: string) =>
    `By attention alone. Its norm goes from ${decimal(from, 1)} to ${decimal(to, 1)}; layer ${layer} changes it most, by ${decimal(change, 1)}. Head ${head} has the largest output.`,

  tables: { rollout: 'rollout', norms: 'norms', heads: 'heads' },
  corner: 'to \\ from',
  normColumns: ['hidden states', 'token', 'norm', 'change by the layer'],
  headColumns: ['head', 'mean norm of its output'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
