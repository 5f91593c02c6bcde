// What a shift of all positions changes, and what it does not.
import type { Action } from '../../elements/keys'
import type { RunResult } from '../../engine/protocol'
import { ranges } from '../../state/codec'

/** The most that rounding to a 32-bit float moves a number below 1: 2⁻²⁴. */
export const rounding = 2 ** -24

/** Changes up to this are rounding, added up over a model's layers. */
export const rest = 1e-4

export const largestOffset = ranges.offset.most

/** The largest difference of two lists that are as long; undefined where they are not. */
export function largestChange(one: ArrayLike<number>, other: ArrayLike<number>): number | undefined {
  if (one.length !== other.length) return undefined
  let most = 0
  for (let index = 0; index < one.length; index++) {
    const change = Math.abs((one[index] ?? 0) - (other[index] ?? 0))
    if (change > most) most = change
  }
  return most
}

type Fills = Pick<RunResult, 'rows' | 'topIds' | 'topProbabilities'>

/**
 * The largest change of a shown fill's probability; undefined: there are none. Of one that only one of the two shows, the other is at
 * most that one's least, so that it is at least the difference to that.
 */
export function largestFillChange(now: Fills, whole: Fills): number | undefined {
  const count = now.rows.length === 0 ? 0 : now.topIds.length / now.rows.length
  if (count === 0 || whole.topIds.length !== now.topIds.length) return undefined
  let most = 0
  for (let row = 0; row < now.rows.length; row++) {
    const list = ({ topIds, topProbabilities }: Fills) =>
      Array.from({ length: count }, (_, rank) => ({
        id: topIds[row * count + rank] ?? -1,
        probability: topProbabilities[row * count + rank] ?? 0,
      }))
    const [before, after] = [list(whole), list(now)]
    const against = (one: typeof before, other: typeof before) => {
      for (const { id, probability } of one) {
        const same = other.find((fill) => fill.id === id)?.probability
        const change =
          same === undefined ? probability - (other.at(-1)?.probability ?? 0) : Math.abs(probability - same)
        most = Math.max(most, change)
      }
    }
    against(before, after)
    against(after, before)
  }
  return most
}

/** Where an offset stands on the axis, 0 … 1: even steps at first, then even ratios. */
export function placeOf(offset: number): number {
  return Math.log1p(offset) / Math.log1p(largestOffset)
}

/** The whole offset nearest to a place on the axis. */
export function offsetAt(place: number): number {
  return Math.round(Math.expm1(Math.min(1, Math.max(0, place)) * Math.log1p(largestOffset)))
}

/** Arrow keys walk so many places, each at least one position. */
const steps = 120

/** Where a key moves the offset; undefined: not such a key. */
export function moveOffset(offset: number, action: Action | undefined): number | undefined {
  const within = (value: number) => Math.min(largestOffset, Math.max(0, value))
  const next = (by: 1 | -1) => {
    const walked = offsetAt(placeOf(offset) + by / steps)
    return within(walked === offset ? offset + by : walked)
  }
  switch (action) {
    case 'right':
    case 'up':
      return next(1)
    case 'left':
    case 'down':
      return next(-1)
    case 'pageUp':
      return within(offset === 0 ? 10 : offset * 10)
    case 'pageDown':
      return Math.floor(offset / 10)
    case 'first':
      return 0
    case 'last':
      return largestOffset
    default:
      return undefined
  }
}

/** An offset that was tried, and the largest changes that it made. */
export interface Tried {
  offset: number
  weight: number
  fill: number | undefined
}

/** So many are kept. */
const mostTried = 200

/** With one more, in the order of the offsets; the newest of equal offsets counts. */
export function withTried(tried: readonly Tried[], one: Tried): Tried[] {
  const others = tried.filter(({ offset }) => offset !== one.offset).slice(-mostTried + 1)
  return [...others, one].sort((a, b) => a.offset - b.offset)
}

/** Four pairs from the fastest to the slowest that turns; the chosen one takes the place of the one next to it. */
export function fourPairs(theta: ArrayLike<number>, chosen: number | null): number[] {
  const turning = Array.from(theta).flatMap((angle, pair) => (angle > 0 ? [pair] : []))
  const last = turning.length - 1
  const spread = new Set([0, 1, 2, 3].map((part) => turning[Math.round((part * last) / 3)] ?? -1))
  const pairs = [...spread].filter((pair) => pair >= 0)
  if (chosen === null || pairs.includes(chosen) || !turning.includes(chosen) || pairs.length === 0) return pairs
  const nearest = pairs.reduce((best, pair) => (Math.abs(pair - chosen) < Math.abs(best - chosen) ? pair : best))
  return pairs.map((pair) => (pair === nearest ? chosen : pair))
}

/** One dial: angles in radians, 0 … 2π. */
export interface Hands {
  pair: number
  query: number
  key: number
  /** Full turns of the query's hand since position 0. */
  turns: number
}

/** What is asked for the hands' angles: the angle at a position p of θ is that at position 1 of p·θ. Queries first, then keys. */
export function anglesAsked(theta: ArrayLike<number>, pairs: readonly number[], query: number, key: number) {
  const at = (position: number) => pairs.map((pair) => position * (theta[pair] ?? 0))
  return { theta: Float64Array.from([...at(query), ...at(key)]), length: 2 }
}

/** Reads the answer to that: (2, 2 · pairs), of which the second row counts. */
export function handsOf(
  angles: ArrayLike<number>,
  theta: ArrayLike<number>,
  pairs: readonly number[],
  query: number,
): Hands[] {
  const count = pairs.length
  return pairs.map((pair, index) => ({
    pair,
    query: angles[2 * count + index] ?? 0,
    key: angles[3 * count + index] ?? 0,
    turns: (query * (theta[pair] ?? 0)) / (2 * Math.PI),
  }))
}

/** The angle from the key's hand to the query's, −π … π. */
export function between({ query, key }: Hands): number {
  const turn = 2 * Math.PI
  const difference = (((query - key) % turn) + turn) % turn
  return difference > Math.PI ? difference - turn : difference
}
