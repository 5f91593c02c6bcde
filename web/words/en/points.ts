import { decimal, integer, plural } from '../numbers'
import { ordinal } from './ordinal'

type Unit = 'bits' | 'tokens' | 'weight'

/** A statistic: on an axis or in a list, in a sentence, and in the narrow head of a table. */
const statistics = {
  entropy: { name: 'spread of its weight', brief: 'spread' },
  distance: { name: 'mean distance', brief: 'distance' },
  previous: { name: 'weight on the previous token', brief: 'previous' },
  next: { name: 'weight on the next token', brief: 'next' },
  same: { name: 'weight on the token itself', brief: 'itself' },
  first: { name: 'weight on the first token', brief: 'first' },
  repeated: { name: 'weight on the same word elsewhere', brief: 'same word' },
  special: { name: 'weight on special tokens', brief: 'special' },
}

type StatisticId = keyof typeof statistics

function value(number: number, unit: Unit): string {
  if (unit === 'weight') return decimal(number, number < 0.0995 ? 3 : 2)
  return `${decimal(number, 1)} ${unit === 'bits' ? 'bits' : plural(Number(decimal(number, 1)), 'token', 'tokens')}`
}

interface Standing {
  statistic: StatisticId
  value: number
  unit: Unit
  rank: number
  from: 'least' | 'most'
}

const place = ({ rank, from }: Standing) =>
  `the ${rank === 1 ? '' : `${ordinal(rank)} `}${from === 'least' ? 'smallest' : 'largest'}`

export const points = {
  tab: 'Points',
  title: 'Heads as points',
  help: 'Each point is a head. Point at one to see it, click to choose it.',
  source:
    'Means over all query tokens of a head’s weights. Spread: entropy, Σ −a log₂ a, the number of bits that tell which key is meant; 0 where all weight is on one key. Distance: Σ a·|m − n|, as in Vig and Belinkov (2019, arXiv 1906.04284). Over the book special tokens ask no questions. Two heads beside each other look at places alike; what they read there may differ.',
  statistics,
  axis: (id: StatisticId, unit: Unit) =>
    unit === 'weight' ? statistics[id].name : `${statistics[id].name}, ${unit === 'bits' ? 'bits' : 'tokens'}`,
  shade: (id: StatisticId, most: number, unit: Unit) => `shade: ${statistics[id].brief}, up to ${value(most, unit)}`,
  tick: (number: number) => String(Number(number.toPrecision(4))).replace(/^0\./, '.'),
  value,
  across: 'across',
  up: 'up',
  shaded: 'shade',
  from: 'measured on',
  sources: { text: 'this text', book: 'a book' },
  missing: {
    text: 'This engine measures no heads on the text.',
    book: 'This model comes without heads.json, which says what its heads do over a book. ropescope heads writes it.',
    coming: 'Measuring …',
  },
  label: (heads: number) =>
    `${integer(heads)} heads as points. Left and right walk them along the axis across, up and down along the other.`,
  head: 'head',
  keys: {
    across: 'the next head in the order across',
    along: 'the next head in the order up',
    ends: 'the first and last across',
  },
  said: (head: string, x: string, y: string) => `head ${head}: ${x}, ${y}`,
  saidValue: (id: StatisticId, number: number, unit: Unit) => `${statistics[id].name} ${value(number, unit)}`,
  sortBy: (name: string) => `sort by ${name}`,
  table: 'All heads',
  headline: (head: string, heads: number, y: Standing, x: Standing, over: string) => ({
    title:
      y.rank === 1
        ? `Of ${integer(heads)} heads, head ${head} has the ${y.from === 'least' ? 'smallest' : 'largest'} ${statistics[y.statistic].name}.`
        : `Head ${head} has ${place(y)} ${statistics[y.statistic].name} of ${integer(heads)} heads.`,
    line: `${value(y.value, y.unit)}; ${statistics[x.statistic].name} ${value(x.value, x.unit)}, ${place(x)}. Measured ${over}.`,
  }),
  overText: (tokens: number) => `on the ${integer(tokens)} ${plural(tokens, 'token', 'tokens')} of this text`,
  overBook: (book: string) => `over ${book}, which the model never read`,
}
