// What the engine turns: two vectors, by θ and their positions; and the walk to these positions from 0.
import { resource, type Resource } from '../../session/resource.svelte'
import type { Inputs } from '../../views/module'
import type { Choice } from '../../viewstate/choice'
import { examples } from '../../viewstate/examples'
import type { TurnParams } from '.'
import model from '../head.json'
import { reach, steps, type Arrows, type Vector } from './picture'

/** The arrows as they are before they are turned, and θ in radians. */
export interface PairBeforeRotation {
  query: Vector
  key: Vector
  theta: number
  /** Undefined for arrows that are nobody's. */
  pair: number | undefined
}

const vectorOf = (row: readonly number[], pair: number): Vector => [row[2 * pair] ?? 0, row[2 * pair + 1] ?? 0]

/** The arrows of the text's example, where a link names some of their numbers. */
export const example = { angle: 30, qx: 1, qy: 0, kx: 0.7, ky: 0.7 } as const

export const modelSubject = (pair: number): PairBeforeRotation => ({
  query: vectorOf(model.query.row, pair),
  key: vectorOf(model.key.row, pair),
  theta: model.theta[pair] ?? 0,
  pair,
})

export function subjectOf({ pair, angle, qx, qy, kx, ky }: TurnParams): PairBeforeRotation {
  if ([angle, qx, qy, kx, ky].every((value) => value === null)) return modelSubject(pair)
  return {
    query: [qx ?? example.qx, qy ?? example.qy],
    key: [kx ?? example.kx, ky ?? example.ky],
    theta: ((angle ?? example.angle) * Math.PI) / 180,
    pair: undefined,
  }
}

/** Where both stand: far enough from 0 to see the turn, unless a link or the ruler says where. */
const first = { m: 3, n: 1 }

export function positionsOf(params: TurnParams, { query, key }: Pick<Choice, 'query' | 'key'>) {
  // The ruler's positions are the Explorer's selection, until somebody moves them.
  const isMoved = query !== examples[0].query || key !== examples[0].key
  const [m, n] = isMoved ? [query, key] : [first.m, first.n]
  return { m: params.m ?? Math.min(m, 511), n: params.n ?? Math.min(n, 511) }
}

export interface TurnData {
  rotation: Pick<Resource<'rotation'>, 'latest' | 'stale' | 'failure'>
  /** How far both have walked from 0; undefined: they have arrived. */
  walk: { at: number | undefined; toggle: () => void }
}

/** Between two steps of the walk, in milliseconds. */
const stepTime = 700

export function turnData(inputs: Inputs<TurnParams>): TurnData {
  let at: number | undefined = $state()
  let walking: ReturnType<typeof setInterval> | undefined
  const positions = $derived(positionsOf(inputs.params, inputs.bench.choice))
  const rotation = resource(inputs.bench.engine, 'rotation', () => {
    const m = Math.min(at ?? positions.m, positions.m)
    const n = Math.min(at ?? positions.n, positions.n)
    const { query, key, theta } = subjectOf(inputs.params)
    return {
      params: {
        query: Float64Array.from(query),
        key: Float64Array.from(key),
        theta: Float64Array.of(theta),
        m,
        n,
        reach: Math.max(reach, Math.abs(m - n) + 1),
      },
    }
  })
  function stop(): void {
    clearInterval(walking)
    at = walking = undefined
  }
  function toggle(): void {
    if (walking !== undefined) return stop()
    at = 0
    walking = setInterval(() => {
      at = (at ?? 0) + 1
      if (at >= Math.max(positions.m, positions.n)) stop()
    }, stepTime)
  }
  $effect(() => stop)
  return {
    rotation,
    walk: {
      get at() {
        return at
      },
      toggle,
    },
  }
}

/** The arrows that the engine turned last, with the curve's part of their scores. */
export function arrowsOf({ latest }: TurnData['rotation']): Arrows | undefined {
  if (!latest) return undefined
  const { params } = latest.request
  const { query, key, sweep } = latest.value
  const { m, n } = params
  const pair = (row: Float64Array): Vector => [row[0] ?? 0, row[1] ?? 0]
  const scoreAt = (distance: number) => sweep[(params.reach + distance) * steps] ?? NaN
  return {
    query: { before: pair(params.query), after: pair(query) },
    key: { before: pair(params.key), after: pair(key) },
    theta: params.theta[0] ?? 0,
    m,
    n,
    sweep: sweep.slice((params.reach - reach) * steps, (params.reach + reach) * steps + 1),
    score: scoreAt(m - n),
    scoreAt,
  }
}
