// Where a map, its labels, its overview and what is read from it lie in the room that the view has.
import { columns } from '../labels'

/** px of a monospace character at the labels' 11 px, and at the positions' 10 px. */
const character = 6.75
const digit = 6.1
/** px from one label to the next: level or upright, and turned by 60 degrees, where they stand closer than their feet do. */
export const labelRoom = 11
export const slantedRoom = 10 / Math.sin(Math.PI / 3)
const leastName = 34
const greatestName = 92
const greatestPitch = 44
/** From this pitch on cells are whole device pixels; smaller ones may differ by one, so that the map fills its room. */
const minPixels = 6
/** Rows and columns need an outline's width more. */
const edge = 2

/** From so many tokens on a map is an overview and a part of it, enlarged. */
export const longText = 60
/** Tokens across the part, where there is room for them. */
const usualPart = 24
const leastPart = 6
const leastPitch = 11

/** In CSS px. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Cells with labels on the left and on top; the first cell's corner is at (x, y). */
export interface Grid {
  x: number
  y: number
  side: number
  /** From one token to the next. */
  pitch: number
  /** Room for a label's token, and for its position. */
  name: number
  number: number
  /** Degrees the labels on top are turned by: 60 where they fit, else upright. */
  slant: 60 | 90
}

/** What labels need: the tokens' own widths, or one width for tokens that come and go. */
export interface Labels {
  names: readonly string[]
  last: number
  /** Whether every place is given the room of the widest name. */
  even?: boolean
}

export interface Arrangement {
  grid: Grid
  overview: Pick<Grid, 'x' | 'y' | 'side' | 'pitch'> | undefined
  /** What is read: its text beside the bar of colours, or above it. */
  reading: Box & { stacked: boolean }
  /** The greatest of a row, where there is room for them. */
  ranking: (Box & { rows: number }) | undefined
}

/** How wide labels of these tokens are, at most. */
function roomOf({ names, last }: Labels, width: number): { name: number; number: number } {
  const greatest = Math.max(leastName, Math.min(greatestName, width * 0.2))
  const widest = names.reduce((most, name) => Math.max(most, columns(name) * character), leastName)
  return { name: Math.ceil(Math.min(widest, greatest)), number: String(last).length * digit + 8 }
}

/** The largest grid of `count` tokens in a box. */
export function layOutGrid(box: Box, count: number, labels: Labels, ratio: number): Grid {
  const { name, number } = roomOf(labels, box.width)
  const left = name + number + 8
  const snap = (value: number) => Math.ceil(value * ratio) / ratio
  const fit = (right: number, top: number) =>
    Math.max(Math.min(box.width - left - right - edge, box.height - top - edge, count * greatestPitch), 24)
  const widthOf = (at: number) => (labels.even ? name : Math.min(columns(labels.names[at] ?? '') * character, name))
  const overhang = (pitch: number) => {
    let most = 0
    for (let at = 0; at < count; at++) most = Math.max(most, widthOf(at) * 0.5 + 8 - (count - 0.5 - at) * pitch)
    return Math.ceil(most)
  }
  const slantedTop = Math.ceil(name * 0.87 + 12)
  const right = overhang(fit(0, slantedTop) / count)
  const sideIn = (room: number) => {
    const available = Math.floor(room * ratio)
    const pixels = Math.floor(available / count)
    return (pixels >= minPixels * ratio ? pixels * count : available) / ratio
  }
  const slanted = sideIn(fit(right, slantedTop))
  const isSlanted = slanted / count >= slantedRoom
  const top = isSlanted ? slantedTop : name + 8
  const side = isSlanted ? slanted : sideIn(fit(0, top))
  return {
    x: snap(box.x + left),
    y: snap(box.y + top),
    side,
    pitch: side / count,
    name,
    number,
    slant: isSlanted ? 60 : 90,
  }
}

const readingHeight = 40
const stackedHeight = 96
const rankedHeight = 22
const rankingTitle = 20
/** px between what is read and the greatest of the row. */
const rankingTop = 14
const greatestRows = 24
const gap = 8

