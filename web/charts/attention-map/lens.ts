// The cells under a finger, enlarged above it.
import { inkOn } from '../colour'
import type { Mark, Raster, Scene } from '../marks'
import type { Scheme } from '../../styles/colours'
import { decimal } from '../../i18n/numbers'
import { extentOf, forbids, valueAt, type HeadMap, type MapCell } from './model'
import { entryOf, paint, type ColourScale } from './paint'
import { partAround } from './layout'
import { clamp } from '../../engine/protocol/range'
import type { Point } from '../../ui/pointer'

const across = 5
const cell = 36
const left = 64
const top = 22
const edge = 7
/** The distance from the finger. */
const above = 30

interface Lens {
  map: HeadMap
  place: MapCell
  scale: ColourScale
  palette: Uint8Array
  scheme: Scheme
  format: (value: number) => string
}

export function drawLens({ map, place, scale, palette, scheme, format }: Lens): Scene {
  const part = partAround(place, across, extentOf(map))
  const [wide, high] = [part.keys * cell, part.queries * cell]
  const { columns, rows, image } = paint({ map, part, most: across, scale, palette })
  const [width, height] = [left + wide + edge, top + high + edge]
  const raster: Raster = { kind: 'raster', x: left, y: top, width: wide, height: high, columns, rows, pixels: image }
  const marks: Mark[] = [
    { kind: 'rect', x: 1, y: 1, width: width - 2, height: height - 2, round: 4, stroke: 'ink', weight: 1.5 },
  ]
  const label = { kind: 'text', face: 'mono', size: 11 } as const
  for (let column = 0; column < part.keys; column++) {
    const key = part.key + column
    const is = key === place.key
    const x = left + (column + 0.5) * cell
    const look = { tone: is ? 'key' : 'quiet', bold: is, anchor: 'middle', room: cell } as const
    marks.push({ ...label, ...look, x, y: top - 7, text: map.keys.names[key] ?? '' })
  }
  for (let row = 0; row < part.queries; row++) {
    const query = part.query + row
    const is = query === place.query
    const y = top + (row + 0.5) * cell + 4
    const look = { tone: is ? 'query' : 'quiet', bold: is, anchor: 'end', room: left - 10 } as const
    marks.push({ ...label, ...look, x: left - 6, y, text: map.queries.names[query] ?? '' })
    for (let column = 0; column < part.keys; column++) {
      const at = { query, key: part.key + column }
      const [x, y] = [left + column * cell, top + row * cell]
      if (forbids(map, at)) {
        marks.push({ kind: 'rect', x, y, width: cell, height: cell, fill: 'rule', opacity: 0.55 })
        continue
      }
      const value = valueAt(map, at)
      const ink = inkOn(palette, entryOf(scale, value)) === '#000000'
      marks.push({
        ...label,
        x: x + cell / 2,
        y: y + cell / 2 + 4,
        text: format(value),
        tone: ink === (scheme === 'light') ? 'ink' : 'card',
        anchor: 'middle',
      })
    }
  }
  const [x, y] = [left + (place.key - part.key) * cell, top + (place.query - part.query) * cell]
  marks.push({ kind: 'rect', x, y, width: cell, height: cell, stroke: 'ink', weight: 2.5 })
  return { width, height, marks: [raster, ...marks] }
}

/** A weight in a cell of the lens: 0.77; nothing where it is less than half a hundredth. */
export function shortWeight(value: number): string {
  if (value < 0.005) return ''
  return value >= 0.995 ? decimal(1, 0) : decimal(value, 2)
}

/** A weight times a norm in a cell of the lens: it may be above 1. */
export function shortNorm(value: number): string {
  return value < 0.995 ? shortWeight(value) : decimal(value, value < 9.95 ? 1 : 0)
}

/** A signed number in a cell of the lens. */
export function shortSigned(value: number): string {
  return Math.abs(value) < 0.05 ? '' : decimal(value, Math.abs(value) < 9.95 ? 1 : 0)
}

/** Where the lens lies: above the finger, or beside it if there is no room above, and within `width`. */
export function placeLens(
  finger: Point,
  lens: Pick<Scene, 'width' | 'height'>,
  width: number,
  /** The room above the view that it may cover. */
  over: number,
): Point {
  const inWidth = (x: number) => clamp(x, 0, width - lens.width)
  const y = finger.y - above - lens.height
  if (y >= -over) return { x: inWidth(finger.x - lens.width / 2), y }
  const x = finger.x > width / 2 ? finger.x - lens.width - 2 * above : finger.x + 2 * above
  return { x: inWidth(x), y: -over }
}
