// Colours of a map: scales from numbers to a colour table, with the ticks of the colour bar, and a part of the map as pixels.
import { atOnce } from '../../ui/slices.svelte'
import { clamp } from '../../engine/protocol/range'
import { isWeighing, type MapKind } from '../../engine/protocol/protocol'
import { plain } from '../../i18n/numbers'
import { commonReachOf, extentOf, reachOf, type Extent, type HeadMap, type MapCell } from './model'

/** Rows from `query` and columns from `key`. */
export interface Part extends MapCell, Extent {}

export interface Paint {
  map: HeadMap
  part: Part
  /** The largest number of pixels of the longer side; with more tokens a pixel has several cells. */
  most: number
  scale: ColourScale
  /** 256 × 3 sRGB bytes. */
  palette: Uint8Array
  /** A picture of equal size, which stays visible until it is painted over. */
  over?: Picture
}

export interface Picture {
  /** In pixels. */
  columns: number
  rows: number
  /** (rows, columns) RGBA. */
  image: Uint8ClampedArray<ArrayBuffer>
}

/**
 * A pixel of several cells shows the one with the greatest magnitude, so that thin diagonals stay visible. Masked cells stay clear.
 */
export const paint = (request: Paint): Picture => atOnce(painting(request))

/** The same, one row of pixels a step: the rest is clear, or as in `over`. */
export function* painting({ map, part, most, scale, palette, over }: Paint): Generator<Picture, Picture> {
  const all = extentOf(map)
  const queries = Math.max(0, Math.min(part.queries, all.queries - part.query))
  const keys = Math.max(0, Math.min(part.keys, all.keys - part.key))
  // Both sides by the same factor: cells stay squares.
  const shrink = Math.min(1, most / Math.max(queries, keys, 1))
  const [rows, columns] = [queries, keys].map((count) => Math.max(1, Math.round(count * shrink))) as [number, number]
  const isOver = over?.rows === rows && over.columns === columns
  const image = isOver ? over.image.slice() : new Uint8ClampedArray(rows * columns * 4)
  const columnOf = Uint32Array.from({ length: keys }, (_, key) => Math.floor((key * columns) / keys))
  const best = new Float32Array(columns)
  let row = 0
  for (let y = 0; y < rows; y++) {
    best.fill(Number.NaN)
    for (; row < queries && Math.floor((row * rows) / queries) === y; row++) {
      const query = part.query + row
      const start = query * all.keys + part.key
      const end = map.causal ? Math.min(keys, query - part.key + 1) : keys
      for (let column = 0; column < end; column++) {
        const value = map.values[start + column] ?? 0
        const x = columnOf[column] ?? 0
        const before = best[x] ?? 0
        if (!(Math.abs(before) >= Math.abs(value))) best[x] = value
      }
    }
    image.fill(0, y * columns * 4, (y + 1) * columns * 4)
    for (let x = 0; x < columns; x++) {
      const value = best[x] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const entry = entryOf(scale, value) * 3
      const at = (y * columns + x) * 4
      image[at] = palette[entry] ?? 0
      image[at + 1] = palette[entry + 1] ?? 0
      image[at + 2] = palette[entry + 2] ?? 0
      image[at + 3] = 255
    }
    yield { columns, rows, image }
  }
  return { columns, rows, image }
}

/** A number's place among the 256 colours. */
export function entryOf(scale: ColourScale, value: number): number {
  return Math.round(scale.place(value) * 255)
}

export const weightScales = ['root', 'linear', 'log'] as const
export type WeightScale = (typeof weightScales)[number]

export interface ColourScale {
  /** Where a number lies between the ends of the bar, 0 … 1. */
  place(value: number): number
  /** Ticks of the bar, ascending. */
  ticks: readonly number[]
  /** Whether numbers beyond the ends have the colours of the ends. */
  isClipped?: boolean
}

/** The labels of the ticks. Where the colours are clipped, the ends have ≤ and ≥. */
export const tickLabels = ({ ticks, isClipped = false }: ColourScale): string[] =>
  ticks.map((tick, at) => {
    const beyond = !isClipped ? '' : at === 0 ? '≤ ' : at === ticks.length - 1 ? '≥ ' : ''
    return beyond + plain(tick)
  })

const onScale = (place: number) => clamp(place, 0, 1)

/** The least weight that a logarithmic scale shows. */
const leastLog = 1e-4
const decades = -Math.log10(leastLog)

/** From 0 to `most`: 1 for weights. */
export function weightScale(scale: WeightScale, most = 1): ColourScale {
  const of = (parts: readonly number[]) => parts.map((part) => Number((part * most).toPrecision(6)))
  switch (scale) {
    case 'root':
      return { place: (value) => Math.sqrt(onScale(value / most)), ticks: of([0, 0.05, 0.25, 0.5, 1]) }
    case 'linear':
      return { place: (value) => onScale(value / most), ticks: of([0, 0.25, 0.5, 0.75, 1]) }
    case 'log':
      return {
        place: (value) => onScale(1 + Math.log10(Math.max(value / most, leastLog)) / decades),
        ticks: of([leastLog, 0.001, 0.01, 0.1, 1]),
      }
  }
}

/** From −most to most, with 0 in the middle. */
export function signedScale(most: number, isClipped = false): ColourScale {
  return { place: (value) => onScale((value / most + 1) / 2), ticks: [-most, -most / 2, 0, most / 2, most], isClipped }
}

/** The smallest of 1, 1.5, 2, 3, 4, 5, 6, 8, 10, … × a power of ten that is at least `value`: its half is short to write, too. */
export function roundReach(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1
  const decade = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8].find((step) => step * decade >= value * (1 - 1e-9)) ?? 10
  return step * decade
}

/**
 * Colours reach from 0 to 1 for weights, from 0 to the map's largest number for weighted values, and to it in both directions for signed
 * numbers, as those of linear attention. There a few cells that are far larger than all others would leave the rest without colour: the
 * scale ends before them.
 */
export function scaleOf(map: HeadMap, kind: MapKind, scale: WeightScale, signed = !isWeighing(kind)): ColourScale {
  if (kind === 'weight' && !signed) return weightScale(scale)
  const largest = reachOf(map)
  if (!signed) return weightScale(scale, roundReach(largest))
  const common = commonReachOf(map)
  return common > 0 && largest > 2 * common ? signedScale(roundReach(common), true) : signedScale(roundReach(largest))
}
