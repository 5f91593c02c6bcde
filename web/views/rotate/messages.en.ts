import { messages } from '../../i18n/messages.svelte'
import { integer, plural, score, signed } from '../../i18n/numbers'
import { key, number, query, sentence, type Token } from '../../i18n/rich'

/** What the headline says: numbers of the largest part at this distance. */
export interface Facts {
  query: Token
  key: Token
  head: string
  /** query − key. */
  distance: number
  isMoved: boolean
  pairs: number
  total: number
  /** Of the total, which is the score where the key is at its own place. */
  site: string | undefined
  main: { pair: number; rotation: string; part: number } | undefined
}

const tokens = (count: number) => `${integer(count)} ${plural(count, { one: 'token', other: 'tokens' })}`

const place = (distance: number) => (distance > 0 ? `${tokens(distance)} back` : `${tokens(-distance)} ahead`)

const en = {
  help: 'Each dial is one pair of the query (blue, pointing up) and the key (orange; dotted: before rotation). Shaded: how far rotation turns the key.',
  source:
    'From RoFormer (Su et al. 2021, arXiv 2104.09864), equation 35. Pair i turns the query by mθᵢ and the key by nθᵢ, so the angle between the two depends on (m − n)θᵢ alone: the shaded angle. φᵢ is the angle from key to query before rotation. The length of a hand is that of the pair’s two components; all dials have one scale. A part is the product of both lengths, the cosine of the angle and the model’s factor. Moving the key keeps its vector; at another place in a real text the vector would differ.',
  loading: 'Reading the head…',
  nothing: 'This head rotates no pair: its scores are the same at every distance.',
  label: (query: string, key: string) =>
    `Dials of all pairs that rotate, of query ${query} and key ${key}. Arrow keys select a pair.`,
  distance: 'Move the key',
  at: (distance: number) => (distance === 0 ? 'at the query' : place(distance)),
  putBack: 'Back to its place',
  pair: (pair: number, rotation: string, part: number) => `pair ${pair} turns by ${rotation} and adds ${signed(part)}`,
  none: 'no pair selected',
  table: 'How far each pair turns',
  columns: [
    'pair',
    'tokens for one turn',
    '|q|',
    '|k|',
    'angle before rotation',
    'rotated by',
    'angle between',
    'adds',
  ],
  headline({ query: asks, key: answers, head, distance, isMoved, pairs, total, site, main }: Facts) {
    const line = sentence`Head ${head}, query ${query(asks)}, key ${key(answers)}${isMoved ? ', moved' : ''}. All ${integer(pairs)} pairs together: ${number(score(total), site)}.`
    if (distance === 0) return { title: 'At distance 0 nothing rotates: the score comes from the vectors alone.', line }
    const where = place(distance)
    if (!main) return { title: `${where[0]?.toUpperCase()}${where.slice(1)}, no pair adds anything.`, line }
    return {
      title: `With the key ${where}, pair ${main.pair} turns by ${main.rotation} and adds ${signed(main.part)}.`,
      line,
    }
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
