// What rotation adds to the scores of a head, by distance.
import type { Headline } from '../../ui/table'
import { t } from './messages.en'
import { rowOf, type HeadMap } from './model'
import { notes, type HeadlineSubject } from './pattern.svelte'

export interface RotationShare {
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
