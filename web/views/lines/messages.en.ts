import { messages } from '../../i18n/messages.svelte'
import { headName, integer } from '../../i18n/numbers'
import { hasNoHover } from '../../ui/pointer'

const source = (linear: boolean) =>
  `The weights of RoFormer (Su et al. 2021, arXiv 2104.09864), equation ${linear ? 19 : 2}, as lines; after exBERT and BertViz. Thickness and strength go by the weight, lines below the least weight are left out${linear ? ', and so are negative weights' : ''}. A line says where a head reads, not what it does with it: attention is not an explanation.`

const en = {
  get help(): string {
    return hasNoHover()
      ? 'Each query (left) attends to keys (right). A thicker line is a larger weight; hold a token to see only its lines.'
      : 'Each query (left) attends to keys (right). A thicker line is a larger weight; point at a token to see only its lines.'
  },
  source: source(false),
  sourceOf: source,
  label: (layer: number, head: number) =>
    `Attention of layer ${integer(layer)}, head ${integer(head)} as lines. Up and down walk the queries, left and right the keys, Page keys ten queries, Home and End the first and last.`,
  queryColumn: (cross: boolean): string => (cross ? 'target' : 'query'),
  keyColumn: (cross: boolean): string => (cross ? 'source' : 'key'),
  head: (letter: string, layer: number, head: number) => `${letter} ${headName({ layer, head })}`,
  least: 'hide below',
  none: 'No weight here is large enough for a line.',
  spoken: (query: string, m: number, key: string, n: number, weight: string) =>
    `query '${query}' ${m} looks most at key '${key}' ${n}: ${weight}`,
  table: (layer: number, head: number) => `Weights of head ${headName({ layer, head })} that have a line`,
  header: ['query position', 'query', 'key position', 'key', 'weight'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
