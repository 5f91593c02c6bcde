// The score of a query and a key at every distance.
import type { Request } from '../../session/answers'
import { mutedOf } from '../../session/muted'
import { parseInterventions, scaleOf } from '../../session/interventions'
import { layerTheta, type Run } from '../../session/runs.svelte'
import type { QueryAndKey } from '../../viewstate/choice'

/** Scores per token of distance, enough for a smooth curve. */
export const fine = 4

/** Scores at distances −reach … reach (query − key), `fine` from one token to the next. */
export interface ScoreCurve {
  values: Float64Array
  reach: number
}

/** The highest score at a whole distance. */
export interface Peak {
  /** query − key: above 0 the key is behind. */
  distance: number
  score: number
}

/** The curve's reach: `least` tokens each way, or more if the key is farther. */
export function reachFor(distance: number, least = 32): number {
  let reach = least
  while (reach < Math.abs(distance)) reach *= 2
  return reach
}

/** The score at a distance; NaN beyond the curve. */
export const scoreAt = ({ values, reach }: ScoreCurve, distance: number): number =>
  values[Math.round((distance + reach) * fine)] ?? NaN

/** The highest score, of equal ones the nearest. */
export function peakOf(curve: ScoreCurve, causal: boolean): Peak {
  let peak: Peak = { distance: 0, score: scoreAt(curve, 0) }
  for (let away = 1; away <= curve.reach; away++) {
    for (const distance of causal ? [away] : [away, -away]) {
      const score = scoreAt(curve, distance)
      if (score > peak.score) peak = { distance, score }
    }
  }
  return peak
}

/** The highest minus the lowest score. */
export function spanOf({ values }: ScoreCurve): number {
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  )
  return most - least
}

/** θ of the head in this run: 0 for frozen pairs. */
export function thetaOf(run: Run): Float64Array {
  const { frozen } = mutedOf(parseInterventions(run.interventions), run.head, run.model.info)
  return layerTheta(run).map((angle, pair) => (frozen.includes(pair) ? 0 : angle))
}

/** The request for a score of this head with its curve, of all pairs or of one. Undefined: the text has no such token. */
export function explainRequest(
  run: Run,
  { query, key }: QueryAndKey,
  reach: number,
  pair?: number,
): Request<'explain'> | undefined {
  const { head, model } = run
  const { head_size } = model.info
  if (query >= head.length || key >= head.length) return undefined
  const [from, to] = pair === undefined ? [0, head_size / 2] : [pair, pair + 1]
  const row = (rows: Float32Array, position: number) =>
    rows.slice(position * head_size + 2 * from, position * head_size + 2 * to)
  return {
    params: {
      query: row(head.query, query),
      key: row(head.key, key),
      // Four times the distance at a quarter of the speed is the same rotation, with three scores between two tokens.
      m: query * fine,
      n: key * fine,
      theta: thetaOf(run)
        .slice(from, to)
        .map((angle) => angle / fine),
      scale: scaleOf(run),
      maxDistance: reach * fine,
    },
  }
}

/** The request for the parts of the same score with the key moved to a distance (query − key). */
export function movedRequest(run: Run, cell: QueryAndKey, distance: number): Request<'movedParts'> | undefined {
  const request = explainRequest(run, cell, 0)
  if (!request) return undefined
  const { query, key, m, n, theta, scale } = request.params
  return { params: { query, key, currentDistance: m - n, theta, scale, distance: distance * fine } }
}

/** The bound of the score by the paper's equation 37, at each distance; undefined: unknown. */
export function boundOf(steepest: number, decay: Float64Array, pairs: number, reach: number): ScoreCurve | undefined {
  if (!Number.isFinite(steepest) || decay.length < reach * fine + 1) return undefined
  const at = (index: number) => steepest * pairs * (decay[Math.abs(index - reach * fine)] ?? NaN)
  return { values: Float64Array.from({ length: 2 * reach * fine + 1 }, (_, index) => at(index)), reach }
}

/** The key's position at a distance from the query; undefined: there is no token, or none that the query sees. */
export function keyAt(query: number, distance: number, length: number, causal: boolean): number | undefined {
  const key = query - distance
  return key >= 0 && key < length && !(causal && key > query) ? key : undefined
}
