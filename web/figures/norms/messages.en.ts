import { messages } from '../../i18n/messages.svelte'
import { integer } from '../../i18n/numbers'

const en = {
  help: 'The length of a query vector, pair by pair and in total. Bars: unchanged; dark: rotated by its position; coloured: with the sinusoidal position added.',
  source: `Equations 4, 14 and 15 of the paper (Su et al. 2021, arXiv 2104.09864), in double precision: a rotation is orthogonal.`,
  kinds: { before: 'unchanged', rotated: 'rotated', added: 'position added' },
  pair: 'pair',
  length: 'length of the pair',
  row: 'the whole vector',
  changed: (position: number, rotated: string, added: string) =>
    `Position ${integer(position)}: rotation changes no pair’s length by more than ${rotated}, adding the position changes one by ${added}.`,
  table: 'lengths',
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
