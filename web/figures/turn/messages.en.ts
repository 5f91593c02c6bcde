import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, signedDecimal, headName, plain } from '../../i18n/numbers'
import { quote } from '../../i18n/rich'

interface Model {
  model: string
  layer: number
  head: number
  query: { token: string }
  key: { token: string }
}

const en = {
  help: 'Drag an arrow’s tip, or a mark on the line of positions. Dotted: each arrow before rotation.',
  ofModel: (pair: number, { model, layer, head, query, key }: Model) =>
    `Pair ${integer(pair)} of ${headName({ layer, head })} of ${model}: query ${quote(query.token)}, key ${quote(key.token)}, with their real angles and lengths. Dotted: each arrow before rotation. Drag a tip, or a mark on the line.`,
  source: `Equations 12 to 14 of the paper (Su et al. 2021, arXiv 2104.09864).`,
  queryAt: (position: number) => `query at ${integer(position)}`,
  keyAt: (position: number) => `key at ${integer(position)}`,
  score: (score: number) => `score ${signedDecimal(score, 3)}`,
  norms: (query: number, key: number) => `lengths ${decimal(query, 3)} and ${decimal(key, 3)}, rotated or not`,
  theta: 'θ',
  degrees: (angle: number) => `${decimal(angle, 1)}°`,
  signedDegrees: (angle: number) => `${signedDecimal(angle, 1)}°`,
  integerDegrees: (angle: number) => `${integer(angle)}°`,
  pairing: 'pairs are',
  pairings: { neighbours: 'neighbours', halves: 'of two halves' },
  behind: 'key behind',
  ahead: 'key ahead',
  dimension: (at: number) => `x${integer(at)}`,
  drawn: (who: string, length: number, angle: number) =>
    `${who}: length ${decimal(length, 2)}, ${integer(angle)} degrees`,
  turns: { query: 'mθ', key: 'nθ' },
  at: (name: string, position: number) => `${name} at ${integer(position)}`,
  positionOf: (name: string) => `position of the ${name}`,
  howFar: 'How far each has turned',
  names: { query: 'query', key: 'key', between: 'difference' },
  lead: 'initial angle φ',
  angle: 'angle between',
  live: 'The score of this pair',
  between: (angle: number) => `${decimal(angle, 1)}° between them`,
  both: 'Move both: the score stays',
  one: 'Move one: it changes',
  oneAlone: 'only m moved',
  walk: '▶ play from the start',
  stop: 'stop',
  arrows: 'arrows',
  own: 'your own',
  pair: (pair: number, angle: number) => `pair ${integer(pair)}, θ = ${plain(angle)}°`,
  lower: 'below the arrows',
  lowers: { moves: 'other positions', curve: 'every distance', pairs: 'which numbers pair up' },
  table: 'score by distance',
  columns: ['distance (query − key)', 'score'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
