// The angle map: frequency pairs down (fast first), positions across, each cell the angle m·θ_i modulo a full turn.
import { scaleLinear } from 'd3-scale'
import { angleEntry } from '../../elements/colour'
import { count, degrees, wavelength } from '../../elements/format'
import { columns, thinLabels, thinTicks } from '../../elements/labels'
import type { Tick } from '../../elements/lineChart'
import { covered } from '../../elements/sampling'
import { words } from '../../words/words'

/** In CSS px; the picture's upper left corner is at (left, top). */
export interface AngleGeometry {
  left: number
  top: number
  width: number
  height: number
  /** From one pair to the next, and from one position to the next. */
  rowPitch: number
  columnPitch: number
  /** Device pixels across; the picture has one pixel row a pair. */
  pixels: number
  xTicks: Tick[]
  /** Pairs whose wavelength is written. */
  labelled: number[]
  /** Where each pair has made its first full turn, as an SVG path. */
  firstTurns: string
}

const character = 6.4
const label = 13

export function layOutAngles(
  width: number,
  length: number,
  wavelengths: ArrayLike<number>,
  ratio: number,
  pinned: number | null,
): AngleGeometry {
  const pairs = wavelengths.length
  const texts = Array.from(wavelengths, wavelength)
  const left = Math.ceil(Math.max(...texts.map((text) => columns(text) * character), 20)) + 8
  const top = 32
  const rowPitch = Math.max(3, Math.min(24, Math.floor(320 / Math.max(pairs, 1))))
  const pixels = Math.max(1, Math.floor((width - left - 8) * ratio))
  const side = pixels / ratio
  const columnPitch = side / Math.max(length, 1)
  const scale = scaleLinear([0, length], [left, left + side])
  const positions = scale.ticks(Math.max(2, Math.floor(side / 60))).filter((at) => Number.isInteger(at) && at < length)
  const places = positions.map((at) => left + (at + 0.5) * columnPitch)
  const fits = thinTicks(places, positions.map(count), character, 8)
  const turns = Array.from(wavelengths, (value, pair) =>
    value < length ? `M${left + (value + 0.5) * columnPitch} ${top + pair * rowPitch}v${rowPitch}` : '',
  )
  return {
    left,
    top,
    width: side,
    height: pairs * rowPitch,
    rowPitch,
    columnPitch,
    pixels,
    xTicks: positions
      .map((at, index) => ({ place: places[index] ?? 0, text: count(at) }))
      .filter((_, index) => fits[index]),
    labelled: thinLabels(pairs, rowPitch, label, pinned === null ? [] : [pinned]),
    firstTurns: turns.join(''),
  }
}

export interface Mark {
  name: 'query' | 'key'
  position: number
  x: number
  anchor: 'start' | 'end'
}

/**
 * Where the marked positions are drawn: the left one's name to its left and the right one's to its right, so that they never touch,
 * unless the picture's edge is nearer than a name is long. Positions beyond the picture are left out.
 */
export function placeMarks(
  marked: readonly { name: 'query' | 'key'; position: number }[],
  { left, columnPitch }: AngleGeometry,
  length: number,
  width: number,
): Mark[] {
  const shown = marked.filter(({ position }) => position < length).toSorted((a, b) => a.position - b.position)
  return shown.map(({ name, position }, index) => {
    const x = left + (position + 0.5) * columnPitch
    const room = columns(words.angles.mark(name, position)) * (character + 0.4)
    const anchor = x - room < 0 ? 'start' : x + room > width || (index === 0 && shown.length > 1) ? 'end' : 'start'
    return { name, position, x, anchor }
  })
}

/** The cell at (x, y) from the frame's corner; null: none. */
export function cellAt(
  x: number,
  y: number,
  { left, top, rowPitch, columnPitch }: AngleGeometry,
  length: number,
  pairs: number,
): { position: number; pair: number } | null {
  const position = Math.floor((x - left) / columnPitch)
  const pair = Math.floor((y - top) / rowPitch)
  return position >= 0 && position < length && pair >= 0 && pair < pairs ? { position, pair } : null
}

/**
 * RGBA (pairs, pixels, 4) of angles (length, pairs). A pixel that covers several positions shows the mean of their colours:
 * a pair that turns faster than can be shown goes flat, rather than showing a pattern that is not there.
 */
export function paintAngles(
  angles: Float32Array,
  length: number,
  pairs: number,
  pixels: number,
  table: Uint8Array,
): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(pairs * pixels * 4)
  for (let pixel = 0; pixel < pixels; pixel++) {
    const [from, to] = covered(pixel, pixels, length)
    for (let pair = 0; pair < pairs; pair++) {
      const at = (pair * pixels + pixel) * 4
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (let position = from; position < to; position++) {
          sum += table[angleEntry(angles[position * pairs + pair] ?? 0) * 3 + channel] ?? 0
        }
        image[at + channel] = sum / (to - from)
      }
      image[at + 3] = 255
    }
  }
  return image
}

/** An angle in words. */
export function angleWords(position: number, pair: number, length: number, angle: number): string {
  return words.angles.cell(position, pair, wavelength(length), degrees(angle))
}
