import { messages } from '../../i18n/messages.svelte'
import { integer, plural, headName, percent } from '../../i18n/numbers'
import { key, sentence, type Sentence, type Token } from '../../i18n/rich'

const en = {
  help: 'How much of the head’s attention each key receives, from all queries together.',
  source:
    'The column sums of the head’s map, as parts of their sum. A key with a large part is an attention sink (Xiao et al. 2024, arXiv 2309.17453). In a causal model early keys are seen by more queries, and receive more for that reason alone.',
  loading: 'Reading the head…',
  linear:
    'Weights of linear attention can be negative, so they are not shares of a sum. Choose softmax attention in the view Shift all.',
  order: 'Order',
  orders: { part: 'largest first', text: 'as in the text' },
  label: (layer: number, head: number) =>
    `Bars: the part of the attention of head ${headName({ layer, head })} that each key receives. Arrow keys move along the list.`,
  headline: (of: Token, part: number): Sentence =>
    sentence`${key(of)} receives ${percent(part)} of this head’s attention.`,
  line: (keys: number) =>
    `If ${plural(keys, { one: 'the one key', other: `all ${integer(keys)} keys` })} received the same, each would get ${percent(1 / keys)}.`,
  /** What the bars leave out. `most`: the largest part of the keys that are not listed. */
  limits: (left: number, most: number, causal: boolean) =>
    [
      left > 0
        ? `Not listed: ${plural(left, { one: 'one key', other: `${integer(left)} keys` })}, at most ${percent(most)} each.`
        : '',
      causal ? 'Early keys receive more because more queries see them.' : '',
      'Special tokens count as queries and as keys. Values are left out: a key with a small value adds little, however large its weight.',
    ]
      .filter(Boolean)
      .join(' '),
  moved: (token: string, part: number) => `${token} receives ${percent(part)}`,
  table: 'attention received',
  columns: ['key', 'position', 'part'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
