// The layout of the maps: in a row where there is width, else A and B above A − B, on a phone in one column. A long text has an overview
// and a part around the cursor.
import type { Place } from '../../charts/attention-map/model'

export interface Box {
  x: number
  y: number
  side: number
}

/** A map in the picture: its tokens and its place. */
export interface Pane extends Box {
  which: 0 | 1 | 2
  /** Its first query and key; `count` is the number of each. */
  from: Place
  count: number
  /** True for the enlarged part around the cursor. */
  part: boolean
  /** Whether rows and columns have labels. */
  rows: boolean
  columns: boolean
}

export interface Layout {
  width: number
  height: number
  panes: readonly Pane[]
  /** The boxes that names stand above and numbers below. */
  titles: readonly (Box & { which: 0 | 1 | 2 })[]
  /** Where the numbers of the selected cell stand. */
  reading: {
    x: number
    y: number
    width: number
    /** The distance of three columns; undefined if there is one. */
    column?: number
  }
}

/** What is laid out: two maps and, if tokens are aligned, A − B with the tokens of A. */
export interface Maps {
  /** The number of tokens in A and in B. */
  lengths: readonly [number, number]
  /** The centre of the enlarged part in A and in B. */
  centres: readonly [Place, Place]
  /** Whether B's tokens differ from A's, so that B needs its own labels. */
  hasOwnTokens: boolean
  subtracted: boolean
}

export interface Room {
  width: number
  height: number
  /** In one column, as wide as the page, which scrolls. */
  phone: boolean
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
const wide = 600

export function layOut(room: Room, maps: Maps): Layout {
  if (room.phone) return inAColumn(room, maps)
  return room.width >= wide ? inARow(room, maps) : inCorners(room, maps)
}

const panesOf = ({ subtracted }: Maps) => (subtracted ? three : two)
/** A − B has the tokens of A. */
const sideOf = (which: Pane['which']) => (which === 1 ? 1 : 0)
const hasRows = (which: Pane['which'], { hasOwnTokens }: Maps) => which === 0 || hasOwnTokens
const longest = ({ lengths }: Maps) => Math.max(...lengths, 1)

function inARow({ width, height }: Room, maps: Maps): Layout {
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
    if (!isLong) return [all(which, { x: x(which), y: titleRoom + columnRoom, side: full }, maps, labels)]
    return [
      all(which, { x: x(which), y: titleRoom, side: overview }, maps, { rows: false, columns: false }),
      around(which, { x: x(which), y: titleRoom + overview + columnRoom, side: part }, maps, labels),
    ]
  })
  const bottom = Math.max(...panes.map(({ y, side }) => y + side))
  return {
    width,
    height,
    panes,
    titles: order.map((which) => ({ which, x: x(which), y: 0, side: column })),
    reading: { x: rowRoom, y: bottom + 8, width: width - rowRoom, column: column + gap + labels },
  }
}

function inCorners({ width, height }: Room, maps: Maps): Layout {
  const order = panesOf(maps)
  const labels = maps.hasOwnTokens ? rowRoom : 0
  const row = (height - 2 * titleRoom - gap - 4) / 2
  const side = Math.floor(Math.min((width - rowRoom - labels - gap) / 2, row))
  const second = titleRoom + side + gap
  const corners: readonly Box[] = [
    { x: rowRoom, y: titleRoom, side },
    { x: rowRoom + side + gap + labels, y: titleRoom, side },
    { x: rowRoom, y: second + titleRoom, side },
  ]
  const isLong = side / longest(maps) < leastPitch / 2
  const panes = order.map((which) => {
    const box = corners[which] ?? { x: 0, y: 0, side }
    const labels = { rows: which === 2 || hasRows(which, maps), columns: false }
    return isLong ? around(which, box, maps, labels) : all(which, box, maps, labels)
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

function inAColumn({ width }: Room, maps: Maps): Layout {
  const order = panesOf(maps)
  const side = Math.floor(width - rowRoom - overhang)
  const step = titleRoom + columnRoom + side + gap
  const isLong = side / longest(maps) < leastPitch
  const panes = order.map((which) => {
    const box = { x: rowRoom, y: which * step + titleRoom + columnRoom, side }
    const labels = { rows: true, columns: true }
    return isLong ? around(which, box, maps, labels) : all(which, box, maps, labels)
  })
  const bottom = order.length * step
  return {
    width,
    height: bottom + readingColumn,
    panes,
    titles: order.map((which) => ({ which, x: 0, y: which * step, side: width })),
    reading: { x: 0, y: bottom, width },
  }
}

type Labels = Pick<Pane, 'rows' | 'columns'>

const two = [0, 1] as const
const three = [0, 1, 2] as const

function all(which: Pane['which'], box: Box, { lengths }: Maps, labels: Labels): Pane {
  const count = Math.max(lengths[sideOf(which)], 1)
  return { which, ...box, from: { query: 0, key: 0 }, count, part: false, ...labels }
}

function around(which: Pane['which'], box: Box, { lengths, centres }: Maps, labels: Labels): Pane {
  const length = Math.max(lengths[sideOf(which)], 1)
  const { query, key } = centres[sideOf(which)]
  const count = Math.min(partLength, length)
  const from = (centre: number) => Math.max(0, Math.min(centre - Math.floor(count / 2), length - count))
  return { which, ...box, from: { query: from(query), key: from(key) }, count, part: true, ...labels }
}

export type Cell = Place & Pick<Pane, 'which' | 'part'>

export function cellAt(x: number, y: number, { panes }: Layout): Cell | undefined {
  for (const { which, part, x: left, y: top, side, from, count } of panes) {
    if (x < left || y < top || x >= left + side || y >= top + side) continue
    const at = (px: number) => Math.floor((px * count) / side)
    return { which, part, query: from.query + at(y - top), key: from.key + at(x - left) }
  }
  return undefined
}

/** The maps, and the numbers of the selected cell. */
export function anchorsOf({ panes, reading: { x, y, width } }: Layout) {
  const maps = (['a', 'b', 'difference'] as const).flatMap((name, which) => {
    const pane = panes.find((pane) => pane.which === which)
    return pane ? [[name, { x: pane.x, y: pane.y, width: pane.side, height: pane.side }] as const] : []
  })
  return { ...Object.fromEntries(maps), reading: { x, y, width, height: 40 } }
}
