// The layout of a map: cells with labels, overview, reading and ranking; of a long text, the part that is enlarged and how two fingers move it.
import { widthOf } from '../labels'
import type { Box } from '../marks'
import { partExtent, type Extent, type MapCell, acrossOf } from './model'
import type { Part } from './paint'
import type { Fingers, Point } from '../../ui/pointer'

/** The width of a token's label, and of its position. */
const nameWidth = (text: string) => widthOf(text, 11, 'mono')
const positionWidth = (position: number) => widthOf(String(position), 10, 'mono')
/** Least px from one label to the next: level or upright, and turned by 60 degrees. */
export const labelRoom = 11
export const slantedRoom = 10 / Math.sin(Math.PI / 3)
const leastName = 34
const greatestName = 92
const greatestPitch = 44
/** From this pitch on cells are whole device pixels; smaller ones may differ by one, so that the map fills its room. */
const minPixels = 6
/** The width of an outline around rows and columns. */
const edge = 2

/** From so many tokens on there is an overview with an enlarged part. */
export const longText = 60
/** Tokens across the part, if there is room for them. */
const usualPart = 24
const leastPart = 6
const leastPitch = 11

/** Cells with labels on the left and on top; the first cell's corner is at (x, y). */
export interface Grid {
  x: number
  y: number
  width: number
  height: number
  /** From one token to the next. */
  pitch: number
  /** Room for a label's token, and for its position. */
  name: number
  number: number
  /** Degrees the labels on top are turned by: 60 where they fit, else upright. */
  slant: 60 | 90
}

/** The texts of labels, of all tokens. */
interface Labels {
  queries: readonly string[]
  keys: readonly string[]
  /** The last position. */
  last: number
  /** Whether labels have the room of the widest name, since a part shows now these tokens, now others. */
  even?: boolean
}

export interface Arrangement {
  grid: Grid
  overview: Pick<Grid, 'x' | 'y' | 'width' | 'height' | 'pitch'> | undefined
  /** The reading: its text beside the colour bar, or above it. */
  reading: Box & { stacked: boolean }
  /** The ranking of a row, if there is room. */
  ranking: (Box & { rows: number }) | undefined
}

/** The largest width of these tokens' labels. */
function roomOf({ queries, keys, last }: Labels, width: number): { name: number; number: number } {
  const greatest = Math.max(leastName, Math.min(greatestName, width * 0.2))
  const widest = [...queries, ...keys].reduce((most, name) => Math.max(most, nameWidth(name)), leastName)
  return { name: Math.ceil(Math.min(widest, greatest)), number: positionWidth(last) + 8 }
}

/** The largest grid of square cells in a box. */
export function layOutGrid(box: Box, { queries, keys }: Extent, labels: Labels, ratio: number): Grid {
  const { name, number } = roomOf(labels, box.width)
  const left = name + number + 8
  const snap = (value: number) => Math.ceil(value * ratio) / ratio
  /** The longer side. */
  const across = Math.max(queries, keys)
  const fit = (right: number, top: number) => {
    const [width, height] = [box.width - left - right - edge, box.height - top - edge]
    return Math.max(across * Math.min(width / keys, height / queries, greatestPitch), 24)
  }
  const labelWidth = (at: number) => (labels.even ? name : Math.min(nameWidth(labels.keys[at] ?? ''), name))
  const overhang = (pitch: number) => {
    let most = 0
    for (let at = 0; at < keys; at++) most = Math.max(most, labelWidth(at) * 0.5 + 8 - (keys - 0.5 - at) * pitch)
    return Math.ceil(most)
  }
  const slantedTop = Math.ceil(name * 0.87 + 12)
  const right = overhang(fit(0, slantedTop) / across)
  const pitchIn = (room: number) => {
    const available = Math.floor(room * ratio)
    const pixels = Math.floor(available / across)
    return (pixels >= minPixels * ratio ? pixels : available / across) / ratio
  }
  const slanted = pitchIn(fit(right, slantedTop))
  const isSlanted = slanted >= slantedRoom
  const top = isSlanted ? slantedTop : name + 8
  const pitch = isSlanted ? slanted : pitchIn(fit(0, top))
  return {
    x: snap(box.x + left),
    y: snap(box.y + top),
    width: pitch * keys,
    height: pitch * queries,
    pitch,
    name,
    number,
    slant: isSlanted ? 60 : 90,
  }
}

