// The head that an action leads to, in the order of an axis.
import type { Action } from '../../ui/keys'
import type { HeadPlace } from '../../viewstate/choice'
import { samePlace, sortedBy, type MeasuredHead, type StatisticId } from '../../session/headStatistics'

export function walked(
  action: Action | undefined,
  from: HeadPlace,
  heads: readonly MeasuredHead[],
  { x, y }: { x: StatisticId; y: StatisticId },
): MeasuredHead | undefined {
  const along = (id: StatisticId, steps: number) => {
    const order = sortedBy(heads, id)
    const at = order.findIndex((head) => samePlace(head, from))
    return order[Math.min(Math.max(at + steps, 0), order.length - 1)]
  }
  switch (action) {
    case 'left':
      return along(x, -1)
    case 'right':
      return along(x, 1)
    case 'down':
      return along(y, -1)
    case 'up':
      return along(y, 1)
    case 'first':
      return along(x, -heads.length)
    case 'last':
      return along(x, heads.length)
    default:
      return undefined
  }
}
