// Weights of a head by distance, measured and predicted, and its queries and keys before rotation.
import { concentrationOf, weightsByDistance } from '../../engine/protocol/byDistance'
import type { HeadPrediction as Prediction, MeanPair } from '../../engine/protocol/mathematics'
import type { HeadResult } from '../../engine/protocol/protocol'
import type { Params } from '../../engine/protocol/requests'
import type { Bench } from '../../session/bench.svelte'
import { parseInterventions, scaleOf } from '../../session/interventions'
import { mutedOf } from '../../session/muted'
import { layerTheta, type Run } from '../../session/runs.svelte'
import { specialPositions } from '../../session/reading'
import type { Action } from '../../ui/keys'
import { walkRow } from '../../ui/walk'
import type { QueryAndKey } from '../../viewstate/choice'

export type { Prediction }

/** Mean weights by distance (query − key): entry d + length − 1 is that of d. */
export interface Curves {
  length: number
  /** Whether no query sees a key ahead: distances below 0 have no weight. */
  causal: boolean
  measured: Float64Array
  predicted: Float64Array
  /** The weight if each query divided it equally among the keys that it sees. */
  even: Float64Array
}

/** A head by distance and by frequency pair. */
export interface DistancePicture {
  curves: Curves
  /** A best match beyond the model's context is infinitely far. */
  pairs: readonly MeanPair[]
  /** r̄ */
  correlation: number
  /** In radians per position, (pairs). */
  theta: Float64Array
  clouds: Clouds
  /** The pair of the clouds. */
  pair: number
  /** Of the selected query and key, query − key. */
  distance: number
  /** The labelled distance: the one below the pointer, else the one with the largest measured weight. */
  focus: number
}

/** The run's own offset, θ and scale; frozen pairs do not turn. */
export function predictionParams(run: Run): Params<'prediction'> {
  const { reading, head, interventions } = run
  const { info } = run.model
  const special = specialPositions(run)
  const change = parseInterventions(interventions)
  const { frozen } = mutedOf(change, head, info)
  return {
    query: head.query,
    key: head.key,
    headSize: info.head_size,
    offset: change.offset,
    theta: layerTheta(run).map((speed, pair) => (frozen.includes(pair) ? 0 : speed)),
    scale: scaleOf(run),
    counted: Uint8Array.from(reading.ids, (_, position) => (special.has(position) ? 0 : 1)),
    causal: info.is_decoder,
  }
}

export function curvesOf({ attention, length }: HeadResult, predicted: Float64Array, causal: boolean): Curves {
  return { length, causal, predicted, ...weightsByDistance(attention, length, causal) }
}

export function weightAt({ length }: Curves, curve: Float64Array, distance: number): number {
  return curve[distance + length - 1] ?? 0
}

/** The distance with the largest mean weight among those that at least half of the queries have; the nearest of equal ones. */
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

/** R of a head: the mean over its pairs, weighted by strength; 0 where all strengths are 0. */
export function constancyOf(pairs: readonly MeanPair[]): number {
  return concentrationOf({
    strength: Float64Array.from(pairs, ({ strength }) => strength),
    constancy: Float64Array.from(pairs, ({ queryConstancy }) => queryConstancy),
  })
}

export function strongestOf(pairs: readonly MeanPair[]): number {
  return pairs.reduce((best, { strength }, pair) => (strength > (pairs[best]?.strength ?? 0) ? pair : best), 0)
}

/** The strongest pair's next match, one turn farther: why a curve ripples. Undefined where no pair dominates, or it does not turn. */
export function nextTurn(
  pairs: readonly MeanPair[],
  theta: Float64Array,
): { pair: number; distances: readonly number[] } | undefined {
  const pair = strongestOf(pairs)
  const { strength = 0, wants = NaN } = pairs[pair] ?? {}
  const all = pairs.reduce((sum, { strength }) => sum + strength, 0)
  if (!Number.isFinite(wants) || strength < dominance * all) return undefined
  const turn = (2 * Math.PI) / (theta[pair] ?? 0)
  return { pair, distances: [Math.round(wants + turn), Math.round(wants - turn)] }
}

