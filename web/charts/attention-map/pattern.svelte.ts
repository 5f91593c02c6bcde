// What a map's heads do: their pattern on the present text and what rotation adds, measured on the map, and the headline.
import { rowOf, type HeadMap, type MapCell, type MapHeads } from './model'
import { sliced, type Latest } from '../../ui/slices.svelte'
import type { MapKind } from '../../engine/protocol/protocol'
import type { Headline } from '../../ui/table'
import { score } from '../../i18n/numbers'
import { number, together } from '../../i18n/rich'
import { t } from './messages.en'

export const patterns = ['previous', 'next', 'twoBack', 'twoAhead', 'itself', 'first', 'same'] as const
/** Of cross-attention: further on in the source than the row before, its last or first token, the same token in the source. */
export const crossPatterns = ['onward', 'sourceEnd', 'sourceStart', 'copy'] as const
/** Where the largest weights lie: one or two tokens back or ahead, on the token itself, the first one, the same token elsewhere. */
type Pattern = (typeof patterns)[number] | (typeof crossPatterns)[number]

interface PatternMeasurement {
  pattern: Pattern
  /** Queries that see several keys and have such a key. For `onward`: all rows after the first. */
  queries: number
  /** Those whose largest weight is such a key's. */
  matches: number
  /** The mean weight of such keys, over these queries. */
  mean: number
}

interface Finding {
  /** The head's pattern: at least three quarters of at least four tokens have it. */
  pattern: PatternMeasurement | undefined
  /** The commonest candidate, if none is a pattern. */
  commonest: PatternMeasurement | undefined
  /** Whether there are too few tokens for a pattern. */
  few: boolean
  /** The mean over all query tokens of their largest weight. */
  largest: number
  /** Whether it is of cross-attention. */
  cross: boolean
  /** What the mean of the headline is over: the cells of the pattern, or else the largest of each row. */
  cells: readonly MapCell[]
}

/** A pattern holds for at least this share of its queries. */
const leastShare = 0.75
/** Fewer queries make no pattern. */
const leastQueries = 4

/** In steps. Undefined if no query sees more than one key. @param ids of the text's tokens */
export function* seekPattern(map: HeadMap, ids: ArrayLike<number>): Generator<void, Finding | undefined> {
  const peaks: Peak[] = []
  for (let query = 0; query < map.queries.positions.length; query++) {
    const row = rowOf(map, query)
    if (row.length > 1) peaks.push({ query, ...peakOf(row) })
    yield
  }
  if (peaks.length === 0) return undefined
  const measured: PatternMeasurement[] = []
  for (const pattern of map.cross ? crossPatterns : patterns) measured.push(yield* measure(pattern, map, ids, peaks))
  const found = measured
    .filter(({ queries, matches }) => queries >= leastQueries && matches > 0)
    .sort((one, other) => other.matches / other.queries - one.matches / one.queries || other.mean - one.mean)
  const [best] = found
  const isPattern = best !== undefined && best.matches >= leastShare * best.queries
  return {
    pattern: isPattern ? best : undefined,
    commonest: isPattern ? undefined : best,
    few: !isPattern && peaks.length <= leastQueries,
    largest: mean(peaks.map(({ most }) => most)),
    cross: map.cross,
    cells: isPattern
      ? cellsOf(best.pattern, map, ids, peaks)
      : peaks.map(({ query, row, most }) => ({ query, key: row.indexOf(most) })),
  }
}

function cellsOf(pattern: Pattern, map: HeadMap, ids: ArrayLike<number>, peaks: readonly Peak[]): MapCell[] {
  const keysFor = keysOf(pattern, map, ids)
  return peaks.flatMap(({ query, row }) => keysFor(query).flatMap((key) => (key < row.length ? [{ query, key }] : [])))
}

/** A row of weights: its largest, and how many keys have it. */
interface Peak {
  query: number
  row: Float32Array
  most: number
  keys: number
}

function peakOf(row: Float32Array): Omit<Peak, 'query'> {
  let [most, keys] = [0, 0]
  // By index, which is faster than an iterator for thousands of keys.
  for (let key = 0; key < row.length; key++) {
    const weight = row[key] ?? 0
    if (weight > most) {
      most = weight
      keys = 1
    } else if (weight === most) keys++
  }
  return { row, most, keys }
}

function* measure(
  pattern: Pattern,
  map: HeadMap,
  ids: ArrayLike<number>,
  peaks: readonly Peak[],
): Generator<void, PatternMeasurement> {
  const keysFor = keysOf(pattern, map, ids)
  const weights: number[] = []
  let matches = 0
  for (const { query, row, most, keys } of peaks) {
    yield
    const attended = keysFor(query).filter((key) => key < row.length)
    // After the source's last token no key is further on: such a row counts, too.
    if (pattern === 'onward' ? query === 0 : attended.length === 0) continue
    weights.push(attended.reduce((sum, key) => sum + (row[key] ?? 0), 0))
    // All keys with the largest weight are such keys.
    if (most > 0 && attended.filter((key) => row[key] === most).length === keys) matches++
  }
  return { pattern, queries: weights.length, matches, mean: mean(weights) }
}

