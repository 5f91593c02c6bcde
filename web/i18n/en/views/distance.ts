// What the view tells once it is open: fetched with it.
import { degrees, weight } from '../../format'
import { decimal, integer, plural } from '../../numbers'
import { distance as ahead, short } from '../distance'
import { distances } from '../distances'
import { key, query, sentence, strong, type Sentence } from '../../rich'

const { where } = distances

interface Findings {
  head: string
  queries: number
  correlation: number
  constancy: number
  /** The distance with the largest measured weight, what was measured there and what foretold. */
  peak: { distance: number; measured: number; foretold: number }
  /** The distance with the largest foretold weight, and that weight. */
  foretold: { distance: number; weight: number }
}

/** The angle of a step: slow pairs turn by little. */
function turn(radians: number): string {
  const angle = (radians * 180) / Math.PI
  return angle >= 0.95 ? degrees(radians) : `${Number(angle.toPrecision(2))}°`
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

const brief = ahead.peak

export const distance = {
  correlation: ahead.correlation,
  peak: ahead.peak,
  at: ahead.at,
  label: 'Distance from the query, and frequency pair',
  loading: 'Foretelling …',
  measured: (value: number) => `measured ${brief(value)}`,
  foretold: (value: number) => `foretold ${brief(value)}`,
  behind: distances.behind,
  ahead: distances.ahead,
  even: 'dotted: an even share',
  tick: integer,
  ringTick: (tokens: number) => (tokens >= 1000 ? `${integer(tokens / 1000)}k` : integer(tokens)),
  wants: (distance: number) => (Number.isNaN(distance) ? 'still' : short(distance, 1)),
  round: (distance: number, pair: number) => `${short(distance)}: pair ${pair} again`,
  constancy: (value: number) => `R ${decimal(value, 2)}`,
  reach: (length: number) => `all ${integer(length)} distances`,
  pair: 'pair',
  strength: 'strength',
  strengthFilled: 'strength (filled: constant)',
  wanted: 'wants',
  left: (pairs: number, most: number) => `${integer(pairs)} more, strength up to ${decimal(most, 1)}`,
  queries: 'queries',
  allKeys: 'keys',
  back: '← back',
  forth: 'ahead →',
  why: (pair: number, theta: number, angle: number, wants: number): Sentence => {
    const begin = sentence`Pair ${strong(String(pair))} of all ${query('queries')} and ${key('keys')} before rotation: `
    if (Number.isNaN(wants)) return [...begin, ...sentence`it does not turn, and adds the same at every distance.`]
    return [
      ...begin,
      ...sentence`a step turns it by ${turn(theta)}, the keys lie ${degrees(Math.abs(angle))} to the ${angle > 0 ? 'left' : 'right'}. Best match: ${strong(short(wants, 1))}.`,
    ]
  },
  headline: ({ head, queries, correlation, constancy, peak, foretold }: Findings) => {
    const over = `over ${integer(queries)} ${plural(queries, 'query', 'queries')} foretold and real scores correlate at r̄ = ${decimal(correlation, 2)}`
    if (correlation < 0.4) {
      return {
        title: `Averages foretell little of where head ${head} looks.`,
        line: `${capital(over)} only. Averaged before rotation, its queries keep ${decimal(constancy, 2)} of their length (R).`,
      }
    }
    const measured = `Measured ${weight(peak.measured)} of the weight ${where(peak.distance)}, foretold ${weight(peak.foretold)}`
    if (Number.isNaN(correlation)) {
      return { title: `Too few tokens to foretell where head ${head} looks.`, line: `${measured}.` }
    }
    const line = `${measured}; ${over}, R = ${decimal(constancy, 2)}.`
    if (correlation < 0.8) return { title: `Averages foretell a part of where head ${head} looks.`, line }
    const exactly = foretold.distance === peak.distance
    if (!exactly && peak.foretold < 0.8 * foretold.weight) {
      return { title: `Two averages foretell most of head ${head}’s scores, but not where it looks most.`, line }
    }
    const place = where(peak.distance)
    return { title: `Two averages foretell where head ${head} looks: ${exactly ? place : `around ${place}`}.`, line }
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