/**
 * The pairs that fit into a list, ascending: the strongest and the selected one.
 *
 * @returns the pairs, how many others there are, and the strength of the strongest of those
 */
export function listPairs(
  pairs: readonly MeanPair[],
  rows: number,
  selected: number,
): { pairs: number[]; others: number; most: number } {
  if (pairs.length <= rows) return { pairs: pairs.map((_, pair) => pair), others: 0, most: 0 }
  const order = pairs.map((_, pair) => pair)
  const strength = (pair: number) => (pair === selected ? Infinity : (pairs[pair]?.strength ?? 0))
  order.sort((one, other) => strength(other) - strength(one))
  // The last row counts the others.
  const count = Math.max(1, rows - 1)
  const others = order.slice(count)
  return {
    pairs: order.slice(0, count).sort((one, other) => one - other),
    others: others.length,
    most: Math.max(0, ...others.map(strength)),
  }
}

/** The points of a pair's queries or keys, rotated so that the mean query lies on `x`; `y` is counterclockwise. */
export interface Cloud {
  x: Float64Array
  y: Float64Array
  /** Of all tokens, also those that are not drawn. */
  mean: { x: number; y: number }
}

interface Clouds {
  query: Cloud
  key: Cloud
  /** The greatest length of a point. */
  longest: number
}

/** The least part of the strength of all pairs that the strongest has where it dominates. */
const dominance = 0.2
/** A cloud of more tokens is thinned evenly. */
const mostDots = 240

export function cloudsOf({ query, key }: Prediction, pair: number, headSize: number, counted: Uint8Array): Clouds {
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
  const step = Math.max(1, tokens.length / mostDots)
  const dots = Array.from({ length: Math.ceil(tokens.length / step) }, (_, index) => tokens[Math.floor(index * step)])
  const cloud = (rows: Float64Array): Cloud => {
    const ends = dots.map((token) => turn(at(rows, token ?? 0)))
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

/** A cell of the map at this distance: the query moves only where the text has no such key. Undefined where the text is too short. */
export function cellAt(distance: number, query: number, length: number): QueryAndKey | undefined {
  if (Math.abs(distance) >= length) return undefined
  const row = Math.min(Math.max(query, Math.max(0, distance)), length - 1 + Math.min(0, distance))
  return { query: row, key: row - distance }
}

/** Keys that Page Up and Page Down skip. */
const page = 8

/** The distance or the pair that an action leads to; pair null is the strongest one. */
export function walk(
  action: Action | undefined,
  { query, key, pair, causal }: { query: number; key: number; pair: number; causal: boolean },
  length: number,
  pairs: number,
): { distance: number } | { pair: number | null } | undefined {
  if (action === 'leave') return { pair: null }
  if (action === 'up' || action === 'down') return { pair: walkRow(pair, action, pairs - 1) ?? pair }
  const to = walkRow(key, action, causal ? query : length - 1, page)
  return to === undefined ? undefined : { distance: query - to }
}

/** A prediction with the run that it is of. */
export interface Answer {
  run: Run
  params: Params<'prediction'>
  predicted: Prediction
  curves: Curves
}

/** Pairs whose best distance no text of the model reaches have none. */
export const withinContext = (pairs: readonly MeanPair[], context: number): MeanPair[] =>
  pairs.map((pair) => (Math.abs(pair.wants) > context ? { ...pair, wants: Infinity } : pair))

/** @param pointer the distance or the pair below the pointer */
export function pictureOf(
  { run, params, predicted, curves }: Answer,
  cursor: Bench['cursor'],
  pointer: { distance?: number; pair?: number } = {},
): DistancePicture {
  const { correlation } = predicted
  const context = run.model.info.max_position_embeddings
  const pairs = withinContext(predicted.pairs, context)
  const pair = pointer.pair ?? cursor.pair ?? strongestOf(pairs)
  return {
    curves,
    pairs,
    correlation,
    theta: params.theta,
    clouds: cloudsOf(predicted, pair, params.headSize, params.counted),
    pair,
    distance: cursor.query - cursor.key,
    focus: pointer.distance ?? peakOf(curves, curves.measured),
  }
}
