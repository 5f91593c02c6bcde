// The layout of the maps: in a row where there is width, else A and B above A − B, on a phone one of them. A long text has an overview and
// a part around the cursor.
import { acrossOf, partExtent, type Extent, type MapCell } from '../../charts/attention-map/model'
import type { Cells } from '../../charts/matrix'

/** Room for a map. */
interface Square {
  x: number
  y: number
  side: number
}

/** A, B or A − B. */
type MapIndex = 0 | 1 | 2

/** A map in the picture: its cells and its place. */
export interface Pane extends Cells {
  which: MapIndex
  /** True for the enlarged part around the cursor. */
  part: boolean
  /** Whether rows and columns have labels. */
  rows: boolean
  columns: boolean
}

export interface CompareLayout {
  width: number
  height: number
  panes: readonly Pane[]
  /** The boxes that names stand above and numbers below. */
  titles: readonly (Square & { which: MapIndex })[]
  /** Where the numbers of the selected cell stand. */
  reading: {
    x: number
    y: number
    width: number
    /** The distance of three columns; undefined if there is one. */
    column?: number
  }
}

/** All cells of a map. In cross-attention the first query comes behind the source. */
export interface AllCells extends Extent {
  first: number
}

/** What is laid out: two maps and, if tokens are aligned, A − B with the tokens of A. */
export interface Maps {
  /** The cells of A and of B. */
  all: readonly [AllCells, AllCells]
  /** The centre of the enlarged part in A and in B. */
  centres: readonly [MapCell, MapCell]
  /** Whether B's tokens differ from A's, so that B needs its own labels. */
  hasOwnTokens: boolean
  subtracted: boolean
}

export interface Room {
  width: number
  height: number
  /** On a phone: the map that is as wide as the screen. */
  only: MapIndex | undefined
}

/** Space for row labels, for a name above a map, and for two lines of numbers below it, or three where B has its own tokens. */
export const rowRoom = 62
const titleRoom = 20
const readingRoom = 62
const ownReadingRoom = 80
/** The height of the numbers in one column, in px. */
const readingColumn = 116
/** Space for column labels, which are slanted by 60 degrees. */
export const columnRoom = 52
/** How far the last slanted label extends to the right. */
const overhang = 18
const gap = 14
/** Below this cell size (px) the surroundings of the cursor are enlarged. */
const leastPitch = 6
/** Tokens across the part. */
const partLength = 24
/** From this width on, in px, maps stand in a row. */
export const wide = 600

export function layOut(room: Room, maps: Maps): CompareLayout {
  if (room.only !== undefined) return layOutOne(room, maps, maps.subtracted || room.only !== 2 ? room.only : 0)
  return room.width >= wide ? layOutRow(room, maps) : layOutCorners(room, maps)
}

const panesOf = ({ subtracted }: Maps) => (subtracted ? three : two)
/** A − B has the tokens of A. */
export const sideOf = (which: MapIndex) => (which === 1 ? 1 : 0)
const hasRows = (which: MapIndex, { hasOwnTokens }: Maps) => which === 0 || hasOwnTokens
const longest = ({ all }: Maps) => Math.max(...all.map(acrossOf), 1)

function layOutRow({ width, height }: Room, maps: Maps): CompareLayout {
  const order = panesOf(maps)
  const labels = maps.hasOwnTokens ? rowRoom : 0
  const column = Math.floor(
    (width - rowRoom + labels - order.length * labels - (order.length - 1) * gap) / order.length,
  )
  const room = height - titleRoom - (maps.hasOwnTokens ? ownReadingRoom : readingRoom) - columnRoom
  const x = (which: number) => rowRoom + which * (column + gap + labels)
  const full = Math.min(column, room)
  const isLong = full / longest(maps) < leastPitch
  // The overview takes a third of the height; the enlarged part takes the rest.
  const overview = Math.min(column, Math.floor(room * 0.36))
  const part = Math.min(column, room - overview)
  const panes = order.flatMap((which): Pane[] => {
    const labels = { rows: hasRows(which, maps), columns: true }
    if (!isLong) return [paneOfAll(which, { x: x(which), y: titleRoom + columnRoom, side: full }, maps, labels)]
    return [
      paneOfAll(which, { x: x(which), y: titleRoom, side: overview }, maps, { rows: false, columns: false }),
      paneAround(which, { x: x(which), y: titleRoom + overview + columnRoom, side: part }, maps, labels),
    ]
  })
  const bottom = Math.max(...panes.map(({ y, height }) => y + height))
  return {
    width,
    height,
    panes,
    titles: order.map((which) => ({ which, x: x(which), y: 0, side: column })),
    reading: { x: rowRoom, y: bottom + 8, width: width - rowRoom, column: column + gap + labels },
  }
}

