// Where the open views stand in the stage: a function of their shapes and the room, of nothing else.
import type { Shape } from '../../views/view'

/** What of a view its place depends on. */
export interface Standing {
  id: string
  shape: Shape
  /** The narrowest it is of use, in CSS px. */
  minWidth: number
}

/** One view's room in CSS px. `height` is what it has: it may need more. */
export interface Place {
  id: string
  width: number
  height: number
}

export const gap = 32
const rowGap = 20
/** No view is given less height: the stage scrolls then. */
const low = 320

/** How much of the width each shape takes beside others. */
const share: Record<Shape, number> = { square: 5, tall: 4, wide: 6 }

/**
 * Rows of views side by side, the front one first: as many as have their minWidth width. Rows share the height; where the room is as narrow as
 * a phone, each has all of it.
 */
export function arrange(views: readonly Standing[], width: number, height: number): Place[][] {
  const rows = split(views, width)
  const shared = (height - rowGap * (rows.length - 1)) / Math.max(rows.length, 1)
  const rowHeight = Math.max(low, width < 600 ? height : shared)
  return rows.map((row) => {
    const widths = shareOut(row, width)
    return row.map(({ id }, column) => ({ id, width: widths[column] ?? width, height: rowHeight }))
  })
}

/** As many views a row as have their minWidth width. */
function split(views: readonly Standing[], width: number): Standing[][] {
  const rows: Standing[][] = []
  for (const view of views) {
    const row = rows.at(-1)
    const used = (row ?? []).reduce((sum, { minWidth }) => sum + minWidth + gap, 0)
    if (row && used + view.minWidth <= width) row.push(view)
    else rows.push([view])
  }
  return rows
}

/** A row's width among its views: by their shapes, none below its minWidth. */
function shareOut(row: readonly Standing[], width: number): number[] {
  const room = width - gap * (row.length - 1)
  const shares = row.reduce((sum, { shape }) => sum + share[shape], 0)
  const spare = Math.max(0, room - row.reduce((sum, { minWidth }) => sum + minWidth, 0))
  return row.map(({ minWidth, shape }) => Math.min(room, minWidth) + (spare * share[shape]) / shares)
}
