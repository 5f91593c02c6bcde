// Compares two attention maps: aligns their tokens, subtracts them, measures their similarity and finds their pattern.
import { sourceOf } from '../../engine/protocol/parts'
import type { Reading } from '../../text/reading'
import type { MapCell } from '../../charts/attention-map/model'

/** Which tokens are compared: all (the same text), equal positions (texts of equal length), the common beginning and end, or none. */
export type Compared = 'all' | 'places' | 'ends' | 'none'

export interface Alignment {
  /** For each token of A its token of B, or −1. */
  toB: Int32Array
  toA: Int32Array
  /** Which cells are compared. */
  compared: Compared
  /** The number of aligned tokens. */
  shared: number
  /** Of cross-attention: whether both read the same source. */
  sameSource?: boolean
}

/** A query and a key, each null if the map has no such token. */
export interface Spot {
  query: number | null
  key: number | null
}

/** Texts with a smaller common share are not compared: a common full stop is no similarity. */
const leastShared = 0.25

export function alignSame(length: number): Alignment {
  const each = Int32Array.from({ length }, (_, at) => at)
  return { toB: each, toA: each, compared: 'all', shared: length }
}

/**
 * Aligns two texts of one model: by position if they have equally many tokens, else by their common beginning and end. Without enough in
 * common, positions are linked for the cursor, and nothing is compared.
 */
export const alignTexts = (a: Reading, b: Reading): Alignment => alignParts(a, b, alignTokens)

function alignTokens(a: Tokens, b: Tokens): Alignment {
  const [inA, inB] = [a.ids.length, b.ids.length]
  let first = 0
  while (first < Math.min(inA, inB) && a.ids[first] === b.ids[first]) first++
  if (inA === inB) return { ...alignSame(inA), compared: first === inA ? 'all' : 'places' }
  let last = 0
  while (last < Math.min(inA, inB) - first && a.ids[inA - 1 - last] === b.ids[inB - 1 - last]) last++
  const toB = new Int32Array(inA).map((_, at) => {
    if (at < first) return at
    return at >= inA - last ? at + inB - inA : -1
  })
  const shared = first + last
  // [CLS] and [SEP] are common to all texts: they do not count.
  const around = a.before + a.after
  const isEnough = shared > around && shared - around >= leastShared * (Math.min(inA, inB) - around)
  if (isEnough) return { toB, toA: inverse(toB, inB), compared: 'ends', shared }
  return { toB: places(inA, inB), toA: places(inB, inA), compared: 'none', shared: 0 }
}

/**
 * Aligns one text in two models: token by token if both tokenize it alike. Else tokens at the same characters are linked for the cursor,
 * and nothing is compared.
 */
export const alignModels = (a: Reading, b: Reading): Alignment => alignParts(a, b, alignSpans)

function alignSpans(a: Tokens, b: Tokens): Alignment {
  const alike =
    a.spans.length === b.spans.length &&
    a.spans.every((span, at) => span?.start === b.spans[at]?.start && span?.end === b.spans[at]?.end)
  if (alike) return alignSame(a.ids.length)
  return { toB: tokensAtText(a, b), toA: tokensAtText(b, a), compared: 'none', shared: 0 }
}

/** For each token of one reading the token of the other that contains its first character. */
function tokensAtText(from: Tokens, to: Tokens): Int32Array {
  const last = to.ids.length - 1
  return new Int32Array(from.ids.length).map((_, at) => {
    const span = from.spans[at]
    if (span) return to.spans.findIndex((other) => other && other.start <= span.start && span.start < other.end)
    const fromEnd = from.ids.length - 1 - at
    if (at < from.before) return at < to.before ? at : -1
    return fromEnd < to.after ? last - fromEnd : -1
  })
}

type Tokens = Pick<Reading, 'ids' | 'spans' | 'before' | 'after'>

/** In cross-attention sources are aligned with sources, and texts with texts. */
function alignParts(a: Reading, b: Reading, align: (a: Tokens, b: Tokens) => Alignment): Alignment {
  const [inA, inB] = [sourceOf(a.pair), sourceOf(b.pair)]
  if (inA === undefined || inB === undefined) return align(a, b)
  const part = ({ ids, spans, before }: Reading, from: number, to?: number): Tokens => ({
    ids: ids.slice(from, to),
    spans: spans.slice(from, to),
    // The source ends with a token of the template, the text begins with one.
    before: from === 0 ? before : 1,
    after: from === 0 ? 1 : 0,
  })
  const source = align(part(a, 0, inA), part(b, 0, inB))
  const text = align(part(a, inA), part(b, inB))
  const joined = (one: Int32Array, other: Int32Array, first: number) =>
    Int32Array.of(...one, ...other.map((at) => (at < 0 ? at : at + first)))
  const compared = strictness.find((kind) => source.compared === kind || text.compared === kind) ?? 'none'
  return {
    toB: joined(source.toB, text.toB, inB),
    toA: joined(source.toA, text.toA, inA),
    compared,
    shared: compared === 'none' ? 0 : source.shared + text.shared,
    sameSource: source.compared === 'all',
  }
}

