import { degrees, weight } from '../../elements/format'
import { decimal, integer, plural } from '../numbers'
import { key, query, sentence, strong, type Sentence } from '../rich'

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** A distance query − key as where the key lies: "one token back". */
function where(distance: number): string {
  if (distance === 0) return 'at the token itself'
  const away = Math.abs(distance)
  return `${numbers[away] ?? integer(away)} ${plural(away, 'token', 'tokens')} ${distance > 0 ? 'back' : 'ahead'}`
}

/** The same in few letters: "1 back". */
function short(distance: number, digits = 0): string {
  const away = Math.abs(distance) >= 9.95 ? integer(Math.abs(distance)) : decimal(Math.abs(distance), digits)
  if (Number(decimal(distance, digits)) === 0) return digits === 0 ? 'itself' : decimal(0, digits)
  return `${away} ${distance > 0 ? 'back' : 'ahead'}`
}

interface Findings {
  head: string
  queries: number
  correlation: number
  constancy: number
  /** The distance with the largest measured weight, what was measured there and what foretold. */
  peak: { distance: number; measured: number; foretold: number }
  /** The distance with the largest foretold weight. */
  foretold: number
}

/** As the picture writes it. */
const hundredths = (value: number) => decimal(value, 2).replace(/^0\./, '.')

export const distance = {
  tab: 'Distance',
  title: 'What distance does this head want?',
  help: 'Area: mean weight by distance, measured. Line: foretold from one mean query and one mean key.',
  source:
    'TriAttention (2026, arXiv 2604.04921), equations 20 to 26, on the rotation of RoFormer (arXiv 2104.09864): before rotation, queries and keys of many heads lie close around their means, so that the means alone give a score at every distance. A softmax of these scores gives the line. R tells how close the queries lie, r̄ how well foretold and real scores of a query correlate over all its keys. Special tokens have no part in means and correlations. That a distance is wanted does not say what is read there.',
  label: 'Distance from the query, and frequency pair',
  keys: [
    ['← →', 'a key farther back or ahead'],
    ['↑ ↓', 'a faster or slower frequency pair'],
    ['Home, End', 'the first and the last token as the key'],
    ['Page Up, Page Down', 'eight tokens at once'],
    ['Escape', 'the strongest pair again'],
  ] as const,
  loading: 'Foretelling …',
  measured: (value: number) => `measured ${hundredths(value)}`,
  foretold: (value: number) => `foretold ${hundredths(value)}`,
  behind: '← key behind, tokens',
  ahead: 'key ahead, tokens →',
  even: 'dotted: an even share',
  tick: integer,
  at: (distance: number) => short(distance),
  wants: (distance: number) => (Number.isNaN(distance) ? 'still' : short(distance, 1)),
  correlation: (value: number) => `r̄ ${Number.isNaN(value) ? '–' : decimal(value, 2)}`,
  correlationHint: 'how foretold and real scores of a query correlate, on average: 1 where the means say all',
  constancy: (value: number) => `R ${decimal(value, 2)}`,
  constancyHint: 'how much of their length the queries keep in their mean: 1 where all are the same before rotation',
  reach: (length: number) => `all ${integer(length)} distances`,
  pair: 'pair',
  strength: 'strength, filled: constant',
  wanted: 'wants',
  left: (pairs: number, most: number) =>
    `${integer(pairs)} more ${plural(pairs, 'pair', 'pairs')}: at most ${decimal(most, 2)} each`,
  queries: 'queries',
  allKeys: 'keys',
  back: '← tokens back',
  forth: 'ahead →',
  why: (pair: number, theta: number, angle: number, wants: number): Sentence => {
    const begin = sentence`Pair ${strong(String(pair))} of all ${query('queries')} and ${key('keys')} before rotation: `
    if (Number.isNaN(wants)) return [...begin, ...sentence`it does not turn, and adds the same at every distance.`]
    return [
      ...begin,
      ...sentence`a step turns it by ${degrees(theta)}, the keys lie ${degrees(Math.abs(angle))} to the ${angle > 0 ? 'left' : 'right'}. Best match: ${strong(short(wants, 1))}.`,
    ]
  },
  headline: ({ head, queries, correlation, constancy, peak, foretold }: Findings) => {
    const measured = `Measured ${weight(peak.measured)} of the weight ${where(peak.distance)}, foretold ${weight(peak.foretold)}`
    if (Number.isNaN(correlation)) {
      return { title: `Too few tokens to foretell where head ${head} looks.`, line: `${measured}.` }
    }
    const over = `over ${integer(queries)} ${plural(queries, 'query', 'queries')} foretold and real scores correlate at r̄ = ${decimal(correlation, 2)}`
    const line = `${measured}; ${over}, R = ${decimal(constancy, 2)}.`
    if (correlation < 0.4) return { title: `Averages foretell little of where head ${head} looks.`, line }
    if (correlation < 0.8) return { title: `Averages foretell a part of where head ${head} looks.`, line }
    if (foretold !== peak.distance) {
      return { title: `Two averages foretell most of head ${head}’s scores, but not where it looks most.`, line }
    }
    return { title: `Two averages foretell where head ${head} looks: ${where(foretold)}.`, line }
  },
  said: (distance: number, token: string, measured: number, foretold: number) =>
    `key ‘${token}’, ${where(distance)}: measured ${weight(measured)}, foretold ${weight(foretold)} on average`,
  saidPair: (pair: number, strength: number, wants: number) =>
    `pair ${pair}: strength ${decimal(strength, 2)}, ${Number.isNaN(wants) ? 'does not turn' : `wants ${short(wants, 1)}`}`,
  tables: {
    distances: 'by distance',
    pairs: 'by frequency pair',
    distance: ['tokens', 'key', 'measured', 'foretold', 'even share', 'foretold score'],
    side: (distance: number) => (distance > 0 ? 'behind' : distance < 0 ? 'ahead' : 'itself'),
    pair: ['pair', 'θ', 'strength C', 'R of queries', 'R of keys', 'φ', 'wants, tokens back'],
  },
}
