import { integer } from '../numbers'

export const lines = {
  tab: 'Lines',
  title: 'Who looks at whom',
  help: 'Each token looks (left) at others (right). A thicker line is a larger weight; a token under the pointer shows only its own.',
  source:
    'The weights of RoFormer (Su et al. 2021, arXiv 2104.09864), equation 2, as lines; after exBERT and BertViz. Thickness and strength go by the weight, lines below the least weight are left out. A line says where a head reads from, not what it does with it: attention is no explanation.',
  label: (layer: number, head: number) =>
    `Attention of layer ${integer(layer)}, head ${integer(head)} as lines. Up and down walk the queries, left and right the keys, Page keys ten queries, Home and End the first and last.`,
  queries: 'query',
  keysHere: 'key',
  head: (letter: string, layer: number, head: number) => `${letter} ${layer}.${head}`,
  least: 'lines from',
  none: 'No weight here is large enough for a line.',
  spoken: (asking: string, m: number, asked: string, n: number, weight: string) =>
    `query '${asking}' ${m} looks most at key '${asked}' ${n}: ${weight}`,
  table: (layer: number, head: number) => `Weights of head ${layer}.${head} that have a line`,
  header: ['query position', 'query', 'key position', 'key', 'weight'] as const,
  keys: {
    across: 'one key back or on',
    along: 'one query back or on',
    ends: 'the first or last query',
    pages: 'ten queries back or on',
    wheel: 'on a long text: scrolls',
    drag: 'on a long text: scrolls',
  },
}
