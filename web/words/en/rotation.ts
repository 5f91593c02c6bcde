import { integer } from '../numbers'
import { key, query, sentence, variable, type Sentence } from '../rich'

/** One frequency pair: its wavelength, the turns its hands have made, and the angle between them, as they are written. */
interface Dial {
  pair: number
  wavelength: string
  query: string
  key: string
  between: string
}

const at = {
  query: (position: number) => `query ${integer(position)}`,
  key: (position: number) => `key ${integer(position)}`,
}

export const rotation = {
  title: 'Rotation',
  lead: (m: number, n: number): Sentence =>
    sentence`Each pair turns by its own angle ${variable('θᵢ')} per position: ${query(`query at ${integer(m)}`)}, ${key(`key at ${integer(n)}`)}. Only the angle between them counts.`,
  source: sentence`RoFormer (Su et al. 2021, arXiv 2104.09864), equations 13 to 15, with ${variable('i')} counted from 0; there ${variable('b')} = 10000. Other models have other bases, and some stretch the slow pairs or leave them unturned. A wavelength ${variable('λᵢ')} is the number of positions to a full turn.`,
  table: 'Frequency pairs and their angles',
  header: (m: number, n: number): readonly string[] => [
    'pair',
    'wavelength',
    'θ',
    `query at ${integer(m)} (rad)`,
    `key at ${integer(n)} (rad)`,
  ],
  steps: 'Step through the positions',
  at,
  both: 'both',
  back: { query: 'query one position back', key: 'key one position back', both: 'query and key one position back' },
  on: { query: 'query one position on', key: 'key one position on', both: 'query and key one position on' },
  list: 'Frequency pairs, fast to slow',
  dial: ({ pair, wavelength, query, key, between }: Dial) =>
    `pair ${integer(pair)}, λ ${wavelength} tokens: query has made ${query} turns, key ${key}; ${between} between them`,
  hint: 'point at a dial to read it, click to choose its pair',
  open: (open: number, of: number, positions: number) =>
    `Dotted rings: the ${integer(open)} of ${integer(of)} pairs that never complete a turn within ${integer(positions)} positions.`,
}
