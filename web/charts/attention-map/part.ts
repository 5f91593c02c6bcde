// The part of a long text's map that is enlarged, and how two fingers zoom and move it.
import type { Place } from './model'
import type { Part } from './paint'
import type { Fingers } from '../../ui/twoFingers'
import type { Grid } from './layout'

/** The fewest tokens across. */
export const least = 6

const start = (from: number, size: number, length: number) => Math.max(0, Math.min(Math.round(from), length - size))

/** The part that begins nearest to there. */
export const partFrom = ({ query, key, size }: Part, length: number): Part => ({
  query: start(query, size, length),
  key: start(key, size, length),
  size,
})

/** The part around a place; near an edge it stays within the map. */
export function partAround({ query, key }: Place, size: number, length: number): Part {
  const across = Math.min(size, length)
  const half = (across - 1) / 2
  return partFrom({ query: query - half, key: key - half, size: across }, length)
}

/** The part of this size that still shows the place, moved no further than it must. */
export function follow({ query, key }: Part, place: Place, size: number, length: number): Part {
  const across = Math.min(size, length)
  const towards = (from: number, at: number) => Math.max(Math.min(from, at), at - across + 1)
  return partFrom({ query: towards(query, place.query), key: towards(key, place.key), size: across }, length)
}

/** The part moved by so many tokens. */
export function pan(part: Part, queries: number, keys: number, length: number): Part {
  return partFrom({ ...part, query: part.query + queries, key: part.key + keys }, length)
}

/** The part with `factor` times as many tokens across; what is at `about` keeps its place on screen. */
export function zoom(part: Part, about: Place, factor: number, length: number): Part {
  const target = Math.round(part.size * factor)
  // A step is at least one token.
  const step = target === part.size ? part.size + Math.sign(factor - 1) : target
  const size = Math.max(Math.min(least, length), Math.min(step, length))
  const anchored = (from: number, at: number) => at - ((at - from + 0.5) / part.size) * size + 0.5
  return partFrom({ query: anchored(part.query, about.query), key: anchored(part.key, about.key), size }, length)
}

export function contains({ query, key, size }: Part, place: Place): boolean {
  return place.query >= query && place.query < query + size && place.key >= key && place.key < key + size
}

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