/** Of two parts the less complete comparison counts. */
const strictness: readonly Compared[] = ['none', 'ends', 'places', 'all']

/** Links equal positions. */
const places = (length: number, other: number) => new Int32Array(length).map((_, at) => (at < other ? at : -1))

function inverse(toB: Int32Array, length: number): Int32Array {
  const toA = new Int32Array(length).fill(-1)
  toB.forEach((there, here) => {
    if (there >= 0) toA[there] = here
  })
  return toA
}

/** A query and a key of one map as those of the other. */
export function across({ query, key }: Spot, to: Int32Array): Spot {
  const there = (at: number | null) => {
    const found = at === null ? -1 : (to[at] ?? -1)
    return found < 0 ? null : found
  }
  return { query: there(query), key: there(key) }
}

/** The centre of the enlarged part: the map's own query and key, else the tokens nearest to those of the other map. */
export function nearest(spot: Spot, other: Spot, to: Int32Array, length: number): MapCell {
  const at = (own: number | null, there: number | null) => own ?? (there === null ? 0 : neighbour(there, to, length))
  return { query: at(spot.query, other.query), key: at(spot.key, other.key) }
}

function neighbour(at: number, to: Int32Array, length: number): number {
  for (let step = 0; step < to.length; step++) {
    for (const found of [to[at - step], to[at + step]]) if (found !== undefined && found >= 0) return found
  }
  return Math.max(0, Math.min(at, length - 1))
}

/** Spans of A's tokens without a token of B, as [first, end). */
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

/** `attention` is (length, length), row-major: queries down, keys across. */
export interface AttentionMap {
  attention: Float32Array
  length: number
  /** Of cross-attention: the tokens of the source, which come first and are the keys. The others are the queries. */
  source?: number | undefined
}

/** A − B, shaped as A; NaN where a token is not aligned. */
export function difference(a: AttentionMap, b: AttentionMap, { toB, compared }: Alignment): Float32Array {
  const values = new Float32Array(a.attention.length).fill(NaN)
  if (compared === 'none') return values
  eachPair(a, toB, (query, key) => {
    const inB = (toB[query] ?? 0) * b.length + (toB[key] ?? 0)
    values[query * a.length + key] = (a.attention[query * a.length + key] ?? 0) - (b.attention[inB] ?? 0)
  })
  return values
}

/** A's aligned tokens. */
function comparable({ length, source }: AttentionMap, toB: Int32Array): { queries: number[]; keys: number[] } {
  const all = Array.from({ length }, (_, at) => at).filter((at) => (toB[at] ?? -1) >= 0)
  if (source === undefined) return { queries: all, keys: all }
  return { queries: all.filter((at) => at >= source), keys: all.filter((at) => at < source) }
}

function eachPair(map: AttentionMap, toB: Int32Array, use: (query: number, key: number) => void): void {
  const { queries, keys } = comparable(map, toB)
  for (const query of queries) for (const key of keys) use(query, key)
}

/**
 * Pearson's r of the compared cells; undefined if one of the maps is constant. `causal`: cells above the diagonal, always 0, are left
 * out.
 */
export function correlation(
  a: AttentionMap,
  b: AttentionMap,
  { toB, compared }: Alignment,
  causal: boolean,
): number | undefined {
  if (compared === 'none') return undefined
  let [count, sumA, sumB] = [0, 0, 0]
  const each = (use: (a: number, b: number) => void) =>
    eachPair(a, toB, (query, key) => {
      if (causal && key > query) return
      const inB = (toB[query] ?? 0) * b.length + (toB[key] ?? 0)
      use(a.attention[query * a.length + key] ?? 0, b.attention[inB] ?? 0)
    })
  each((inA, inB) => {
    count++
    sumA += inA
    sumB += inB
  })
  const [meanA, meanB] = [sumA / count, sumB / count]
  let [both, squaresA, squaresB] = [0, 0, 0]
  each((inA, inB) => {
    both += (inA - meanA) * (inB - meanB)
    squaresA += (inA - meanA) ** 2
    squaresB += (inB - meanB) ** 2
  })
  // A variance this small is rounding.
  const least = 1e-12 * count
  return squaresA < least || squaresB < least ? undefined : both / Math.sqrt(squaresA * squaresB)
}

/**
 * Total variation distance of the rows, 0 … 1, averaged over the compared ones. All unaligned keys count as one. Undefined if nothing is
 * compared.
 */
export function elsewhere(a: AttentionMap, b: AttentionMap, { toB, compared }: Alignment): number | undefined {
  if (compared === 'none') return undefined
  const { queries, keys } = comparable(a, toB)
  // Where every token is aligned, the rest of a row is rounding.
  const isComplete = compared !== 'ends'
  let sum = 0
  for (const query of queries) {
    let [moved, restA, restB] = [0, 1, 1]
    for (const key of keys) {
      const inA = a.attention[query * a.length + key] ?? 0
      const inB = b.attention[(toB[query] ?? 0) * b.length + (toB[key] ?? 0)] ?? 0
      moved += Math.abs(inA - inB)
      restA -= inA
      restB -= inB
    }
    sum += (moved + (isComplete ? 0 : Math.abs(restA - restB))) / 2
  }
  return queries.length === 0 ? undefined : sum / queries.length
}

