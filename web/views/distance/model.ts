// What distance a head wants: its weights by distance, measured and foretold, and its queries and keys before rotation.
import { concentrationOf, weightsByDistance } from '../../engine/protocol/byDistance'
import type { Foretold, MeanPair } from '../../engine/protocol/mathematics'
import type { HeadResult } from '../../engine/protocol/protocol'
import type { Params } from '../../engine/protocol/requests'
import type { distance as text } from '../../i18n/en/views/distance'
import { readChange, scaleOf } from '../../session/change'
import { mutedOf } from '../../session/muted'
import { layerTheta, type Shown } from '../../session/runs.svelte'
import { specialPositions } from '../../session/special'

/** Mean weights by distance (query − key): entry d + length − 1 is that of d. */
export interface Curves {
  length: number
  /** No query sees a key ahead: distances below 0 have no weight. */
  causal: boolean
  measured: Float64Array
  foretold: Float64Array
  /** What each query's weight, given evenly to all keys that it sees, would be. */
  even: Float64Array
}

export type DistanceWords = typeof text

export interface Shows {
  curves: Curves
  pairs: readonly MeanPair[]
  /** r̄ */
  correlation: number
  /** In radians per position, (pairs). */
  theta: Float64Array
  clouds: Clouds
  /** The pair whose clouds are shown. */
  pair: number
  /** Of the chosen query and key, query − key. */
  distance: number
  /** The distance that is read: the one pointed at, else where the measured weight is largest. */
  read: number
}

/** What the engine is asked about the head that is shown. */
export function foretoldAsks(shown: Shown): Params<'foretold'> {
  const { reading, head, changed } = shown
  const { info } = shown.model
  const special = specialPositions(shown)
  const change = readChange(changed)
  const { stop } = mutedOf(change, head, info)
  return {
    query: head.query,
    key: head.key,
    headSize: info.head_size,
    offset: change.offset,
    theta: layerTheta(shown).map((speed, pair) => (stop.includes(pair) ? 0 : speed)),
    scale: scaleOf(shown),
    counted: Uint8Array.from(reading.ids, (_, position) => (special.has(position) ? 0 : 1)),
    causal: info.is_decoder,
  }
}

/** The head's own weights by distance, beside those foretold. */
export function curvesOf({ attention, length }: HeadResult, foretold: Float64Array, causal: boolean): Curves {
  return { length, causal, foretold, ...weightsByDistance(attention, length, causal) }
}

export function weightAt({ length }: Curves, curve: Float64Array, distance: number): number {
  return curve[distance + length - 1] ?? 0
}

/** The distance with the largest mean weight, of those that at least half of the queries have; of equal ones the nearest. */
export function peakOf({ length, causal }: Curves, curve: Float64Array): number {
  const farthest = Math.floor(length / 2)
  let peak = 0
  for (let away = 0; away <= farthest; away++) {
    for (const distance of causal ? [away] : [away, -away]) {
      if ((curve[distance + length - 1] ?? 0) > (curve[peak + length - 1] ?? 0)) peak = distance
    }
  }
  return peak
}

/** R of a head: the mean of its pairs' by their strength; 0 where all are nothing. */
export function constancyOf(pairs: readonly MeanPair[]): number {
  return concentrationOf({
    strength: Float64Array.from(pairs, ({ strength }) => strength),
    constancy: Float64Array.from(pairs, ({ queryConstancy }) => queryConstancy),
  })
}

export function strongestOf(pairs: readonly MeanPair[]): number {
  return pairs.reduce((best, { strength }, pair) => (strength > (pairs[best]?.strength ?? 0) ? pair : best), 0)
}

/** A strong pair's next best match, a whole turn farther: why a curve ripples. Undefined where no pair stands out, or it does not turn. */
export function nextRound(
  pairs: readonly MeanPair[],
  theta: Float64Array,
): { pair: number; distances: readonly number[] } | undefined {
  const pair = strongestOf(pairs)
  const { strength = 0, wants = NaN } = pairs[pair] ?? {}
  const all = pairs.reduce((sum, { strength }) => sum + strength, 0)
  if (Number.isNaN(wants) || strength < standsOut * all) return undefined
  const turn = (2 * Math.PI) / (theta[pair] ?? 0)
  return { pair, distances: [Math.round(wants + turn), Math.round(wants - turn)] }
}

