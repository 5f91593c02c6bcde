// The head that a key press leads to, in the order of an axis.
import type { HeadPlace } from '../../state/choice'
import { samePlace, sortedBy, type MeasuredHead, type StatisticId } from './statistics'

export function walked(
  press: string,
  from: HeadPlace,
  heads: readonly MeasuredHead[],
  { x, y }: { x: StatisticId; y: StatisticId },
): MeasuredHead | undefined {
  const along = (id: StatisticId, steps: number) => {
    const order = sortedBy(heads, id)
    const at = order.findIndex((head) => samePlace(head, from))
    return order[Math.min(Math.max(at + steps, 0), order.length - 1)]
  }
  switch (press) {
    case 'ArrowLeft':
      return along(x, -1)
    case 'ArrowRight':
      return along(x, 1)
    case 'ArrowDown':
      return along(y, -1)
    case 'ArrowUp':
      return along(y, 1)
    case 'Home':
      return along(x, -heads.length)
    case 'End':
      return along(x, heads.length)
    default:
      return undefined
  }
}