/** The map is larger by so much where what is read from it stands under it, not beside it: else it stands beside it. */
const worthwhile = 1.15
/** Of a row's greatest, under a map in so much room. */
const rankedUnder = 8

/** A text of which all tokens are shown with their labels. */
export function arrangeAll(width: number, height: number, count: number, labels: Labels, ratio: number): Arrangement {
  if (width < 620) return readBelow(width, height, count, labels, ratio, 0)
  const sideWidth = Math.min(Math.max(width * 0.32, 230), 320)
  const grid = layOutGrid({ x: 0, y: 0, width: width - sideWidth - 24, height }, count, labels, ratio)
  const below = readBelow(width, height, count, labels, ratio, rankedUnder)
  if (below.grid.side > grid.side * worthwhile) return below
  const x = grid.x + grid.side + 36
  const room = Math.min(width - x, 520)
  const reading = { x, y: grid.y, width: room, height: stackedHeight, stacked: true }
  return { grid, overview: undefined, reading, ranking: rankingIn(x, grid.y + stackedHeight + 16, room, height) }
}

/** The map over what is read from it, with room for some rows of the greatest. */
function readBelow(
  width: number,
  height: number,
  count: number,
  labels: Labels,
  ratio: number,
  rows: number,
): Arrangement {
  const rankingHeight = rows === 0 ? 0 : rankingTop + rankingTitle + rows * rankedHeight
  const grid = layOutGrid(
    { x: 0, y: 0, width, height: height - readingHeight - gap - rankingHeight },
    count,
    labels,
    ratio,
  )
  const y = grid.y + grid.side + gap
  const aligned = grid.side >= 320
  const reading = {
    x: aligned ? grid.x : 0,
    y,
    width: aligned ? grid.side : Math.min(width, 460),
    height: readingHeight,
    stacked: false,
  }
  return { grid, overview: undefined, reading, ranking: rankingIn(0, y + readingHeight + rankingTop, width, height) }
}

function rankingIn(x: number, y: number, width: number, height: number): Arrangement['ranking'] {
  const rows = Math.min(greatestRows, Math.floor((height - y - rankingTitle) / rankedHeight))
  return rows < 3 ? undefined : { x, y, width, height: rankingTitle + rows * rankedHeight, rows }
}

/** Room left of an overview for its positions. */
const axis = 30

/** A long text: all of it small, and `part` tokens of it enlarged (undefined: as many as have good room). */
export function arrangeLong(
  width: number,
  height: number,
  count: number,
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
  const overview = { x: axis, y: 4, side, pitch: side / count }
  const box = isWide
    ? { x: axis + side + 24, y: 0, width: width - axis - side - 24, height }
    : { x: 0, y: side + 14, width, height: height - side - 14 }
  const even = { ...labels, even: true }
  const { name, number } = roomOf(even, box.width)
  const room = Math.min(box.width - name * 1.5 - number - 16, box.height - name * 0.87 - 16)
  const usual = Math.min(Math.max(Math.floor(room / leastPitch), leastPart), usualPart)
  const across = Math.min(part ?? usual, count)
  const reading = isWide
    ? { x: 0, y: side + 24, width: axis + side, height: stackedHeight, stacked: true }
    : { x: axis + side + 18, y: 4, width: width - axis - side - 18, height: stackedHeight, stacked: true }
  const grid = layOutGrid(box, across, even, ratio)
  const x = grid.x + grid.side + 40
  const ranking = width - x < 200 ? undefined : rankingIn(x, 0, Math.min(width - x, 520), height)
  return { grid, overview, reading, ranking, part: across }
}

/** How tall a view is: as tall as its room, and on a phone, where little is left of the screen, so tall that a map fills the width. */
export function roomFor(width: number, height: number, long: boolean): number {
  const phone = width < 480 && height < width * 0.7
  return Math.max(height, phone ? width * (long ? 1.45 : 1.15) : 160)
}