const readingHeight = 36
const stackedHeight = 96
/** CSS px of a row of the ranking. */
export const rankedHeight = 22
const rankingTitle = 20
/** px between reading and ranking. */
const rankingTop = 14
const greatestRows = 24
const widestRanking = 520
const gap = 6

/** The reading stands below the map, with so many rows of the ranking, only if that makes the map larger by this factor. */
const under = [
  { rows: 8, worthwhile: 1.05 },
  { rows: 4, worthwhile: 1.2 },
]

/** A text with labels for all tokens. */
export function arrangeAll(width: number, height: number, map: Extent, labels: Labels, ratio: number): Arrangement {
  if (width < 620) return readBelow(width, height, map, labels, ratio, 0)
  const sideWidth = Math.min(Math.max(width * 0.32, 230), 320)
  const grid = layOutGrid({ x: 0, y: 0, width: width - sideWidth - 24, height }, map, labels, ratio)
  for (const { rows, worthwhile } of under) {
    const below = readBelow(width, height, map, labels, ratio, rows)
    if (below.grid.pitch > grid.pitch * worthwhile) return below
  }
  const x = grid.x + grid.width + 36
  const room = Math.min(width - x, widestRanking)
  const reading = { x, y: grid.y, width: room, height: stackedHeight, stacked: true }
  return { grid, overview: undefined, reading, ranking: rankingIn(x, grid.y + stackedHeight + 16, room, height) }
}

/** The map above the reading and some rows of the ranking. */
function readBelow(
  width: number,
  height: number,
  map: Extent,
  labels: Labels,
  ratio: number,
  rows: number,
): Arrangement {
  const rankingHeight = rows === 0 ? 0 : rankingTop + rankingTitle + rows * rankedHeight
  const grid = layOutGrid(
    { x: 0, y: 0, width, height: height - readingHeight - gap - rankingHeight },
    map,
    labels,
    ratio,
  )
  const y = grid.y + grid.height + gap
  const aligned = grid.width >= 320
  const reading = {
    x: aligned ? grid.x : 0,
    y,
    width: aligned ? grid.width : Math.min(width, 460),
    height: readingHeight,
    stacked: false,
  }
  return {
    grid,
    overview: undefined,
    reading,
    ranking: rankingIn(0, y + readingHeight + rankingTop, Math.min(width, widestRanking), height),
  }
}

function rankingIn(x: number, y: number, width: number, height: number): Arrangement['ranking'] {
  const rows = Math.min(greatestRows, Math.floor((height - y - rankingTitle) / rankedHeight))
  return rows < 3 ? undefined : { x, y, width, height: rankingTitle + rows * rankedHeight, rows }
}

/** Room left of an overview for its positions. */
const axis = 30

/** A long text: an overview, and `part` tokens across enlarged (undefined: as many as fit well). */
export function arrangeLong(
  width: number,
  height: number,
  map: Extent,
  part: number | undefined,
  labels: Labels,
  ratio: number,
): Arrangement & { part: number } {
  const isWide = width >= 1.4 * height
  const side = Math.floor(
    isWide
      ? Math.min(height - stackedHeight - 24, width * 0.42 - axis)
      : Math.min(Math.max(height * 0.3, 96), 210, width - axis - 160),
  )
  const all = Math.max(map.queries, map.keys)
  const pitch = side / all
  const overview = { x: axis, y: 4, width: map.keys * pitch, height: map.queries * pitch, pitch }
  const box = isWide
    ? { x: axis + side + 24, y: 0, width: width - axis - side - 24, height }
    : { x: 0, y: side + 14, width, height: height - side - 14 }
  const even = { ...labels, even: true }
  const { name, number } = roomOf(even, box.width)
  const room = Math.min(box.width - name * 1.5 - number - 16, box.height - name * 0.87 - 16)
  const usual = Math.min(Math.max(Math.floor(room / leastPitch), leastPart), usualPart)
  const across = Math.min(part ?? usual, all)
  const reading = isWide
    ? { x: 0, y: side + 24, width: axis + side, height: stackedHeight, stacked: true }
    : { x: axis + side + 18, y: 4, width: width - axis - side - 18, height: stackedHeight, stacked: true }
  const grid = layOutGrid(box, partExtent(across, map), even, ratio)
  const x = grid.x + grid.width + 40
  const ranking = width - x < 200 ? undefined : rankingIn(x, box.y, Math.min(width - x, widestRanking), height)
  return { grid, overview, reading, ranking, part: across }
}

