// Where the grid of all heads lies: whole device pixels, so that every thumbnail is equally large and sharp.
import type { GridView } from '../../engine/protocol/protocol'

export interface GridGeometry {
  /** Side of a thumbnail and the space between two, in device pixels: what the engine paints by. */
  cell: number
  gap: number
  /** The same in CSS px. */
  cellSide: number
  gapSide: number
  /** The canvas in CSS px. */
  width: number
  height: number
}

/** A thumbnail is at least this large (CSS px), so that it can be pointed at; the grid then scrolls sideways. */
export const leastCell = 22
const greatestCell = 120
/** No canvas is larger than every WebGPU device's textures can be, in device pixels. */
const greatestSide = 8192

/**
 * The grid of `layers` × `heads` thumbnails in `width` CSS px.
 * The cell does not follow the text's length: the grid would jump while one types.
 */
export function layOutGrid(width: number, layers: number, heads: number, ratio: number): GridGeometry {
  // Many heads stand closer.
  const gap = Math.max(1, Math.round((heads > 10 ? 2 : 3) * ratio))
  const fit = (side: number, count: number) => Math.floor((side - (count - 1) * gap) / count)
  const ideal = Math.min(fit(Math.floor(width * ratio), heads), Math.floor(greatestCell * ratio))
  const least = Math.ceil(leastCell * ratio)
  const cell = Math.max(1, Math.min(Math.max(ideal, least), fit(greatestSide, heads), fit(greatestSide, layers)))
  const side = (count: number) => (count * cell + (count - 1) * gap) / ratio
  return { cell, gap, cellSide: cell / ratio, gapSide: gap / ratio, width: side(heads), height: side(layers) }
}

/** What of the grid is seen through a window: both in CSS px, the grid from its first thumbnail's corner. */
export function gridViewOf(
  { cellSide, gapSide }: GridGeometry,
  grid: { left: number; top: number },
  box: { left: number; top: number; right: number; bottom: number },
): GridView {
  const pitch = cellSide + gapSide
  const range = (corner: number, from: number, to: number) => {
    const first = Math.max(0, Math.floor((from - corner) / pitch))
    return [first, Math.max(first, Math.ceil((to - corner) / pitch))] as const
  }
  return { layers: range(grid.top, box.top, box.bottom), places: range(grid.left, box.left, box.right) }
}
