// Which tokens of B stand for those of A, and which weights of the two maps can be subtracted.
import type { Reading } from '../../text/reading'
import type { Place } from '../../charts/attention-map/model'

/** All tokens, as many tokens place by place, the tokens that two texts begin and end with alike, or nothing. */
export type Compared = 'all' | 'places' | 'ends' | 'none'

export interface Alignment {
  /** For each token of A the one of B; −1: none. */
  toB: Int32Array
  toA: Int32Array
  /** What of the maps is compared cell by cell. */
  compared: Compared
  /** How many tokens that is. */
  shared: number
}

/** A query and a key; null where a map has no such token. */
export interface Spot {
  query: number | null
  key: number | null
}

/** Less of the shorter text than this is not compared: a full stop says nothing of two texts. */
const leastShared = 0.25

export function alignSame(length: number): Alignment {
  const each = Int32Array.from({ length }, (_, at) => at)
  return { toB: each, toA: each, compared: 'all', shared: length }
}

/**
 * Two texts as one model reads them: equally long ones place by place, others where they begin and end alike; else equal places are linked, and
 * nothing compared.
 */
export function alignTexts(a: Reading, b: Reading): Alignment {
  const [inA, inB] = [a.ids.length, b.ids.length]
  let first = 0
  while (first < Math.min(inA, inB) && a.ids[first] === b.ids[first]) first++
  if (inA === inB) return { ...alignSame(inA), compared: first === inA ? 'all' : 'places' }
  let last = 0
  while (last < Math.min(inA, inB) - first && a.ids[inA - 1 - last] === b.ids[inB - 1 - last]) last++
  const toB = new Int32Array(inA).map((_, at) => (at < first ? at : at >= inA - last ? at + inB - inA : -1))
  const shared = first + last
  // What every text has around it is nothing that two have in common.
  const around = a.before + a.after
  const isEnough = shared > around && shared - around >= leastShared * (Math.min(inA, inB) - around)
  if (isEnough) return { toB, toA: inverse(toB, inB), compared: 'ends', shared }
  return { toB: places(inA, inB), toA: places(inB, inA), compared: 'none', shared: 0 }
}

/** One text as two models read it: all of it where both cut it alike; else what stands at the same place is linked, and nothing compared. */
export function alignModels(a: Reading, b: Reading): Alignment {
  const alike =
    a.spans.length === b.spans.length &&
    a.spans.every((span, at) => span?.start === b.spans[at]?.start && span?.end === b.spans[at]?.end)
  if (alike) return alignSame(a.ids.length)
  return { toB: linked(a, b), toA: linked(b, a), compared: 'none', shared: 0 }
}

/** For each token of one reading that of the other which holds its beginning. */
function linked(from: Reading, to: Reading): Int32Array {
  const last = to.ids.length - 1
  return new Int32Array(from.ids.length).map((_, at) => {
    const span = from.spans[at]
    if (span) return to.spans.findIndex((other) => other && other.start <= span.start && span.start < other.end)
    const fromEnd = from.ids.length - 1 - at
    if (at < from.before) return at < to.before ? at : -1
    return fromEnd < to.after ? last - fromEnd : -1
  })
}

/** Each token's own place in the other text. */
const places = (length: number, other: number) => new Int32Array(length).map((_, at) => (at < other ? at : -1))

function inverse(toB: Int32Array, length: number): Int32Array {
  const toA = new Int32Array(length).fill(-1)
  toB.forEach((there, here) => {
    if (there >= 0) toA[there] = here
  })
  return toA
}

/** The same query and key in the other map. */
export function across({ query, key }: Spot, to: Int32Array): Spot {
  const there = (at: number | null) => {
    const found = at === null ? -1 : (to[at] ?? -1)
    return found < 0 ? null : found
  }
  return { query: there(query), key: there(key) }
}

/** Where a map is looked at: at its own spot, else at what is nearest to that of the other map. */
export function nearest(spot: Spot, other: Spot, to: Int32Array, length: number): Place {
  const at = (own: number | null, there: number | null) => own ?? (there === null ? 0 : beside(there, to, length))
  return { query: at(spot.query, other.query), key: at(spot.key, other.key) }
}

function beside(at: number, to: Int32Array, length: number): number {
  for (let apart = 0; apart < to.length; apart++) {
    for (const found of [to[at - apart], to[at + apart]]) if (found !== undefined && found >= 0) return found
  }
  return Math.max(0, Math.min(at, length - 1))
}

/** Stretches of A's tokens that have none in B: first and one behind the last. */
export function gaps(toB: Int32Array): [first: number, end: number][] {
  const found: [number, number][] = []
  toB.forEach((there, at) => {
    if (there >= 0) return
    const last = found.at(-1)
    if (last?.[1] === at) last[1]++
    else found.push([at, at + 1])
  })
  return found
}
