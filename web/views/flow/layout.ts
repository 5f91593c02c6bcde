// Where the map, the list beside it and the panels below stand, in CSS px.

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Layout {
  width: number
  height: number
  map: { x: number; y: number; side: number }
  /** Its rows are `rowHeight` high. */
  list: Box
  /** Norm, change, heads. */
  panels: readonly [Box, Box, Box]
}

export const rowHeight = 24
/** Above the map: the names of its axes. */
const top = 18
/** Between the map and the panels: what their lines are. */
const legend = 40
const gap = 16

export function layOut(width: number, height: number): Layout {
  const panel = Math.max(92, Math.min(150, height * 0.28))
  const side = Math.max(120, Math.min(width * 0.56, height - top - legend - panel))
  const y = top + side + legend
  const each = (width - 2 * gap) / 3
  const at = (index: number): Box => ({ x: index * (each + gap), y, width: each, height: panel })
  return {
    width,
    height: y + panel,
    map: { x: 0, y: top, side },
    list: { x: side + gap, y: top, width: width - side - gap, height: side },
    panels: [at(0), at(1), at(2)],
  }
}

/** What is at a place: a query and key of the map, a row of the list, or a head. */
export type Hit = { query: number; key: number } | { row: number } | { layer: number; head: number }

export function hitAt(
  x: number,
  y: number,
  { map, list, panels }: Layout,
  { length, layers, heads }: { length: number; layers: number; heads: number },
): Hit | null {
  const query = Math.floor(((y - map.y) / map.side) * length)
  const key = Math.floor(((x - map.x) / map.side) * length)
  const within = (at: number, count: number) => at >= 0 && at < count
  if (within(query, length) && within(key, length)) return { query, key }
  const row = Math.floor((y - list.y) / rowHeight)
  if (x >= list.x && within(row, rowsOf(list))) return { row }
  const grid = headGrid(panels[2], layers, heads)
  const [layer, head] = [Math.floor((y - grid.y) / grid.pitch), Math.floor((x - grid.x) / grid.pitch)]
  return within(layer, layers) && within(head, heads) ? { layer, head } : null
}

export const rowsOf = ({ height }: Box) => Math.floor(height / rowHeight)

/** Cells of all heads, layers down. */
export function headGrid({ x, y, width, height }: Box, layers: number, heads: number) {
  const room = { left: 20, top: 20 }
  const pitch = Math.min(24, (width - room.left) / heads, (height - room.top) / layers)
  return { x: x + room.left, y: y + room.top, pitch }
}
