// Where the map, its bar of colours and the list beside or below it stand, in CSS px.
import { barHeight } from '../../charts/attention-map/draw'

export interface Layout {
  width: number
  height: number
  map: { x: number; y: number; side: number }
  /** Its rows are `rowHeight` high. */
  list: { x: number; y: number; width: number; height: number }
  /** `barHeight` high. */
  bar: { x: number; y: number; width: number }
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
const fewestRowsBelow = 3
const leastSide = 120

export function layOut(width: number, height: number): Layout {
  if (width < narrow) {
    const free = height - 2 * top - 2 * gap - barHeight
    const below = (free - rowsBelow * rowHeight < leastSide ? fewestRowsBelow : rowsBelow) * rowHeight
    const side = Math.max(leastSide, Math.min(width - left, free - below))
    const bar = { x: left, y: top + side + gap, width: side }
    const y = bar.y + barHeight + top
    return { width, height: y + below, map: { x: left, y: top, side }, list: { x: 0, y, width, height: below }, bar }
  }
  const side = Math.max(leastSide, Math.min(width * 0.66 - left, height - top))
  const x = left + side + gap
  const list = { x, y: top, width: width - x, height: side - barHeight - gap }
  return {
    width,
    height: top + side,
    map: { x: left, y: top, side },
    list,
    bar: { x, y: top + side - barHeight, width: list.width },
  }
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
