import { headStatistics } from '../../charts/head-grid/messages.en'
import { messages } from '../../i18n/messages.svelte'
import { integer, ordinal, percent, plural } from '../../i18n/numbers'
import { hasNoHover } from '../../ui/pointer'

const { statistics, value, named } = headStatistics

type StatisticId = keyof typeof statistics
type Unit = Parameters<typeof value>[1]

/** A statistic of a head, and its rank among all heads. */
interface Ranked {
  statistic: StatisticId
  value: number
  unit: Unit
  rank: number
  from: 'least' | 'most'
}

const units: Record<Unit, string> = {
  bits: 'in bits',
  tokens: 'in tokens',
  weight: 'share of weight',
  share: '−1 to 1',
}

const place = ({ rank, from }: Ranked) =>
  `the ${rank === 1 ? '' : `${ordinal(rank)} `}${from === 'least' ? 'smallest' : 'largest'}`

/** In a sentence a weight is a part of all. */
const amount = ({ value: number, unit }: Pick<Ranked, 'value' | 'unit'>) =>
  unit === 'weight' ? percent(number) : value(number, unit)

const en = {
  get help(): string {
    return hasNoHover()
      ? 'Each point is a head. Tap one to select it, hold it to see its map.'
      : 'Each point is a head. Point at one to see it, click to select it.'
  },
  source:
    'Means of a head’s weights over all query tokens that are not special. Spread: entropy, Σ −a log₂ a, in bits; 0 where all weight is on one key. Distance: Σ a·|m − n|, as in Vig and Belinkov (2019, arXiv 1906.04284). Induction: the weight on tokens right after an earlier occurrence of the query’s word (Olsson and others 2022, arXiv 2209.11895). R and r̄: the concentration of a head’s queries around their mean before rotation, and the correlation of its scores with those predicted from the mean query and key (TriAttention, arXiv 2604.04921); the view Distance shows them for one head. Similar: the correlation of two maps over all pairs of tokens that are not special. Two heads at nearby points attend to similar places; what they read there may differ.',
  shade: (id: StatisticId, most: number, unit: Unit) => `colour: ${statistics[id].brief}, up to ${value(most, unit)}`,
  tick: (number: number) => String(Number(number.toPrecision(4))).replace('-', '−'),
  axes: { x: 'x', y: 'y', shade: 'colour' },
  from: 'measured on',
  sources: { text: 'this text', book: 'a book' },
  loading: 'Measuring…',
  noStatistics: 'The heads cannot be measured on this text.',
  noBook: 'This model has no heads.json with statistics over a book. Create it with ropescope heads.',
  label: (heads: number) =>
    `${integer(heads)} heads as points. Left and right move along the horizontal axis, up and down along the vertical one.`,
  moved: (head: string, x: string, y: string) => `head ${head}: ${x}, ${y}`,
  named,
  sortBy: (name: string) => `sort by ${name}, and show it on y`,
  /** Said once the table is sorted. */
  sorted: (name: string, direction: 'ascending' | 'descending') =>
    `sorted by ${name}, the ${direction === 'ascending' ? 'smallest' : 'largest'} first`,
  sortedByHead: 'in the order of the heads',
  /** Of the column below the pointer. */
  column: (id: StatisticId, unit: Unit) => `${statistics[id].brief}, ${units[unit]}: ${statistics[id].name}`,
  columns: 'A column’s name sorts by it and shows it on y.',
  headline: (head: string, heads: number, y: Ranked, x: Ranked, over: string) => ({
    title:
      y.rank === 1
        ? `Of ${integer(heads)} heads, head ${head} has the ${y.from === 'least' ? 'smallest' : 'largest'} ${statistics[y.statistic].name}.`
        : `Head ${head} has ${place(y)} ${statistics[y.statistic].name} of ${integer(heads)} heads.`,
    line: `${amount(y)}; ${statistics[x.statistic].name} ${amount(x)}, ${place(x)}. Measured ${over}.`,
  }),
  headlineEqual: (heads: number, over: string) => ({
    title: `All ${integer(heads)} heads are equal here.`,
    line: `Measured ${over}, without special tokens.`,
  }),
  similar: {
    title: (head: string) => `maps similar to that of ${head}`,
    help: 'correlation of the two maps on this text, without special tokens',
    start: (head: string) => `find maps similar to that of ${head}`,
    loading: (compared: number, all: number) => `Comparing… ${integer(compared)} of ${integer(all)}`,
    head: headStatistics.head,
    correlation: 'correlation',
    value: (correlation: number) => value(correlation, 'share'),
    tooLong: (tokens: number) => `Similarity, R and r̄ are computed for texts up to ${integer(tokens)} tokens.`,
  },
  overText: (tokens: number) =>
    `on the ${integer(tokens)} ${plural(tokens, { one: 'token', other: 'tokens' })} of this text`,
  overBook: (book: string) => `over ${book}, which the model was not trained on`,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
