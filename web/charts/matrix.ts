// A map, or a part of it, as a raster.
import type { Raster } from './marks'
import type { Place } from './attention-map/model'

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

export function paintCells(
  { values, causal = false, length, table, entry }: Paint,
  { x, y, side, from, count }: { x: number; y: number; side: number; from: Place; count: number },
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
      if (Number.isNaN(most)) return
      const colour = entry(most) * 3
      for (let channel = 0; channel < 3; channel++) pixels[at + channel] = table[colour + channel] ?? 0
      pixels[at + 3] = 255
    }),
  )
  return { kind: 'raster', x, y, width: side, height: side, columns: cells, rows: cells, pixels }
}

/** The first and one past the last of `count` items in this pixel: several where there are more items than pixels. */
export function covered(pixel: number, pixels: number, count: number): [number, number] {
  const from = Math.floor((pixel * count) / pixels)
  return [from, Math.max(from + 1, Math.floor(((pixel + 1) * count) / pixels))]
}