function layOutCorners({ width, height }: Room, maps: Maps): CompareLayout {
  const order = panesOf(maps)
  const labels = maps.hasOwnTokens ? rowRoom : 0
  const row = (height - 2 * titleRoom - gap - 4) / 2
  const side = Math.floor(Math.min((width - rowRoom - labels - gap) / 2, row))
  const second = titleRoom + side + gap
  const corners: readonly Square[] = [
    { x: rowRoom, y: titleRoom, side },
    { x: rowRoom + side + gap + labels, y: titleRoom, side },
    { x: rowRoom, y: second + titleRoom, side },
  ]
  const isLong = side / longest(maps) < leastPitch / 2
  const panes = order.map((which) => {
    const box = corners[which] ?? { x: 0, y: 0, side }
    const labels = { rows: which === 2 || hasRows(which, maps), columns: false }
    return isLong ? paneAround(which, box, maps, labels) : paneOfAll(which, box, maps, labels)
  })
  const left = maps.subtracted ? rowRoom + side + gap : rowRoom
  const bottom = second + titleRoom + (maps.subtracted ? side + 6 : readingColumn)
  return {
    width,
    height: Math.min(Math.max(height, second + titleRoom + readingColumn), bottom),
    panes,
    titles: order.map((which) => ({ which, ...(corners[which] ?? { x: 0, y: 0, side }), y: which === 2 ? second : 0 })),
    reading: { x: left, y: second + titleRoom, width: width - left },
  }
}

function layOutOne({ width }: Room, maps: Maps, which: MapIndex): CompareLayout {
  const side = Math.floor(width - rowRoom - overhang)
  const box = { x: rowRoom, y: titleRoom + columnRoom, side }
  const labels = { rows: true, columns: true }
  const pane =
    side / longest(maps) < leastPitch ? paneAround(which, box, maps, labels) : paneOfAll(which, box, maps, labels)
  const bottom = pane.y + pane.height + gap
  return {
    width,
    height: bottom + readingColumn,
    panes: [pane],
    titles: [{ which, x: 0, y: 0, side: width }],
    reading: { x: 0, y: bottom, width },
  }
}

type Labels = Pick<Pane, 'rows' | 'columns'>

const two = [0, 1] as const
const three = [0, 1, 2] as const

/** Square cells, as large as the room allows. */
function cellsIn({ x, y, side }: Square, from: MapCell, { queries, keys }: Extent): Cells {
  const pitch = side / Math.max(queries, keys)
  return { x, y, width: keys * pitch, height: queries * pitch, from, queries, keys }
}

const atLeastOne = ({ queries, keys }: Extent): Extent => ({ queries: Math.max(queries, 1), keys: Math.max(keys, 1) })

function paneOfAll(which: MapIndex, room: Square, { all }: Maps, labels: Labels): Pane {
  const { first, ...extent } = all[sideOf(which)]
  return { which, ...cellsIn(room, { query: first, key: 0 }, atLeastOne(extent)), part: false, ...labels }
}

function paneAround(which: MapIndex, room: Square, { all, centres }: Maps, labels: Labels): Pane {
  const { first, ...extent } = all[sideOf(which)]
  const { queries, keys } = atLeastOne(extent)
  const centre = centres[sideOf(which)]
  const size = partExtent(partLength, { queries, keys })
  const start = (at: number, count: number, length: number) =>
    Math.max(0, Math.min(at - Math.floor(count / 2), length - count))
  const from = {
    query: first + start(centre.query - first, size.queries, queries),
    key: start(centre.key, size.keys, keys),
  }
  return { which, ...cellsIn(room, from, size), part: true, ...labels }
}

export type Cell = MapCell & Pick<Pane, 'which' | 'part'>

export function cellAt(x: number, y: number, { panes }: CompareLayout): Cell | undefined {
  for (const { which, part, x: left, y: top, width, height, from, queries, keys } of panes) {
    if (x < left || y < top || x >= left + width || y >= top + height) continue
    const at = (px: number, count: number, room: number) => Math.floor((px * count) / room)
    return { which, part, query: from.query + at(y - top, queries, height), key: from.key + at(x - left, keys, width) }
  }
  return undefined
}

/** The maps, and the numbers of the selected cell. */
export function anchorsOf({ panes, reading: { x, y, width } }: CompareLayout) {
  const maps = (['a', 'b', 'difference'] as const).flatMap((name, which) => {
    const pane = panes.find((pane) => pane.which === which)
    return pane ? [[name, { x: pane.x, y: pane.y, width: pane.width, height: pane.height }] as const] : []
  })
  return { ...Object.fromEntries(maps), reading: { x, y, width, height: 40 } }
}
