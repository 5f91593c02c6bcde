// What a shift of all positions changes, and what it does not.
import type { Action } from '../../ui/keys'
import type { Differences, ModelInfo } from '../../engine/protocol/protocol'
import type { Changing } from '../../session/change'
import { ranges } from '../../viewstate/codec'

/** The most that rounding to a 32-bit float moves a number below 1: 2⁻²⁴. */
export const rounding = 2 ** -24

/** Changes of weights and of logits up to this are rounding, added up over a model's layers. */
export const rest = { weight: 1e-4, logit: 1e-2 }

export const largestOffset = ranges.offset.most

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

/** An offset that was tried, and the largest changes that it made: of any weight of any head, and of any logit. */
export interface Tried extends Differences {
  offset: number
}

/** What becomes of values: as they are, rotated by their position, or rotated and turned back by the query's. */
export type Values = 'still' | 'rotated' | 'turnedBack'

/** `rotary_value`: the model's own. */
export function valuesOf(
  { rotaryValue, rotatesValues }: Pick<Changing, 'rotaryValue' | 'rotatesValues'>,
  { rotary_value }: Pick<ModelInfo, 'rotary_value'>,
): Values {
  if (rotatesValues) return 'turnedBack'
  return rotaryValue || rotary_value ? 'rotated' : 'still'
}

/** Whether what a shift left is rounding. */
export function holds({ weight, logit }: Tried): boolean {
  return weight <= rest.weight && logit <= rest.logit
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
