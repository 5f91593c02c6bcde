import { integer } from '../numbers'

const tokens = (count: number) => `${integer(count)} ${count === 1 ? 'token' : 'tokens'}`

export const masks = {
  tab: 'Masks',
  title: 'Who may see whom',
  help: 'The three masks of an encoder–decoder, as the last run had them: filled where a query may see a key.',
  source:
    'Read from the run: what is added to a score is 0 where a cell is filled, and the lowest number there is where it is not (Vaswani et al. 2017, section 3.2.3). A source that is run by itself has no padding, so that its mask and the one between text and source hide nothing.',
  names: {
    encoder: 'padding: source to source',
    decoder: 'causal: text to text',
    cross: 'encoder–decoder: text to source',
  },
  coming: 'Reading the masks …',
  label: 'Three masks: filled cells are keys that a query may see.',
  headline: (seen: number, all: number) =>
    `The text’s queries see ${integer(seen)} of ${integer(all)} keys: nothing that comes after them.`,
  line: (source: number, text: number) =>
    `Source of ${tokens(source)}, text of ${tokens(text)}, the start token among them.`,
  corner: 'query',
}
