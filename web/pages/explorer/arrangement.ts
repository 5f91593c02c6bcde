// The open views, front one first, and their layout in the stage: a pure function of their shapes and its size.
import type { Shape } from '../../views/view'
import { defaults } from '../../viewstate/codec'

/** What the layout needs to know of a view. */
export interface ViewShape {
  id: string
  shape: Shape
  /** In CSS px. */
  minWidth: number
}

/** A view's size in CSS px. Its content may be higher than `height`. */
interface ViewSize {
  id: string
  width: number
  height: number
}

export const gap = 32
const rowGap = 20
/** The minimum height of a row, below which the stage scrolls. A map that is one of several rows has room to name every token. */
const low = 320
const lowSquare = 440

/** The share of a row's width by shape. */
const share: Record<Shape, number> = { square: 5, tall: 4, wide: 6 }

/**
 * Rows of views, the front one first, with as many in a row as fit by minWidth. Rows share the height; in a stage as narrow as a phone
 * each has all of it.
 */
export function arrange(views: readonly ViewShape[], width: number, height: number): ViewSize[][] {
  const rows = split(views, width)
  const shared = (height - rowGap * (rows.length - 1)) / Math.max(rows.length, 1)
  return rows.map((row) => {
    const widths = shareOut(row, width)
    const least = rows.length > 1 && row.some(({ shape }) => shape === 'square') ? lowSquare : low
    const rowHeight = Math.max(least, width < 600 ? height : shared)
    return row.map(({ id }, column) => ({ id, width: widths[column] ?? width, height: rowHeight }))
  })
}

/** Splits views into rows, with as many in a row as fit by minWidth. */
function split(views: readonly ViewShape[], width: number): ViewShape[][] {
  const rows: ViewShape[][] = []
  for (const view of views) {
    const row = rows.at(-1)
    const used = (row ?? []).reduce((sum, { minWidth }) => sum + minWidth + gap, 0)
    if (row && used + view.minWidth <= width) row.push(view)
    else rows.push([view])
  }
  return rows
}

/** Divides a row's width by the views' shapes, none below its minWidth. */
function shareOut(row: readonly ViewShape[], width: number): number[] {
  const room = width - gap * (row.length - 1)
  const shares = row.reduce((sum, { shape }) => sum + share[shape], 0)
  const spare = Math.max(0, room - row.reduce((sum, { minWidth }) => sum + minWidth, 0))
  return row.map(({ minWidth, shape }) => Math.min(room, minWidth) + (spare * share[shape]) / shares)
}

export const mostPanes = 3

/** The one view that a phone has room for. A first visit meets the dials. */
export function openOnPhone(open: readonly string[]): string[] {
  return open.join() === defaults.open.join() ? ['score'] : open.slice(0, 1)
}

/** Moves or opens the view at the front; the number of panes stays, so the last view may close. */
export function bringToFront(open: readonly string[], id: string): string[] {
  const panes = Math.max(1, open.length)
  return [id, ...open.filter((other) => other !== id)].slice(0, panes)
}

/** Opens a view in the place of one. A phone opens it alone: beside the others it may be the default, which nobody chose there. */
export function replaceView(open: readonly string[], place: string, id: string, phone: boolean): string[] {
  return phone ? [id] : [...new Set(open.map((other) => (other === place ? id : other)))]
}

/** Changes the number of panes: closes the last views, or opens the next ones. */
export function withPanes(open: readonly string[], panes: number, all: readonly string[]): string[] {
  const more = all.filter((id) => !open.includes(id))
  return [...open, ...more].slice(0, Math.min(Math.max(panes, 1), mostPanes))
}

/** The open views that exist, at least one. */
export function openOf(open: readonly string[], all: readonly string[]): string[] {
  const existing = open.filter((id) => all.includes(id))
  return existing.length > 0 ? existing : all.slice(0, 1)
}
