// How a table of heads is sorted, as the link writes it.
import type { Sorting } from '.'
import { sortedBy, type MeasuredHead, type StatisticId } from '../../session/headStatistics'

function read(sort: Sorting): { id: StatisticId; falling: boolean } | undefined {
  if (sort === 'head') return undefined
  const falling = sort.startsWith('-')
  return { id: (falling ? sort.slice(1) : sort) as StatisticId, falling }
}

/** As the table shows it; heads as they are numbered where the statistic is not known of them. */
export function inOrder(heads: readonly MeasuredHead[], sort: Sorting): readonly MeasuredHead[] {
  const by = read(sort)
  return by ? sortedBy(heads, by.id, { falling: by.falling }) : heads
}

/** The largest first; again: the smallest first. */
export function turned(sort: Sorting, id: StatisticId): Sorting {
  return sort === `-${id}` ? id : `-${id}`
}

/** For aria-sort; undefined where another column is sorted. */
export function directionOf(sort: Sorting, of: StatisticId | 'head'): 'ascending' | 'descending' | undefined {
  if (sort === of) return 'ascending'
  return sort === `-${of}` ? 'descending' : undefined
}