/** The view's height: that of its room, but at least so much that the map fills a phone's width. */
export function roomFor(width: number, height: number, long: boolean): number {
  const phone = width < 480 && height < width * 0.7
  return Math.max(height, phone ? width * (long ? 1.45 : 1.15) : 160)
}

/** A cell under the pointer. `small`: on the overview, where a pixel is many cells; `touch`: under a finger that rests on it and covers it. */
export interface CellUnderPointer extends MapCell {
  small: boolean
  touch: Point | undefined
}

/** The cell at (x, y), or beside the cells the token of one axis; null: neither. */
export function placeAt(x: number, y: number, grid: Grid, part: Part): Partial<MapCell> | null {
  const key = Math.floor((x - grid.x) / grid.pitch)
  const query = Math.floor((y - grid.y) / grid.pitch)
  const isKey = key >= 0 && key < part.keys
  const isQuery = query >= 0 && query < part.queries
  if (isKey && isQuery) return { query: part.query + query, key: part.key + key }
  if (isQuery && x < grid.x && x >= grid.x - grid.name - grid.number - 8) return { query: part.query + query }
  if (isKey && y < grid.y && y >= grid.y - grid.name) return { key: part.key + key }
  return null
}

/** The cell of the overview at (x, y). */
export function overviewAt(x: number, y: number, overview: Arrangement['overview']): MapCell | null {
  if (!overview) return null
  const key = Math.floor((x - overview.x) / overview.pitch)
  const query = Math.floor((y - overview.y) / overview.pitch)
  const within = (at: number, room: number) => at >= 0 && at < Math.round(room / overview.pitch)
  return within(key, overview.width) && within(query, overview.height) ? { query, key } : null
}

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
export function partAround({ query, key }: MapCell, across: number, map: Extent): Part {
  const { queries, keys } = partExtent(across, map)
  return partFrom({ query: query - (queries - 1) / 2, key: key - (keys - 1) / 2, queries, keys }, map)
}

/** The part of this size that still shows the place, moved no further than it must. */
export function follow({ query, key }: Part, place: MapCell, across: number, map: Extent): Part {
  const size = partExtent(across, map)
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
export function zoom(part: Part, about: MapCell, factor: number, map: Extent): Part {
  const across = acrossOf(part)
  const target = Math.round(across * factor)
  // A step is at least one token.
  const size = partExtent(within(target === across ? across + Math.sign(factor - 1) : target, map), map)
  const anchored = (from: number, at: number, before: number, now: number) =>
    at - ((at - from + 0.5) / before) * now + 0.5
  const query = anchored(part.query, about.query, part.queries, size.queries)
  return partFrom({ query, key: anchored(part.key, about.key, part.keys, size.keys), ...size }, map)
}

export function contains({ query, key, queries, keys }: Part, place: MapCell): boolean {
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
export function pinchPart({ part, fingers: from, grid }: Grip, to: Fingers, map: Extent): Part {
  const size = partExtent(within(Math.round((acrossOf(part) * from.distance) / to.distance), map), map)
  const query = part.query + ((from.y - grid.y) * part.queries - (to.y - grid.y) * size.queries) / grid.height
  const key = part.key + ((from.x - grid.x) * part.keys - (to.x - grid.x) * size.keys) / grid.width
  return partFrom({ query, key, ...size }, map)
}
