import { messages } from '../../i18n/messages.svelte'
import { decimal, integer } from '../../i18n/numbers'

const en = {
  help: 'Every number of query, key and value can be changed. Rows are queries, columns keys.',
  source: `Vaswani et al. 2017 (arXiv 1706.03762), equation 1, computed in double precision.`,
  tokens: ['the', 'cat', 'sat'],
  query: 'query',
  key: 'key',
  value: 'value',
  scores: 'scores',
  weights: 'weights',
  outputs: 'output',
  cell: (what: string, token: string, at: number) => `${what} of ${token}, number ${integer(at)}`,
  scale: 'scores divided by',
  scaled: (by: number) => decimal(by, 2),
  mask: 'mask',
  masks: { none: 'none', padding: 'padding', causal: 'causal', cross: 'the encoder’s' },
  swap: 'swap the first two',
  table: 'scores and weights',
  columns: ['query', 'key', 'score', 'weight'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
