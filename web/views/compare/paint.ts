// A map, or a part of it, as coloured cells. Where a cell stands for several weights it shows the one furthest from 0.
import { covered } from '../../charts/sampling'
import type { Raster } from '../../charts/marks'
import type { Pane } from './layout'

/** The entry of a signed table (magenta, nothing, green) for −1 … 1, by the square root, so that small differences are seen. */
export function signedEntry(value: number): number {
  const part = Math.sign(value) * Math.sqrt(Math.min(Math.abs(value), 1))
  return Math.min(255, Math.round(127.5 + part * 127.5))
}

export interface Paint {
  /** (length, length); NaN where nothing is told. */
  values: Float32Array
  /** Whether no query sees a key ahead: what the mask forbids is left clear. */
  causal?: boolean
  length: number
  /** 256 × 3 sRGB bytes. */
  table: Uint8Array
  entry: (value: number) => number
}

export function paintPane(
  { values, causal = false, length, table, entry }: Paint,
  { x, y, side, from, count }: Pick<Pane, 'x' | 'y' | 'side' | 'from' | 'count'>,
): Raster {
  const cells = Math.max(1, Math.min(count, Math.floor(side)))
  const spans = Array.from({ length: cells }, (_, cell) => covered(cell, cells, count))
  const pixels = new Uint8ClampedArray(cells * cells * 4)
  spans.forEach(([top, bottom], row) =>
    spans.forEach(([left, right], column) => {
      let most = NaN
      for (let query = from.query + top; query < from.query + bottom; query++) {
        for (let key = from.key + left; key < from.key + right; key++) {
          if (causal && key > query) break
          const value = values[query * length + key] ?? 0
          if (Number.isNaN(most) || Math.abs(value) > Math.abs(most)) most = value
        }
      }
      const at = (row * cells + column) * 4
      // Nothing is painted where there is no number.
      if (Number.isNaN(most)) return
      const colour = entry(most) * 3
      pixels.set([table[colour] ?? 0, table[colour + 1] ?? 0, table[colour + 2] ?? 0, 255], at)
    }),
  )
  return { kind: 'raster', x, y, width: side, height: side, columns: cells, rows: cells, pixels }
}

/** The table itself as a bar, from one end to the other, by the same root as the map. */
export function paintBar(table: Uint8Array, x: number, y: number, width: number, height: number): Raster {
  const columns = Math.max(1, Math.round(width))
  const pixels = new Uint8ClampedArray(columns * 4)
  for (let column = 0; column < columns; column++) {
    const entry = signedEntry((column / Math.max(columns - 1, 1)) * 2 - 1) * 3
    pixels.set([table[entry] ?? 0, table[entry + 1] ?? 0, table[entry + 2] ?? 0, 255], column * 4)
  }
  return { kind: 'raster', x, y, width, height, columns, rows: 1, pixels }
}