function keysOf(pattern: Pattern, map: HeadMap, ids: ArrayLike<number>): (query: number) => readonly number[] {
  const { queries, keys } = map
  const place = new Map(keys.positions.map((position, index) => [position, index]))
  const at = (position: number | undefined) => {
    const key = position === undefined ? undefined : place.get(position)
    return key === undefined ? [] : [key]
  }
  const away = (distance: number) => (query: number) => at((queries.positions[query] ?? 0) + distance)
  switch (pattern) {
    case 'previous':
      return away(-1)
    case 'next':
      return away(1)
    case 'twoBack':
      return away(-2)
    case 'twoAhead':
      return away(2)
    case 'itself':
      return (query) => [query]
    case 'first':
      return (query) => (queries.positions[query] === 0 ? [] : at(0))
    case 'onward':
      return (query) => (query === 0 ? [] : behind(strongest(rowOf(map, query - 1)), keys.positions.length))
    case 'sourceEnd':
      return () => [keys.positions.length - 1]
    case 'sourceStart':
      return () => [0]
    case 'copy':
    case 'same': {
      const where = new Map<number | undefined, number[]>()
      keys.positions.forEach((position, index) => {
        const id = ids[position]
        const before = where.get(id)
        if (before) before.push(index)
        else where.set(id, [index])
      })
      return (query) =>
        (where.get(ids[queries.positions[query] ?? 0]) ?? []).filter((key) => map.cross || key !== query)
    }
  }
}

const strongest = (row: Float32Array): number =>
  row.reduce((best, weight, key) => (weight > (row[best] ?? 0) ? key : best), 0)

/** All keys behind this one. */
const behind = (key: number, count: number): number[] =>
  Array.from({ length: Math.max(0, count - key - 1) }, (_, step) => key + 1 + step)

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The pattern of a map. A long text is searched in slices, so that the page stays responsive. */
export class PatternSearch {
  readonly #map: () => HeadMap | undefined
  readonly #found: Latest<ArrayLike<number>, Finding | undefined>

  /**
   * Create it while a component is created: it ends with that.
   *
   * @param ids the token ids of the map's text
   */
  constructor(map: () => HeadMap | undefined, ids: () => ArrayLike<number>) {
    this.#map = map
    const present = {
      get latest() {
        const value = map()
        return value && { request: ids(), value }
      },
      stale: false,
      failure: undefined,
    }
    this.#found = sliced(present, ({ request: ids, value: map }) => seekPattern(map, ids))
  }

  /** Whether the search of the present map is still running. */
  get isRunning(): boolean {
    const { latest, stale } = this.#found
    return this.#map() !== undefined && (latest === undefined || stale)
  }

  /** Undefined while the search runs, and where every query sees at most one key. */
  get finding(): Finding | undefined {
    return this.isRunning ? undefined : this.#found.latest?.value
  }
}

/** The heads of a headline. */
export interface HeadlineSubject extends MapHeads {
  /** Whether the measurement leaves out special tokens. */
  withoutSpecial: boolean
}

/** A head with at least this mean of its largest weights picks single tokens; any other spreads its weight. */
const picking = 0.5

const notes = ({ count, withoutSpecial }: HeadlineSubject): string[] => [
  ...(count === 1 ? [] : [t().headline.mean(count)]),
  ...(withoutSpecial ? [t().headline.withoutSpecial] : []),
]

/** @param finding undefined while the pattern is still being measured */
export function headlineOf(finding: Omit<Finding, 'cells'> | undefined, of: HeadlineSubject): Headline {
  const say = t().headline
  const subject = say.subject(of)
  if (!finding) return { title: say.measuring(subject), line: say.measuringLine }
  const { pattern, commonest, few, largest, cross } = finding
  const line = pattern ? say.patternLine(pattern.pattern, pattern) : few ? say.few : say.noPattern(commonest, cross)
  const title = pattern
    ? say.pattern(subject, pattern.pattern)
    : (largest >= picking ? say.picks : say.spread)(subject, largest)
  return { title, line: [line, ...(cross ? [say.whileWriting] : []), ...notes(of)].join(' ') }
}

/** A column of a map, and its share of the sum of all numbers, 0 … 1. */
interface LargestColumn {
  key: number
  share: number
}

/** In steps: the column with the largest sum; undefined where all numbers are 0. Numbers must not be negative. */
export function* largestColumn(map: HeadMap): Generator<void, LargestColumn | undefined> {
  const sums = new Float64Array(map.keys.positions.length)
  for (let query = 0; query < map.queries.positions.length; query++) {
    const row = rowOf(map, query)
    for (let key = 0; key < row.length; key++) sums[key] = (sums[key] ?? 0) + (row[key] ?? 0)
    yield
  }
  const total = sums.reduce((sum, one) => sum + one, 0)
  if (!(total > 0)) return undefined
  const key = sums.indexOf(Math.max(...sums))
  return { key, share: (sums[key] ?? 0) / total }
}

/**
 * The key with the largest part of a map of weights times norms.
 *
 * @param byWeight the largest column of the weights alone, where those are known
 */