/** The overlap of two maps' weight by distance, 0 … 1, whatever their texts; undefined in cross-attention. */
export function alikeByDistance(a: AttentionMap, b: AttentionMap): number | undefined {
  if (a.source !== undefined || b.source !== undefined) return undefined
  const reach = Math.max(a.length, b.length) - 1
  const [one, other] = [byDistance(a, reach), byDistance(b, reach)]
  return 1 - one.reduce((sum, share, at) => sum + Math.abs(share - (other[at] ?? 0)), 0) / 2
}

/** The share of weight at each distance key − query, from −reach to reach. */
function byDistance({ attention, length }: AttentionMap, reach: number): Float64Array {
  const shares = new Float64Array(2 * reach + 1)
  for (let query = 0; query < length; query++) {
    for (let key = 0; key < length; key++) {
      const at = key - query + reach
      shares[at] = (shares[at] ?? 0) + (attention[query * length + key] ?? 0) / length
    }
  }
  return shares
}

export function largest(values: Float32Array): number {
  return values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0)
}

/** Where a head can put most of its weight, relative to the query or to the text; in cross-attention to the source. */
const patterns = ['first', 'last', 'back', 'ahead', 'itself', 'sourceStart', 'sourceEnd'] as const
export type HeadPattern = (typeof patterns)[number]

type PatternWeights = Readonly<Partial<Record<HeadPattern, number>>>

/** The mean weight of each pattern, over the queries that can have it: the first token has no token before it. */
export function patternsOf({ attention, length, source }: AttentionMap): PatternWeights {
  const mean = (key: (query: number) => number) => {
    let [sum, count] = [0, 0]
    for (let query = source ?? 0; query < length; query++) {
      const at = key(query)
      if (at < 0 || at >= length) continue
      sum += attention[query * length + at] ?? 0
      count++
    }
    return count === 0 ? 0 : sum / count
  }
  // A token of the text has no neighbours in the source.
  if (source !== undefined) return { sourceStart: mean(() => 0), sourceEnd: mean(() => source - 1) }
  return {
    first: mean(() => 0),
    last: mean(() => length - 1),
    back: mean((query) => query - 1),
    ahead: mean((query) => query + 1),
    itself: mean((query) => query),
  }
}

/** From this mean weight on a map has a pattern. */
const leastShare = 0.4

/** The strongest pattern, if it is strong enough. */
export function patternOf(weights: PatternWeights): HeadPattern | undefined {
  const weight = (pattern: HeadPattern) => weights[pattern] ?? 0
  const best = patterns.reduce((one, other) => (weight(other) > weight(one) ? other : one))
  return weight(best) >= leastShare ? best : undefined
}

/** The pattern in which two maps differ most, of those that both can have: cross-attention shares none with other maps. */
export function widest(a: PatternWeights, b: PatternWeights): HeadPattern | undefined {
  const gap = (pattern: HeadPattern) => Math.abs((a[pattern] ?? 0) - (b[pattern] ?? 0))
  const [first, ...rest] = patterns.filter((pattern) => pattern in a && pattern in b)
  return first && rest.reduce((one, other) => (gap(other) > gap(one) ? other : one), first)
}

export interface Likeness {
  /** Pearson's r of compared cells; undefined if none are compared. */
  r: number | undefined
  elsewhere: number | undefined
  /** The overlap of weight by distance; undefined in cross-attention, which has no distances. */
  byDistance: number | undefined
}

export function likenessOf(a: AttentionMap, b: AttentionMap, alignment: Alignment, causal: boolean): Likeness {
  return {
    r: correlation(a, b, alignment, causal),
    elsewhere: elsewhere(a, b, alignment),
    byDistance: alikeByDistance(a, b),
  }
}

/** More differences are not worth reading. */
export const mostListed = 12

/** The cells found before, by the values of A − B. */
const foundBefore = new WeakMap<Float32Array, readonly MapCell[]>()

/** The cells with the largest differences, the largest first. */
export function mostDifferent(values: Float32Array, length: number): readonly MapCell[] {
  const before = foundBefore.get(values)
  if (before) return before
  const size = (at: number) => Math.abs(values[at] ?? 0)
  const found: number[] = []
  for (let at = 0; at < values.length; at++) {
    // NaN is no difference: one of the two has no such token.
    if (!(size(at) > 0) || (found.length === mostListed && size(at) <= size(found[mostListed - 1] ?? 0))) continue
    const rank = found.findIndex((other) => size(other) < size(at))
    found.splice(rank < 0 ? found.length : rank, 0, at)
    found.length = Math.min(found.length, mostListed)
  }
  const cells = found.map((at) => ({ query: Math.floor(at / length), key: at % length }))
  foundBefore.set(values, cells)
  return cells
}
