// Where the three maps lie: in a row where there is width, else two above one. Of a long text also the part around the cursor.
import type { Place } from '../map/model'

export interface Box {
  x: number
  y: number
  side: number
}

/** A map on the page: which tokens it shows, and where. */
export interface Pane extends Box {
  which: 0 | 1 | 2
  /** The first query and key, and how many of each. */
  from: Place
  count: number
  /** Whether it is the part around the cursor, with labels. */
  part: boolean
  /** Whether it has labels on its left, and above it. */
  rows: boolean
  columns: boolean
}

export interface Layout {
  width: number
  height: number
  panes: readonly Pane[]
  /** Where the three columns or corners begin: names stand above, numbers below. */
  titles: readonly (Box & { which: 0 | 1 | 2 })[]
  /** Where what is read stands, and how wide it is. */
  reading: {
    x: number
    y: number
    width: number
    /** From one of three columns to the next; undefined: all in one. */
    column?: number
  }
}

/** Room for the labels of rows, for a name above a map, and for two lines below. */
export const rowRoom = 62
const titleRoom = 20
const readingRoom = 62
/** For labels turned by 60 degrees above a map. */
export const columnRoom = 52
const gap = 14
/** Cells smaller than this are shown again, larger, around the cursor. */
const leastPitch = 6
/** Tokens across the part. */
const partLength = 24
const wide = 600

export function layOut(width: number, height: number, length: number, cursor: Place): Layout {
  const count = Math.max(length, 1)
  return width >= wide ? inARow(width, height, count, cursor) : inCorners(width, height, count, cursor)
}

function inARow(width: number, height: number, length: number, cursor: Place): Layout {
  const column = Math.floor((width - rowRoom - 2 * gap) / 3)
  const room = height - titleRoom - readingRoom - columnRoom
  const x = (which: number) => rowRoom + which * (column + gap)
  const whole = Math.min(column, room)
  const isLong = whole / length < leastPitch
  // The part is as large as it can be; the whole above it is an overview.
  const overview = Math.min(column, Math.floor(room * 0.36))
  const part = Math.min(column, room - overview)
  const panes = three.flatMap((which): Pane[] => {
    const labels = { rows: which === 0, columns: true }
    if (!isLong) return [all(which, { x: x(which), y: titleRoom + columnRoom, side: whole }, length, labels)]
    return [
      all(which, { x: x(which), y: titleRoom, side: overview }, length, { rows: false, columns: false }),
      around(which, { x: x(which), y: titleRoom + overview + columnRoom, side: part }, length, cursor, labels),
    ]
  })
  const bottom = Math.max(...panes.map(({ y, side }) => y + side))
  return {
    width,
    height,
    panes,
    titles: three.map((which) => ({ which, x: x(which), y: 0, side: column })),
    reading: { x: rowRoom, y: bottom + 8, width: width - rowRoom, column: column + gap },
  }
}

function inCorners(width: number, height: number, length: number, cursor: Place): Layout {
  const row = (height - 2 * titleRoom - gap - 4) / 2
  const side = Math.floor(Math.min((width - rowRoom - gap) / 2, row))
  const second = titleRoom + side + gap
  const corners: readonly Box[] = [
    { x: rowRoom, y: titleRoom, side },
    { x: rowRoom + side + gap, y: titleRoom, side },
    { x: rowRoom, y: second + titleRoom, side },
  ]
  const isLong = side / length < leastPitch / 2
  const panes = three.map((which) => {
    const box = corners[which] ?? { x: 0, y: 0, side }
    const labels = { rows: which !== 1, columns: false }
    return isLong ? around(which, box, length, cursor, labels) : all(which, box, length, labels)
  })
  return {
    width,
    height: Math.min(height, second + titleRoom + side + 6),
    panes,
    titles: three.map((which) => ({ which, ...(corners[which] ?? { x: 0, y: 0, side }), y: which === 2 ? second : 0 })),
    reading: { x: rowRoom + side + gap, y: second + titleRoom, width: width - rowRoom - side - gap },
  }
}

type Labels = Pick<Pane, 'rows' | 'columns'>

const three = [0, 1, 2] as const

function all(which: Pane['which'], box: Box, length: number, labels: Labels): Pane {
  return { which, ...box, from: { query: 0, key: 0 }, count: length, part: false, ...labels }
}

function around(which: Pane['which'], box: Box, length: number, cursor: Place, labels: Labels): Pane {
  const count = Math.min(partLength, length)
  const from = (centre: number) => Math.max(0, Math.min(centre - Math.floor(count / 2), length - count))
  return { which, ...box, from: { query: from(cursor.query), key: from(cursor.key) }, count, part: true, ...labels }
}

/** The cell of whichever map is at (x, y); null: none. */
export function cellAt(x: number, y: number, { panes }: Layout): Place | null {
  for (const { x: left, y: top, side, from, count } of panes) {
    if (x < left || y < top || x >= left + side || y >= top + side) continue
    const pitch = side / count
    return { query: from.query + Math.floor((y - top) / pitch), key: from.key + Math.floor((x - left) / pitch) }
  }
  return null
}
