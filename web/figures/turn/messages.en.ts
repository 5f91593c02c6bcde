import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, signedDecimal } from '../../i18n/numbers'

const en = {
  help: 'Drag the arrows’ tips. Dotted: where they begin. The curve is the same pair at every other distance.',
  source: `Equations 12 to 14 of the paper (Su et al. 2021, arXiv 2104.09864).`,
  queryAt: (position: number) => `query at ${integer(position)}`,
  keyAt: (position: number) => `key at ${integer(position)}`,
  score: (score: number) => `score ${signedDecimal(score, 3)}`,
  norms: (query: number, key: number) => `lengths ${decimal(query, 3)} and ${decimal(key, 3)}, turned or not`,
  angle: 'θ',
  degrees: (angle: number) => `${integer(angle)}°`,
  pairing: 'pairs are',
  pairings: { neighbours: 'neighbours', halves: 'of two halves' },
  behind: 'key behind',
  ahead: 'key ahead',
  dimension: (at: number) => `x${integer(at)}`,
  drawn: (who: string, length: number, angle: number) =>
    `${who}: length ${decimal(length, 2)}, ${integer(angle)} degrees`,
  table: 'score by distance',
  columns: ['distance (query − key)', 'score'],
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
