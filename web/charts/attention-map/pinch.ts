// Two fingers on a long text's map: apart it shows fewer tokens and larger, together more, and both ways it is moved.
import type { Fingers } from '../../ui/twoFingers'
import type { Grid } from './layout'
import type { Part } from './paint'
import { least, partFrom } from './window'

/** What the fingers took hold of. */
export interface Grip {
  part: Part
  fingers: Fingers
  grid: Pick<Grid, 'x' | 'y' | 'side'>
}

/** Fingers that stay as far apart as this, in parts of their distance, move the map. */
const steady = 0.03

/**
 * Whether the map follows: where it can go that way. At its ends, when all is shown or a token is as large as it gets, and beside the
 * enlarged part, the fingers zoom the page.
 */
export function follows({ part, fingers: from, grid }: Grip, to: Fingers, length: number): boolean {
  const within = (at: number, start: number) => at >= start && at < start + grid.side
  if (!within(from.x, grid.x) || !within(from.y, grid.y)) return false
  const ratio = to.distance / from.distance
  return ratio > 1 + steady ? part.size > Math.min(least, length) : part.size < length
}

/** The part that is shown then: what was between the fingers stays between them. */
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
