import { weight } from '../format'
import { decimal, integer } from '../numbers'
import { distances } from './distances'

const { where } = distances

/** A distance query − key as where the key lies, in few letters: "1 back". */
export function short(distance: number, digits = 0): string {
  const away = Math.abs(distance)
  const written = away >= 9999.5 ? `${integer(away / 1000)}k` : away >= 9.95 ? integer(away) : decimal(away, digits)
  if (Number(written) === 0) return digits === 0 ? 'itself' : written
  return `${written} ${distance > 0 ? 'back' : 'ahead'}`
}

export const distance = {
  tab: 'Distance',
  title: 'What distance does this head want?',
  help: 'Area: mean weight, measured. Line: foretold from two averages.',
  source:
    'TriAttention (2026, arXiv 2604.04921), equations 20 to 26, on the rotation of RoFormer (arXiv 2104.09864): before rotation, queries and keys of many heads lie close around their means, so that the means alone give a score at every distance. A softmax of these scores gives the line. R tells how close the queries lie, r̄ how well foretold and real scores of a query correlate over all its keys. Special tokens have no part in means and correlations. That a distance is wanted does not say what is read there.',
  keys: {
    across: 'a key farther back or ahead',
    along: 'a faster or slower frequency pair',
    ends: 'the first and the last token as the key',
    pages: 'eight tokens at once',
    leave: 'the strongest pair again',
  },
  correlation: (value: number) => `r̄ ${Number.isNaN(value) ? '–' : decimal(value, 2).replace('-', '−')}`,
  at: (distance: number) => short(distance),
  /** As the picture writes it. */
  peak: (value: number) => decimal(value, value < 0.0995 ? 3 : 2).replace(/^0\./, '.'),
  saidHead: (correlation: number, distance: number, weighs: number) =>
    `${weight(weighs)} of its weight ${where(distance)}, r̄ ${Number.isNaN(correlation) ? '–' : decimal(correlation, 2)}`,
  saidUse: (pair: number, part: number) => `pair ${integer(pair)} most, ${decimal(part, 2)} of all`,
}
