// A part of a map as pixels.
import { atOnce } from '../../ui/inParts'
import { type HeadMap, type Place } from './model'
import type { ColourScale } from './scale'

/** `size` queries from `query`, and as many keys from `key`. */
export interface Part extends Place {
  size: number
}

export interface Paint {
  map: HeadMap
  part: Part
  /** The largest number of pixels a side; with more tokens a pixel has several cells. */
  most: number
  scale: ColourScale
  /** 256 × 3 sRGB bytes. */
  palette: Uint8Array
  /** A picture of equal size, which stays visible until it is painted over. */
  over?: Picture
}

export interface Picture {
  /** Of a side. */
  pixels: number
  /** (pixels, pixels) RGBA. */
  image: Uint8ClampedArray<ArrayBuffer>
}

/**
 * A pixel of several cells shows the one with the greatest magnitude, so that thin diagonals stay visible. Masked cells stay clear.
 */
export const paint = (request: Paint): Picture => atOnce(painting(request))

/** The same, one row of pixels a step: the rest is clear, or as in `over`. */
export function* painting({ map, part, most, scale, palette, over }: Paint): Generator<Picture, Picture> {
  const length = map.positions.length
  const size = Math.max(0, Math.min(part.size, length - part.query, length - part.key))
  const pixels = Math.max(1, Math.min(size, most))
  const image = over?.pixels === pixels ? over.image.slice() : new Uint8ClampedArray(pixels * pixels * 4)
  const columns = Uint32Array.from({ length: size }, (_, key) => Math.floor((key * pixels) / size))
  const best = new Float32Array(pixels)
  let row = 0
  for (let y = 0; y < pixels; y++) {
    best.fill(Number.NaN)
    for (; row < size && Math.floor((row * pixels) / size) === y; row++) {
      const query = part.query + row
      const start = query * length + part.key
      const end = map.causal ? Math.min(size, query - part.key + 1) : size
      for (let column = 0; column < end; column++) {
        const value = map.values[start + column] ?? 0
        const x = columns[column] ?? 0
        const before = best[x] ?? 0
        if (!(Math.abs(before) >= Math.abs(value))) best[x] = value
      }
    }
    image.fill(0, y * pixels * 4, (y + 1) * pixels * 4)
    for (let x = 0; x < pixels; x++) {
      const value = best[x] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const entry = entryOf(scale, value) * 3
      const at = (y * pixels + x) * 4
      image[at] = palette[entry] ?? 0
      image[at + 1] = palette[entry + 1] ?? 0
      image[at + 2] = palette[entry + 2] ?? 0
      image[at + 3] = 255
    }
    yield { pixels, image }
  }
  return { pixels, image }
}

/** A number's place among the 256 colours. */
export function entryOf(scale: ColourScale, value: number): number {
  return Math.round(scale.place(value) * 255)
}
