// What a map's heads do, in a headline.
import type { MapKind } from '../../engine/protocol/protocol'
import type { Headline } from '../../ui/table'
import { t } from './messages.en'
import { rowOf, type HeadMap } from './model'
import type { Finding } from './pattern'
import type { Subject } from './subject'

/** The heads of a headline. */
export interface HeadlineSubject extends Subject {
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
export function headlineOf(finding: Finding | undefined, of: HeadlineSubject): Headline {
  const say = t().headline
  const subject = say.subject(of)
  if (!finding) return { title: say.measuring(subject), line: say.measuringLine }
  const { pattern, commonest, few, largest } = finding
  const line = pattern ? say.patternLine(pattern.pattern, pattern) : few ? say.few : say.noPattern(commonest)
  const title = pattern
    ? say.pattern(subject, pattern.pattern)
    : (largest >= picking ? say.picks : say.spread)(subject, largest)
  return { title, line: [line, ...notes(of)].join(' ') }
}

/** A column of a map, and its share of the sum of all numbers, 0 … 1. */
export interface LargestColumn {
  key: number
  share: number
}

/** The column with the largest sum; undefined where all numbers are 0. Numbers must not be negative. */
export function largestColumn(map: HeadMap): LargestColumn | undefined {
  const sums = new Float64Array(map.positions.length)
  for (let query = 0; query < map.positions.length; query++) {
    const row = rowOf(map, query)
    for (let key = 0; key < row.length; key++) sums[key] = (sums[key] ?? 0) + (row[key] ?? 0)
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
    name: map.names[key] ?? '',
    position: map.positions[key] ?? 0,
    share,
  })
  const comparison =
    byWeight && (byWeight.key === column.key ? say.sameByWeight(byWeight.share) : say.byWeight(token(byWeight)))
  return {
    title: say.takes(say.subject(of), token(column), kind),
    line: [...(comparison ? [comparison] : []), ...notes(of)].join(' '),
  }
}
