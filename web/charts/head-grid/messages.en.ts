// Heads side by side: the grid, what its cells show, statistics of heads, and distances between query and key.
import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, ordinal, plural, percent } from '../../i18n/numbers'

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

export const numberWord = (count: number): string => numbers[count] ?? integer(count)

/** Where the key is, by query − key. */
function where(distance: number): string {
  if (distance === 0) return 'at the query’s own position'
  const away = Math.abs(distance)
  return `${numberWord(away)} ${plural(away, { one: 'token', other: 'tokens' })} ${distance > 0 ? 'back' : 'ahead'}`
}

function short(distance: number): string {
  if (distance === 0) return 'same place'
  return `${integer(Math.abs(distance))} ${distance > 0 ? 'back' : 'ahead'}`
}

/** The same in few letters: "1 back", "12k ahead". */
function brief(distance: number, digits = 0): string {
  const away = Math.abs(distance)
  const written = away >= 9999.5 ? `${integer(away / 1000)}k` : away >= 9.95 ? integer(away) : decimal(away, digits)
  if (Number(written) === 0) return digits === 0 ? 'itself' : written
  return `${written} ${distance > 0 ? 'back' : 'ahead'}`
}

export const distances = {
  where,
  short,
  brief,
  /** A mean weight in a small picture. */
  fraction: (value: number) => decimal(value, value < 0.0995 ? 3 : 2),
  correlation: (value: number) => `r̄ ${Number.isNaN(value) ? '–' : decimal(value, 2).replace('-', '−')}`,
  behind: '← key behind, tokens',
  ahead: 'key ahead, tokens →',
  shortBehind: '← behind',
  shortAhead: 'ahead →',
}

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
  induction: { name: 'weight on what followed the same word before (induction)', brief: 'induction' },
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

const en = {
  title: 'Every head',
  help: {
    maps: 'Layers down, heads across; each one map of this text.',
    distance: 'Area: mean weight by distance. Line: predicted from the mean query and key.',
    pairs: 'Which frequency pairs a head uses, by E‖q‖·E‖k‖: pair 0, the fastest, on the left.',
  },
  source: {
    maps: 'Each map is a head’s weights over this text, max-pooled where it has more tokens than pixels, so that a thin line stays visible. The numbers are means over all queries that are not special tokens. Where a head looks does not say what it reads there.',
    distance:
      'Mean weight over all queries that have a key at this distance, and the prediction from the mean query and key (TriAttention, 2026, arXiv 2604.04921); the view Distance shows it for one head. The scale is the root of the weight.',
    pairs:
      'How long a head’s mean query and mean key are in each frequency pair before rotation, one times the other (TriAttention, 2026, arXiv 2604.04921). Colours by the root of the strength, all heads on one scale. A strong pair matters for the score; by itself it does not say at which distance.',
  },
  keys: {
    across: 'a head to the left or right',
    along: 'a layer up or down',
    ends: 'the first and the last head of the layer',
  },
  tables: { measured: 'mean weight, measured', predicted: 'mean weight, predicted' },
  pair: (pair: number) => `pair ${pair}`,
  headByDistance: (correlation: number, distance: number, weighs: number) =>
    `${percent(weighs)} of its weight ${distances.where(distance)}, ${distances.correlation(correlation)}`,
  headPairs: (pair: number, part: number) => `pair ${integer(pair)} most, ${decimal(part, 2)} of the total`,
  show: 'Show of each head',
  shows: { maps: 'maps', distance: 'distance', pairs: 'pairs' },
  by: 'by',
  byTitle: 'Statistic that marks and sorts the heads of each layer',
  byHead: 'number',
  sorted: 'sorted',
  most: 'most',
  least: 'least',
  rank: (rank: number) => `${ordinal(rank)} in its layer`,
  walking: 'Reading every head…',
  painting: (left: number) => `Painting: ${integer(left)} ${plural(left, { one: 'map', other: 'maps' })} left…`,
  walkTooLong: (tokens: number) => `Computed for texts up to ${integer(tokens)} tokens.`,
  label: (layers: number, heads: number) =>
    `Attention maps of all ${integer(layers)} × ${integer(heads)} heads. Arrow keys choose one, Shift and a click choose the one to compare with.`,
  corner: 'layer',
  layer: (layer: number) => `layer ${layer}`,
  head: (head: number) => `head ${head}`,
  place: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  width: 'Width of the grid',
  widths: { narrow: 'narrow', auto: 'of the usual width', wide: 'wide' },
  unfold: 'Open the grid of all heads',
  fold: 'Close the grid of all heads',
  narrower: (now: string) => `Narrower grid: now it is ${now}`,
  wider: (now: string) => `Wider grid: now it is ${now}`,
  compareHeads: (one: string, other: string) => `compare ${one} with ${other} →`,
  compared: 'B',
  headWord: 'head',
  tab: 'Heads',
  again: 'Try again',
  distances,
  statistics: headStatistics,
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
