// A head's map as pixels.
import { weightEntry } from '../../elements/colour'
import { covered } from '../../elements/sampling'

export interface Paint {
  /** (length, length), row-major. */
  attention: Float32Array
  length: number
  /** Side of the picture in device pixels. */
  pixels: number
  /** Device pixels left free on the right and at the bottom of each cell. */
  gap: number
  /** 256 × 3 sRGB bytes. */
  palette: Uint8Array
  /** What shows between the cells. */
  ground: readonly [number, number, number]
}

/**
 * RGBA of the picture, (pixels, pixels, 4). Where a pixel covers several weights it shows the greatest:
 * a thin diagonal stays visible.
 */
export function paintMap({ attention, length, pixels, gap, palette, ground }: Paint): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(pixels * pixels * 4)
  const columns = Array.from({ length: pixels }, (_, pixel) => covered(pixel, pixels, length))
  const isGap = (pixel: number) => gap > 0 && columns[Math.min(pixel + gap, pixels - 1)]?.[0] !== columns[pixel]?.[0]
  const gaps = columns.map((_, pixel) => isGap(pixel))
  const set = (at: number, red: number, green: number, blue: number) => {
    image[at] = red
    image[at + 1] = green
    image[at + 2] = blue
    image[at + 3] = 255
  }
  let drawn: [number, number] | null = null
  for (let y = 0; y < pixels; y++) {
    const rows = columns[y] ?? [0, 0]
    const start = y * pixels * 4
    if (gaps[y]) {
      for (let x = 0; x < pixels; x++) set(start + x * 4, ...ground)
      drawn = null
      continue
    }
    if (drawn && drawn[0] === rows[0] && drawn[1] === rows[1]) {
      image.copyWithin(start, start - pixels * 4, start)
      continue
    }
    drawn = rows
    for (let x = 0; x < pixels; x++) {
      if (gaps[x]) {
        set(start + x * 4, ...ground)
        continue
      }
      const [from, to] = columns[x] ?? [0, 0]
      let most = 0
      for (let query = rows[0]; query < rows[1]; query++) {
        for (let key = from; key < to; key++) most = Math.max(most, attention[query * length + key] ?? 0)
      }
      const entry = weightEntry(most) * 3
      set(start + x * 4, palette[entry] ?? 0, palette[entry + 1] ?? 0, palette[entry + 2] ?? 0)
    }
  }
  return image
}
