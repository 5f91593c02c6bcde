// The place under the pointer.
import type { Arrangement, Grid } from './layout'
import type { Place } from './model'
import type { Part } from './paint'

/** A cell under the pointer. `small`: on the overview, where a pixel is many cells; `touch`: under a finger that rests on it and covers it. */
export interface Pointed extends Place {
  small: boolean
  touch: { x: number; y: number } | undefined
}

/** The cell at (x, y), or beside the cells the token of one axis; null: neither. */
export function placeAt(x: number, y: number, grid: Grid, part: Part): Partial<Place> | null {
  const key = Math.floor((x - grid.x) / grid.pitch)
  const query = Math.floor((y - grid.y) / grid.pitch)
  const isKey = key >= 0 && key < part.size
  const isQuery = query >= 0 && query < part.size
  if (isKey && isQuery) return { query: part.query + query, key: part.key + key }
  if (isQuery && x < grid.x && x >= grid.x - grid.name - grid.number - 8) return { query: part.query + query }
  if (isKey && y < grid.y && y >= grid.y - grid.name) return { key: part.key + key }
  return null
}

/** The cell of the overview at (x, y). */
export function overviewAt(x: number, y: number, overview: Arrangement['overview']): Place | null {
  if (!overview) return null
  const key = Math.floor((x - overview.x) / overview.pitch)
  const query = Math.floor((y - overview.y) / overview.pitch)
  const count = Math.round(overview.side / overview.pitch)
  return key >= 0 && key < count && query >= 0 && query < count ? { query, key } : null
}
