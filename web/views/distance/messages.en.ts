import { distances } from '../../charts/head-grid/messages.en'
import { messages } from '../../i18n/messages.svelte'
import { decimal, integer, plural, degrees, percent, weight } from '../../i18n/numbers'
import { key, query, sentence, strong, type Sentence } from '../../i18n/rich'

const { where, brief, correlation, fraction } = distances

interface Findings {
  head: string
  queries: number
  correlation: number
  constancy: number
  /** The distance with the largest measured weight, with the measured and the predicted weight there. */
  peak: { distance: number; measured: number; predicted: number }
  /** The distance with the largest predicted weight, and that weight. */
  predicted: { distance: number; weight: number }
}

/** The angle of one step: that of a slow pair is small. */
function turn(radians: number): string {
  const angle = (radians * 180) / Math.PI
  return angle >= 0.95 ? degrees(radians) : `${Number(angle.toPrecision(2))}°`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const en = {
  help: 'Area: mean weight, measured. Line: predicted from the mean query and key.',
  source:
    'TriAttention (2026, arXiv 2604.04921), equations 20 to 26, on the rotation of RoFormer (arXiv 2104.09864): before rotation, queries and keys of many heads lie close to their means, so the means alone give a score at every distance. The line is the softmax of these scores. R is the concentration of the queries, r̄ the mean correlation of predicted and real scores of a query over all its keys. Means and correlations leave out special tokens. A preferred distance does not tell what the head reads there.',
  correlation,
  at: (distance: number) => brief(distance),
  label: 'Distance from the query, and frequency pair',
  loading: 'Predicting…',
  linear:
    'Weights of linear attention are no softmax of scores, so a mean query and a mean key predict none of them. Choose softmax attention in the view Shift all.',
  measured: (value: number) => `measured ${fraction(value)}`,
  predicted: (value: number) => `predicted ${fraction(value)}`,
  behind: distances.behind,
  ahead: distances.ahead,
  even: 'dotted: uniform weights',
  tick: integer,
  ringTick: (tokens: number) => (tokens >= 1000 ? `${integer(tokens / 1000)}k` : integer(tokens)),
  wants: (distance: number) =>
    Number.isNaN(distance) ? 'still' : Number.isFinite(distance) ? brief(distance, 1) : '–',
  nextMatch: (distance: number, pair: number) => `${brief(distance)}: pair ${pair} again`,
  constancy: (value: number) => `R ${decimal(value, 2)}`,
  all: (length: number) => `all ${integer(length)} distances`,
  pair: 'pair',
  strength: 'strength',
  strengthFilled: 'strength (filled: constant)',
  match: 'match',
  others: (pairs: number, most: number) => `${integer(pairs)} more, strength up to ${decimal(most, 1)}`,
  queries: 'queries',
  allKeys: 'keys',
  back: '← back',
  forth: 'ahead →',
  why: (pair: number, theta: number, angle: number, wants: number): Sentence => {
    const begin = sentence`Pair ${strong(String(pair))} of all ${query('queries')} and ${key('keys')} before rotation: `
    if (Number.isNaN(wants)) return [...begin, ...sentence`it does not turn and adds the same at every distance.`]
    const match = Number.isFinite(wants)
      ? sentence`Best match: ${strong(brief(wants, 1))}.`
      : sentence`It turns too slowly to match best anywhere in this model’s context.`
    return [
      ...begin,
      ...sentence`a step turns it by ${turn(theta)}, the keys lie ${degrees(Math.abs(angle))} to the ${angle > 0 ? 'left' : 'right'}. `,
      ...match,
    ]
  },
  headline: ({ head, queries, correlation, constancy, peak, predicted }: Findings) => {
    const over = `over ${integer(queries)} ${plural(queries, { one: 'query', other: 'queries' })} predicted and real scores correlate at r̄ = ${decimal(correlation, 2)}`
    if (correlation < 0.4) {
      return {
        title: `The mean query and key predict little of where head ${head} looks.`,
        line: `${capital(over)} only. The mean query before rotation has ${decimal(constancy, 2)} of the queries’ length (R).`,
      }
    }
    const measured = `Measured ${percent(peak.measured)} of the weight ${where(peak.distance)}, predicted ${percent(peak.predicted)}`
    if (Number.isNaN(correlation)) {
      return { title: `Too few tokens to predict where head ${head} looks.`, line: `${measured}.` }
    }
    const line = `${measured}; ${over}, R = ${decimal(constancy, 2)}.`
    if (correlation < 0.8) return { title: `The mean query and key predict a part of where head ${head} looks.`, line }
    const exactly = predicted.distance === peak.distance
    if (!exactly && peak.predicted < 0.8 * predicted.weight) {
      return {
        title: `The mean query and key predict most of head ${head}’s scores, but not where it looks most.`,
        line,
      }
    }
    const place = where(peak.distance)
    return {
      title: `The mean query and key predict where head ${head} looks: ${exactly ? place : `around ${place}`}.`,
      line,
    }
  },
  moved: (distance: number, token: string, measured: number, predicted: number) =>
    `key ‘${token}’, ${where(distance)}: measured ${weight(measured)}, predicted ${weight(predicted)} on average`,
  movedPair: (pair: number, strength: number, wants: number) =>
    `pair ${pair}: strength ${decimal(strength, 2)}, ${Number.isNaN(wants) ? 'does not turn' : Number.isFinite(wants) ? `best match ${brief(wants, 1)}` : 'no match within the context'}`,
  tables: {
    distances: 'by distance',
    pairs: 'by frequency pair',
    distance: ['tokens', 'key', 'measured', 'predicted', 'uniform', 'predicted score'],
    side: (distance: number): string => (distance > 0 ? 'behind' : distance < 0 ? 'ahead' : 'itself'),
    pair: ['pair', 'θ', 'strength C', 'R of queries', 'R of keys', 'φ', 'best match, tokens back'],
  },
}

export type Messages = typeof en
export const t = messages(en, import.meta.glob('./messages.{ko,hu}.ts'))
