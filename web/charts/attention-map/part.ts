// The part of a long text's map that is enlarged, and how two fingers zoom and move it.
import { acrossOf, clamped, type Extent, type Place } from './model'
import type { Part } from './paint'
import type { Fingers } from '../../ui/pointer'
import type { Grid } from './layout'

/** The fewest tokens across. */
const least = 6

const start = (from: number, size: number, length: number) => Math.max(0, Math.min(Math.round(from), length - size))

/** The part that begins nearest to there. */
const partFrom = ({ query, key, queries, keys }: Part, map: Extent): Part => ({
  query: start(query, queries, map.queries),
  key: start(key, keys, map.keys),
  queries,
  keys,
})

/** The part around a place; near an edge it stays within the map. */
export function partAround({ query, key }: Place, across: number, map: Extent): Part {
  const { queries, keys } = clamped(across, map)
  return partFrom({ query: query - (queries - 1) / 2, key: key - (keys - 1) / 2, queries, keys }, map)
}

/** The part of this size that still shows the place, moved no further than it must. */
export function follow({ query, key }: Part, place: Place, across: number, map: Extent): Part {
  const size = clamped(across, map)
  const towards = (from: number, at: number, count: number) => Math.max(Math.min(from, at), at - count + 1)
  const corner = { query: towards(query, place.query, size.queries), key: towards(key, place.key, size.keys) }
  return partFrom({ ...corner, ...size }, map)
}

/** The part moved by so many tokens. */
export function pan(part: Part, queries: number, keys: number, map: Extent): Part {
  return partFrom({ ...part, query: part.query + queries, key: part.key + keys }, map)
}

/** Between the fewest tokens across and all. */
function within(across: number, map: Extent): number {
  const all = acrossOf(map)
  return Math.max(Math.min(least, all), Math.min(across, all))
}

/** The part with `factor` times as many tokens across; what is at `about` keeps its place on screen. */
export function zoom(part: Part, about: Place, factor: number, map: Extent): Part {
  const across = acrossOf(part)
  const target = Math.round(across * factor)
  // A step is at least one token.
  const size = clamped(within(target === across ? across + Math.sign(factor - 1) : target, map), map)
  const anchored = (from: number, at: number, before: number, now: number) =>
    at - ((at - from + 0.5) / before) * now + 0.5
  const query = anchored(part.query, about.query, part.queries, size.queries)
  return partFrom({ query, key: anchored(part.key, about.key, part.keys, size.keys), ...size }, map)
}

export function contains({ query, key, queries, keys }: Part, place: Place): boolean {
  return place.query >= query && place.query < query + queries && place.key >= key && place.key < key + keys
}

/** The part and the fingers at the start of the gesture. */
export interface Grip {
  part: Part
  fingers: Fingers
  grid: Pick<Grid, 'x' | 'y' | 'width' | 'height'>
}

/** A relative change of the fingers' distance up to this moves the map; a larger one zooms. */
const steady = 0.03

/**
 * Whether the map can follow the gesture. Beside the enlarged part and at the limits of moving and zooming the fingers zoom the page.
 */
export function follows({ part, fingers: from, grid }: Grip, to: Fingers, map: Extent): boolean {
  const isIn = (at: number, start: number, room: number) => at >= start && at < start + room
  if (!isIn(from.x, grid.x, grid.width) || !isIn(from.y, grid.y, grid.height)) return false
  const across = acrossOf(part)
  const ratio = to.distance / from.distance
  return ratio > 1 + steady ? across > within(0, map) : across < acrossOf(map)
}

/** The part that follows: what was between the fingers stays between them. */
export function pinched({ part, fingers: from, grid }: Grip, to: Fingers, map: Extent): Part {
  const size = clamped(within(Math.round((acrossOf(part) * from.distance) / to.distance), map), map)
  const query = part.query + ((from.y - grid.y) * part.queries - (to.y - grid.y) * size.queries) / grid.height
  const key = part.key + ((from.x - grid.x) * part.keys - (to.x - grid.x) * size.keys) / grid.width
  return partFrom({ query, key, ...size }, map)
}
