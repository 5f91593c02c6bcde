// Where the map and the list beside or below it stand, in CSS px.

export interface Layout {
  width: number
  height: number
  map: { x: number; y: number; side: number }
  /** Its rows are `rowHeight` high. */
  list: { x: number; y: number; width: number; height: number }
}

export const rowHeight = 24
/** Above the map and the list: what they are of, and names of residues. */
const top = 32
/** Left of the map: names of residues. */
const left = 26
const gap = 16
/** In less the list stands below. */
const narrow = 520
const rowsBelow = 5

export function layOut(width: number, height: number): Layout {
  if (width < narrow) {
    const below = rowsBelow * rowHeight
    const side = Math.max(120, Math.min(width - left, height - 2 * top - gap - below))
    const y = top + side + gap + top
    return { width, height: y + below, map: { x: left, y: top, side }, list: { x: 0, y, width, height: below } }
  }
  const side = Math.max(120, Math.min(width * 0.66 - left, height - top))
  const x = left + side + gap
  const list = { x, y: top, width: width - x, height: side }
  return { width, height: top + side, map: { x: left, y: top, side }, list }
}

/** What is at a place: two residues of the map, or a row of the list. */
export function hitAt(
  x: number,
  y: number,
  { map, list }: Layout,
  count: number,
): { one: number; other: number } | { row: number } | null {
  const [one, other] = [y - map.y, x - map.x].map((at) => Math.floor((at / map.side) * count)) as [number, number]
  const within = (at: number, most: number) => at >= 0 && at < most
  if (within(one, count) && within(other, count)) return { one, other }
  const row = Math.floor((y - list.y) / rowHeight)
  return x >= list.x && within(row, rowsOf(list)) ? { row } : null
}

export const rowsOf = ({ height }: Layout['list']) => Math.floor(height / rowHeight)
