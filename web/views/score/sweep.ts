// The same query and key at every distance: where the score is highest, in words.
import type { ScoreParts } from '../../engine/protocol'
import { score } from '../../elements/format'

export interface Peak {
  /** query − key. */
  distance: number
  score: number
}

/** The highest score of the sweep; of equal ones the one nearest to 0. */
export function peakOf({ sweep, maxDistance }: ScoreParts): Peak {
  let peak: Peak = { distance: 0, score: sweep[maxDistance] ?? 0 }
  for (let away = 1; away <= maxDistance; away++) {
    for (const distance of [away, -away]) {
      const value = sweep[distance + maxDistance] ?? -Infinity
      if (value > peak.score) peak = { distance, score: value }
    }
  }
  return peak
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** A distance query − key as where the key lies. */
export function where(distance: number): string {
  if (distance === 0) return 'on the query’s own place'
  const away = Math.abs(distance)
  return `${numbers[away] ?? String(away)} ${away === 1 ? 'token' : 'tokens'} ${distance > 0 ? 'back' : 'ahead'}`
}

/** What the sweep says, in two sentences. */
export function peakWords(parts: ScoreParts, trueDistance: number): string {
  const peak = peakOf(parts)
  const least = parts.sweep.reduce((low, value) => Math.min(low, value), Infinity)
  if (!(peak.score - least >= 0.01))
    return 'The same at every distance: for these two tokens, position does not matter to this head.'
  const first = `Highest at distance ${sign(peak.distance)}: this head’s best match of these two is ${where(peak.distance)}.`
  if (peak.distance === trueDistance) return `${first} That is where the key is.`
  const actual = parts.sweep[trueDistance + parts.maxDistance]
  if (actual === undefined) return first
  return `${first} The key is ${where(trueDistance)}, where the score is ${score(peak.score - actual)} lower.`
}

function sign(distance: number): string {
  return distance < 0 ? `−${-distance}` : String(distance)
}

/** A distance in words for readings: "distance −3". */
export function distanceWords(distance: number): string {
  return `distance ${sign(distance)}`
}
