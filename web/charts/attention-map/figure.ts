// A map as a figure: all of its cells, and the colour bar at their right.
import type { Mark, Scene } from '../marks'
import { drawGrid, raster } from './draw'
import { layOutGrid } from './layout'
import { t } from './messages.en'
import { acrossOf, extentOf, type HeadMap, type Place } from './model'
import { paint, tickLabels, type ColourScale } from './paint'

interface MapFigure {
  map: HeadMap
  scale: ColourScale
  /** 256 × 3 sRGB bytes. */
  palette: Uint8Array
  selected: Place | null
  /** Its room, in px. */
  width: number
  height: number
}

/** Px. `least`: the bar's height beside a map of few rows. */
const bar = { gap: 10, width: 9, labels: 30, least: 72 }
/** Px of a character of its labels. */
const character = 6.3
/** Pixels of the longer side, at most: with more tokens a pixel has several cells. */
const mostPixels = 2048

export function drawFigure({ map, scale, palette, selected, width, height }: MapFigure): Scene {
  const extent = extentOf(map)
  if (extent.queries === 0 || extent.keys === 0) return { width, height, marks: [] }
  const { queries, keys } = map
  const labels = { queries: queries.names, keys: keys.names, last: queries.positions.at(-1) ?? 0 }
  const widest = Math.max(...tickLabels(scale).map((label) => label.length))
  const barRoom = bar.gap + bar.width + Math.max(bar.labels, 7 + widest * character)
  const room = { x: 0, y: 0, width: width - barRoom, height }
  const grid = layOutGrid(room, extent, labels, 4)
  const part = { query: 0, key: 0, ...extent }
  const picture = paint({ map, part, most: Math.min(mostPixels, acrossOf(extent)), scale, palette })
  return {
    width,
    height,
    marks: [
      raster(grid, picture),
      ...drawGrid({ map, grid, part, selected, walked: null, pointed: null, axes: t().axes(map.cross) }),
      ...drawBar(scale, palette, {
        x: grid.x + grid.width + bar.gap,
        y: grid.y,
        height: Math.max(grid.height, bar.least),
      }),
    ],
  }
}

/** The colour bar, the greatest number on top. */
function drawBar(
  scale: ColourScale,
  palette: Uint8Array,
  { x, y, height }: { x: number; y: number; height: number },
): Mark[] {
  const pixels = new Uint8ClampedArray(256 * 4).fill(255)
  for (let entry = 0; entry < 256; entry++) pixels.set(palette.subarray(entry * 3, entry * 3 + 3), (255 - entry) * 4)
  const right = x + bar.width
  const labels = tickLabels(scale)
  return [
    { kind: 'raster', x, y, width: bar.width, height, columns: 1, rows: 256, pixels },
    { kind: 'rect', x, y, width: bar.width, height, stroke: 'edge', weight: 1 },
    ...scale.ticks.flatMap((tick, index): Mark[] => {
      const at = y + (1 - scale.place(tick)) * height
      return [
        { kind: 'line', x1: right, x2: right + 4, y1: at, y2: at, stroke: 'edge', weight: 1 },
        { kind: 'text', x: right + 7, y: at + 4, text: labels[index] ?? '', size: 10.5, face: 'mono' },
      ]
    }),
  ]
}
