import { messages } from '../../i18n/messages.svelte'
import { integer, plural } from '../../i18n/numbers'

const tokens = (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`

const en = {
  help: 'The three masks of an encoder–decoder in the last run: filled where a query may see a key.',
  source:
    'Read from the run: a mask adds 0 to a score where a cell is filled, and the lowest number there is where it is not (Vaswani et al. 2017, section 3.2.3). A single source has no padding, so its mask and the mask between text and source hide nothing.',
  names: {
    encoder: 'padding: source to source',
    decoder: 'causal: text to text',
    cross: 'encoder–decoder: text to source',
  },
  loading: 'Reading the masks…',
  label: 'Three masks: filled cells are keys that a query may see.',
  headline: (visible: number, all: number) =>
    `The text’s queries see ${integer(visible)} of ${integer(all)} keys: nothing that comes after them.`,
  line: (source: number, text: number) =>
    `Source of ${tokens(source)}, text of ${tokens(text)}, the start token among them.`,
  corner: 'query',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
