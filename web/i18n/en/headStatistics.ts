import { decimal, plural } from '../numbers'

type Unit = 'bits' | 'tokens' | 'weight' | 'share'

/** A statistic: on an axis or in a list, in a sentence, and in the narrow header of a table. */
const statistics = {
  entropy: { name: 'spread of its weight', brief: 'spread' },
  distance: { name: 'mean distance', brief: 'distance' },
  largest: { name: 'largest weight', brief: 'largest' },
  previous: { name: 'weight on the previous token', brief: 'previous' },
  next: { name: 'weight on the next token', brief: 'next' },
  same: { name: 'weight on the token itself', brief: 'itself' },
  first: { name: 'weight on the first token', brief: 'first' },
  repeated: { name: 'weight on the same word elsewhere', brief: 'same word' },
  induction: { name: 'weight on what followed the same word before', brief: 'followed' },
  special: { name: 'weight on special tokens', brief: 'special' },
  concentration: { name: 'concentration R of its queries', brief: 'R' },
  correlation: { name: 'correlation r̄ of its scores with the predicted ones', brief: 'r̄' },
}

type StatisticId = keyof typeof statistics

function value(number: number, unit: Unit): string {
  if (unit === 'weight' || unit === 'share') return decimal(number, Math.abs(number) < 0.0995 ? 3 : 2).replace('-', '−')
  return `${decimal(number, 1)} ${unit === 'bits' ? 'bits' : plural(Number(decimal(number, 1)), { one: 'token', other: 'tokens' })}`
}

/** Statistics of heads, in the grid of all heads, as points and in tables. */
export const headStatistics = {
  statistics,
  value,
  named: (id: StatisticId, number: number, unit: Unit) => `${statistics[id].name} ${value(number, unit)}`,
  axis: (id: StatisticId, unit: Unit) =>
    unit === 'weight' || unit === 'share'
      ? statistics[id].name
      : `${statistics[id].name}, ${unit === 'bits' ? 'bits' : 'tokens'}`,
  table: 'All heads',
  head: 'head',
}
