// A map, or a part of it, as a raster; and a square map with its cursor.
import type { MapCell } from './attention-map/model'
import type { Point } from '../ui/pointer'
import { weightEntry } from './colour'
import { asCursor, type Box, type Mark, type Raster } from './marks'

/** Where a map lies, in CSS px. */
export interface Square extends Point {
  side: number
}

/** A head's attention: (length, length), query tokens down. */
export interface Weights {
  attention: Float32Array
  length: number
}

export const weightAt = ({ attention, length }: Weights, query: number, key: number): number =>
  attention[query * length + key] ?? 0

/** The cell of a map of `length` queries and keys at (x, y). */
export function cellIn(x: number, y: number, square: Square, length: number): MapCell | undefined {
  const at = (px: number) => Math.floor((px / square.side) * length)
  const [query, key] = [at(y - square.y), at(x - square.x)]
  const within = (position: number) => position >= 0 && position < length
  return within(query) && within(key) ? { query, key } : undefined
}

/** Weights with the row of the selected query and the column of the selected key, if there is one. @param palette undefined until it is known */
export function drawSquare(
  { values, length, palette }: Pick<Paint, 'values' | 'length'> & { palette: Uint8Array | undefined },
  { x, y, side }: Square,
  { query, key }: { query: number; key: number | undefined },
): Mark[] {
  const pitch = side / length
  const pane = { x, y, width: side, height: side, from: { query: 0, key: 0 }, queries: length, keys: length }
  return [
    ...(palette ? [paintCells({ values, length, table: palette, entry: weightEntry }, pane)] : []),
    { kind: 'rect', x: x - 0.5, y: y - 0.5, width: side + 1, height: side + 1, stroke: 'rule' },
    ...asCursor([
      ...(key === undefined
        ? []
        : ([
            { kind: 'rect', x: x + key * pitch, y, width: pitch, height: side, stroke: 'key', weight: 1.5 },
          ] satisfies Mark[])),
      { kind: 'rect', x, y: y + query * pitch, width: side, height: pitch, stroke: 'query', weight: 1.5 },
    ]),
  ]
}

/** A map as coloured cells. A cell of several numbers shows the one farthest from 0. */
export interface Paint {
  /** (length, length); NaN where nothing is compared. */
  values: Float32Array
  /** Whether no query sees a key ahead: masked cells stay clear. */
  causal?: boolean
  length: number
  /** 256 × 3 sRGB bytes. */
  table: Uint8Array
  entry: (value: number) => number
}

/** Cells of a map in a picture: from which query and key on, how many, and where they lie. */
export interface Cells extends Box {
  from: MapCell
  queries: number
  keys: number
}

export function paintCells(
  { values, causal = false, length, table, entry }: Paint,
  { x, y, width, height, from, queries, keys }: Cells,
): Raster {
  const spansOf = (count: number, room: number) => {
    const pixels = Math.max(1, Math.min(count, Math.floor(room)))
    return Array.from({ length: pixels }, (_, pixel) => covered(pixel, pixels, count))
  }
  const [rows, columns] = [spansOf(queries, height), spansOf(keys, width)]
  const pixels = new Uint8ClampedArray(rows.length * columns.length * 4)
  rows.forEach(([top, bottom], row) =>
    columns.forEach(([left, right], column) => {
      let most = NaN
      for (let query = from.query + top; query < from.query + bottom; query++) {
        for (let key = from.key + left; key < from.key + right; key++) {
          if (causal && key > query) break
          const value = values[query * length + key] ?? 0
          if (Number.isNaN(most) || Math.abs(value) > Math.abs(most)) most = value
        }
      }
      const at = (row * columns.length + column) * 4
      if (Number.isNaN(most)) return
      const colour = entry(most) * 3
      for (let channel = 0; channel < 3; channel++) pixels[at + channel] = table[colour + channel] ?? 0
      pixels[at + 3] = 255
    }),
  )
  return { kind: 'raster', x, y, width, height, columns: columns.length, rows: rows.length, pixels }
}

/** The first and one past the last of `count` items in this pixel: several where there are more items than pixels. */
export function covered(pixel: number, pixels: number, count: number): [number, number] {
  const from = Math.floor((pixel * count) / pixels)
  return [from, Math.max(from + 1, Math.floor(((pixel + 1) * count) / pixels))]
}
