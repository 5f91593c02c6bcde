// Two fingers on a long text's map zoom and move its enlarged part.
import type { Fingers } from '../../ui/twoFingers'
import type { Grid } from './layout'
import type { Part } from './paint'
import { least, partFrom } from './window'

/** The part and the fingers at the start of the gesture. */
export interface Grip {
  part: Part
  fingers: Fingers
  grid: Pick<Grid, 'x' | 'y' | 'side'>
}

/** A relative change of the fingers' distance up to this moves the map; a larger one zooms. */
const steady = 0.03

/**
 * Whether the map can follow the gesture. Beside the enlarged part and at the limits of moving and zooming the fingers zoom the page.
 */
export function follows({ part, fingers: from, grid }: Grip, to: Fingers, length: number): boolean {
  const within = (at: number, start: number) => at >= start && at < start + grid.side
  if (!within(from.x, grid.x) || !within(from.y, grid.y)) return false
  const ratio = to.distance / from.distance
  return ratio > 1 + steady ? part.size > Math.min(least, length) : part.size < length
}

/** The part that follows: what was between the fingers stays between them. */
export function pinched({ part, fingers: from, grid }: Grip, to: Fingers, length: number): Part {
  const size = Math.max(
    Math.min(least, length),
    Math.min(Math.round((part.size * from.distance) / to.distance), length),
  )
  const anchored = (first: number, start: number, before: number, now: number) =>
    first + ((before - start) * part.size - (now - start) * size) / grid.side
  return partFrom(
    {
      query: anchored(part.query, grid.y, from.y, to.y),
      key: anchored(part.key, grid.x, from.x, to.x),
      size,
    },
    length,
  )
}
