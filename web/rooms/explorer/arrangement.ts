// Where the open views stand in the stage: a function of their shapes and the room, of nothing else.
import type { Shape } from '../../views/view'

/** What of a view its place depends on. */
export interface Standing {
  id: string
  shape: Shape
  /** The narrowest it is of use, in CSS px. */
  least: number
}

/** One view's place in CSS px from the stage's corner. `height` is what it has: it may need more. */
export interface Place {
  id: string
  x: number
  y: number
  width: number
  height: number
}

export const gap = 32
/** Below this a stage has one column, and each view the height of a screen. */
const leastColumn = 300

/** How much of the width each shape takes beside others. */
const share: Record<Shape, number> = { square: 5, tall: 4, wide: 6 }

/**
 * Views side by side where each has its least width, the front one first; those that find no room stand in further rows. Views of one row
 * have its height; no row is lower than what a view needs.
 */
export function arrange(views: readonly Standing[], width: number, height: number): Place[] {
  const rows = split(views, width)
  const low = 320
  const rowHeight = Math.max(low, (height - gap * (rows.length - 1)) / Math.max(rows.length, 1))
  return rows.flatMap((row, index) => {
    const widths = shareOut(row, width)
    return row.map((view, column) => ({
      id: view.id,
      x: widths.slice(0, column).reduce((sum, one) => sum + one + gap, 0),
      y: index * (rowHeight + gap),
      width: widths[column] ?? width,
      // A lone row is as high as the screen: views above each other share no screen on a phone.
      height: width < 2 * leastColumn ? Math.max(rowHeight, height) : rowHeight,
    }))
  })
}

/** As many views a row as have their least width. */
function split(views: readonly Standing[], width: number): Standing[][] {
  const rows: Standing[][] = []
  for (const view of views) {
    const row = rows.at(-1)
    const taken = (row ?? []).reduce((sum, { least }) => sum + least + gap, 0)
    if (row && taken + view.least <= width) row.push(view)
    else rows.push([view])
  }
  return rows
}

/** A row's width among its views: by their shapes, none below its least. */
function shareOut(row: readonly Standing[], width: number): number[] {
  const room = width - gap * (row.length - 1)
  const shares = row.reduce((sum, { shape }) => sum + share[shape], 0)
  const spare = Math.max(0, room - row.reduce((sum, { least }) => sum + least, 0))
  return row.map(({ least, shape }) => Math.min(room, least) + (spare * share[shape]) / shares)
}