/** The pairs that a list with so much room shows, ascending: the strongest and the chosen one; and how many it leaves out. */
export function listed(
  pairs: readonly MeanPair[],
  rows: number,
  chosen: number,
): { shown: number[]; left: number; most: number } {
  if (pairs.length <= rows) return { shown: pairs.map((_, pair) => pair), left: 0, most: 0 }
  const order = pairs.map((_, pair) => pair)
  const strength = (pair: number) => (pair === chosen ? Infinity : (pairs[pair]?.strength ?? 0))
  order.sort((one, other) => strength(other) - strength(one))
  // The last row says what is left out.
  const kept = Math.max(1, rows - 1)
  const left = order.slice(kept)
  return {
    shown: order.slice(0, kept).sort((one, other) => one - other),
    left: left.length,
    most: Math.max(0, ...left.map(strength)),
  }
}

/** Ends of a pair's queries or keys, turned so that the mean query points along `x`; counterclockwise is `y`. */
export interface Cloud {
  x: Float64Array
  y: Float64Array
  /** The mean of all of them. */
  mean: { x: number; y: number }
}

export interface Clouds {
  query: Cloud
  key: Cloud
  /** The longest of all. */
  longest: number
}

/** Of the strength of all pairs. */
const standsOut = 0.2
/** At most so many of the tokens are drawn, evenly over the text. */
const mostDrawn = 240

export function cloudsOf({ query, key }: Foretold, pair: number, headSize: number, counted: Uint8Array): Clouds {
  const tokens = Array.from(counted.keys()).filter((token) => counted[token] === 1)
  const at = (rows: Float64Array, token: number) => {
    const first = token * headSize + 2 * pair
    return { x: rows[first] ?? 0, y: rows[first + 1] ?? 0 }
  }
  const mean = (rows: Float64Array) => {
    const all = tokens.map((token) => at(rows, token))
    const sum = all.reduce((sum, { x, y }) => ({ x: sum.x + x, y: sum.y + y }), { x: 0, y: 0 })
    return { x: sum.x / Math.max(all.length, 1), y: sum.y / Math.max(all.length, 1) }
  }
  const up = mean(query)
  const length = Math.hypot(up.x, up.y) || 1
  const turn = ({ x, y }: { x: number; y: number }) => ({
    x: (x * up.x + y * up.y) / length,
    y: (y * up.x - x * up.y) / length,
  })
  const step = Math.max(1, tokens.length / mostDrawn)
  const drawn = Array.from({ length: Math.ceil(tokens.length / step) }, (_, index) => tokens[Math.floor(index * step)])
  const cloud = (rows: Float64Array): Cloud => {
    const ends = drawn.map((token) => turn(at(rows, token ?? 0)))
    return {
      x: Float64Array.from(ends, ({ x }) => x),
      y: Float64Array.from(ends, ({ y }) => y),
      mean: turn(mean(rows)),
    }
  }
  const clouds = { query: cloud(query), key: cloud(key) }
  const lengths = Object.values(clouds).flatMap(({ x, y }) => Array.from(x, (x, index) => Math.hypot(x, y[index] ?? 0)))
  return { ...clouds, longest: lengths.reduce((longest, length) => Math.max(longest, length), 0) }
}

/** A key so far from the query; where the text has none there, the query moves as little as it can. Undefined: no text is so long. */
export function placesAt(distance: number, query: number, length: number): { query: number; key: number } | undefined {
  if (Math.abs(distance) >= length) return undefined
  const moved = Math.min(Math.max(query, Math.max(0, distance)), length - 1 + Math.min(0, distance))
  return { query: moved, key: moved - distance }
}
