import { messages } from '../../i18n/messages.svelte'
import { integer } from '../../i18n/numbers'

const en = {
  help: 'Under each hand: tokens for one turn (λ). Grey: its reach within the context. Thin: query, wide: key.',
  source: `Equation 15 of the paper (Su et al. 2021, arXiv 2104.09864), computed in double precision. Where a pixel covers several positions it has their mean colour.`,
  mapTitle: 'Where each hand can be read',
  mode: 'map',
  modes: { angle: 'angle', cos: 'cos', sin: 'sin', turns: 'turns' },
  axis: 'tokens',
  axes: { log: 'log', linear: 'linear' },
  wavelength: 'λ, tokens a turn',
  tokens: 'tokens',
  context: (tokens: number) => `context ${integer(tokens)}`,
  distance: (tokens: number) => `${integer(tokens)} apart`,
  still: 'still: hardly moved',
  blurred: 'blurred: too many turns',
  turn: 'one turn',
  openPairs: (open: number, all: number, context: number) =>
    `${integer(open)} of ${integer(all)} hands never complete a turn within ${integer(context)} tokens: dotted.`,
  label: 'Frequency pair',
  pair: (pair: number, wavelength: string, query: string, key: string) =>
    `pair ${integer(pair)}, λ ${wavelength} tokens: the query has made ${query} turns, the key ${key}`,
  none: 'no pair selected',
  table: 'pairs',
  columns: ['pair', 'λ (tokens)', 'θ', 'query (rad)', 'key (rad)'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