export function columnHeadline(
  { column, byWeight }: { column: LargestColumn; byWeight: LargestColumn | undefined },
  { map, kind, of }: { map: HeadMap; kind: MapKind; of: HeadlineSubject },
): Headline {
  const say = t().headline
  const token = ({ key, share }: LargestColumn) => ({
    name: map.keys.names[key] ?? '',
    position: map.keys.positions[key] ?? 0,
    share,
  })
  const comparison =
    byWeight && (byWeight.key === column.key ? say.sameByWeight(byWeight.share) : say.byWeight(token(byWeight)))
  return {
    title: say.takes(say.subject(of), token(column), kind),
    line: together([comparison ?? [], ...notes(of)]),
  }
}

/** The scores that a map shows: the highest cell, the range, and the mean. */
interface ScoreRange {
  highest: MapCell
  least: number
  most: number
  mean: number
}

/** A score that is further below the greatest one of its row may have the weight 0 without a mask: 32-bit numbers have no smaller ones. */
const leastWeighed = 80

/**
 * In steps. Undefined for a map without cells.
 *
 * @param weights of softmax: cells that the model's window masks have the weight 0, and do not count
 */
export function* scoreRange(map: HeadMap, weights: HeadMap | undefined): Generator<void, ScoreRange | undefined> {
  let [least, most, sum, count] = [Infinity, -Infinity, 0, 0]
  let highest: MapCell | undefined
  for (let query = 0; query < map.queries.positions.length; query++) {
    const row = rowOf(map, query)
    const weightsOfRow = weights && rowOf(weights, query)
    let greatest = -Infinity
    for (let key = 0; key < row.length; key++)
      if (weightsOfRow?.[key] !== 0) greatest = Math.max(greatest, row[key] ?? 0)
    for (let key = 0; key < row.length; key++) {
      const present = row[key] ?? 0
      if (weightsOfRow?.[key] === 0 && present > greatest - leastWeighed) continue
      count++
      sum += present
      if (present < least) least = present
      if (present <= most) continue
      most = present
      highest = { query, key }
    }
    yield
  }
  return highest && { highest, least, most, mean: sum / count }
}

interface ScoreMap {
  map: HeadMap
  kind: 'score' | 'content'
  linear: boolean
  of: HeadlineSubject
  /** Of a score; see `Numbers`. */
  siteOf?: ((query: number, key: number) => string) | undefined
}

export function scoreHeadline(
  { highest, ...range }: ScoreRange,
  { map, kind, linear, of, siteOf }: ScoreMap,
): Headline {
  const say = t().headline
  const [asks, answers] = [
    { text: map.queries.names[highest.query] ?? '', position: map.queries.positions[highest.query] ?? 0 },
    { text: map.keys.names[highest.key] ?? '', position: map.keys.positions[highest.key] ?? 0 },
  ]
  return {
    title: say.highest(kind, of, asks, answers, number(score(range.most), siteOf?.(asks.position, answers.position))),
    line: [say.scoreRange(kind, range, linear), ...notes(of)].join(' '),
  }
}

interface RotationShare {
  /** Query − key: where rotation adds most on average, of distances that at least half of the queries have. */
  distance: number
  /** The mean there, and over all other cells. */
  there: number
  elsewhere: number
  /** The least number of a cell. */
  least: number
}

/** Undefined where there is one distance alone or none, or rotation adds the same everywhere. @param map of what rotation adds to each score */
export function rotationShare(map: HeadMap): RotationShare | undefined {
  if (map.cross) return undefined
  const { positions } = map.queries
  const sums = new Map<number, { sum: number; count: number }>()
  let [least, most] = [Infinity, -Infinity]
  for (let query = 0; query < positions.length; query++) {
    const row = rowOf(map, query)
    for (let key = 0; key < row.length; key++) {
      const value = row[key] ?? 0
      const distance = (positions[query] ?? 0) - (positions[key] ?? 0)
      const at = sums.get(distance) ?? { sum: 0, count: 0 }
      sums.set(distance, { sum: at.sum + value, count: at.count + 1 })
      least = Math.min(least, value)
      most = Math.max(most, value)
    }
  }
  const all = [...sums].map(([distance, { sum, count }]) => ({ distance, sum, count }))
  if (all.length < 2 || least === most) return undefined
  const common = all.filter(({ count }) => 2 * count >= positions.length)
  const best = common.reduce((best, now) => (now.sum / now.count > best.sum / best.count ? now : best))
  const total = all.reduce((sum, one) => ({ sum: sum.sum + one.sum, count: sum.count + one.count }), {
    sum: 0,
    count: 0,
  })
  return {
    distance: best.distance,
    there: best.sum / best.count,
    elsewhere: (total.sum - best.sum) / (total.count - best.count),
    least,
  }
}

export function rotationHeadline({ distance, there, elsewhere, least }: RotationShare, of: HeadlineSubject): Headline {
  const say = t().headline
  return {
    title: say.rotation(distance, there, elsewhere),
    line: [say.rotationLine(say.subject(of), least), ...notes(of)].join(' '),
  }
}
