// A part of a map, for texts so long that a cell of the whole is too small to be pointed at.
import type { Place } from './mapGeometry'

/** Tokens across the part. */
export const lensLength = 15
/** Cells smaller than this (CSS px) are shown again in a lens. */
export const lensPitch = 8

/** `length` keys from `key` and as many queries from `query`. */
export interface Lens extends Place {
  length: number
}

/** The part around a place; near an edge it stays within the map. */
export function lensAround(place: Place, length: number): Lens {
  const size = Math.min(lensLength, length)
  const start = (centre: number) => Math.max(0, Math.min(centre - Math.floor(size / 2), length - size))
  return { query: start(place.query), key: start(place.key), length: size }
}

/** The part's weights, (lens.length, lens.length), of a map (length, length). */
export function lensWeights(attention: Float32Array, length: number, lens: Lens): Float32Array {
  const part = new Float32Array(lens.length * lens.length)
  for (let row = 0; row < lens.length; row++) {
    const start = (lens.query + row) * length + lens.key
    part.set(attention.subarray(start, start + lens.length), row * lens.length)
  }
  return part
}

/** A place of the whole map as one of the part; null: outside of it. */
export function intoLens(place: Place, lens: Lens): Place | null {
  const query = place.query - lens.query
  const key = place.key - lens.key
  return query >= 0 && query < lens.length && key >= 0 && key < lens.length ? { query, key } : null
}
