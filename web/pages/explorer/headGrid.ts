// The output of the grid of heads, as of a view: maps, weights by distance or frequency pairs of all heads, as a figure and tables.
import { ramp, repaint, weightEntry } from '../../charts/colour'
import type { GridPixels, HeadByDistance, ModelInfo } from '../../engine/protocol/protocol'
import type { Mark, Scene } from '../../charts/marks'
import { sequential, type Scheme } from '../../styles/colours'
import { aspectOf, headAt, stretchOf, distanceGlyph, pairParts, strongest } from '../../charts/head-grid/grid'
import { tableOf } from '../../views/points/data.svelte'
import { partsOfStatistic } from '../../views/points/parts'
import {
  knownOf,
  type MeasuredHead,
  distanceStatistics,
  statisticIds,
  type StatisticId,
} from '../../session/headStatistics.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import { t } from '../../charts/head-grid/messages.en'
import type { Run } from '../../session/runs.svelte'
import { tex } from '../../i18n/rich'
import { Output } from '../../views/output'
import { flag, oneOf } from '../../viewstate/fields'
import type { GridWidth } from '../../viewstate/choice'
import type { ParamsOf } from '../../viewstate/fields'

/** The size of a cell in CSS px. */
const cell = 60
const gap = 4
const left = 26
const top = 22

export const formulas: Record<Glyph, string> = {
  maps: tex`\displaystyle a_{mn} = \operatorname{softmax}_n\!\left(\frac{\mathbf{q}_m^\top \mathbf{k}_n}{\sqrt d}\right)`,
  distance: tex`\displaystyle \bar a(\Delta) = \frac{1}{N_\Delta} \sum_{m - n = \Delta} a_{mn}`,
  pairs: tex`\displaystyle C_i = \lVert \mathbb{E}\,\mathbf{q}_i \rVert \, \lVert \mathbb{E}\,\mathbf{k}_i \rVert`,
}

interface Grid {
  info: ModelInfo
  /** The head in each column, (layers, heads); empty for the order of their numbers. */
  order: readonly number[]
}

/** Numbers of layers and heads. If a layer's heads are sorted, each cell has its own number. */
function withLabels({ info, order }: Grid, side: number, space: number, marks: Mark[], stretch = 1): Scene {
  const { num_hidden_layers: layers, num_attention_heads: heads } = info
  const at = (index: number) => index * (side + space)
  const down = (index: number) => stretch * at(index)
  const text = { kind: 'text', face: 'mono', size: 10.5 } as const
  const rows = Array.from({ length: layers }, (_, layer): Mark => {
    return { ...text, x: left - 6, y: top + down(layer) + (stretch * side) / 2 + 4, text: String(layer), anchor: 'end' }
  })
  const columns = Array.from({ length: order.length > 0 ? 0 : heads }, (_, head): Mark => {
    return { ...text, x: left + at(head) + side / 2, y: top - 7, text: String(head), anchor: 'middle' }
  })
  const numbers = Array.from({ length: order.length > 0 ? layers * heads : 0 }, (_, index): Mark => {
    const [layer, place] = [Math.floor(index / heads), index % heads]
    const head = String(headAt(place, layer, heads, order))
    return { ...text, x: left + at(place) + 2, y: top + down(layer) + 10, text: head, bold: true, tone: 'ink' }
  })
  const [width, height] = [left + at(heads) - space + 4, top + down(layers) - stretch * space + 4]
  return { width, height, marks: [...marks, ...rows, ...columns, ...numbers] }
}

/**
 * The maps as the engine paints them, in light colours; cells are (cell + gap) device pixels apart.
 *
 * @param stretch a map's height by its width: the engine paints squares
 */
export function mapsScene(
  grid: Grid,
  { width, height, pixels }: GridPixels,
  ratio: number,
  paintScheme: Scheme,
  stretch = 1,
): Scene {
  const { num_attention_heads: heads } = grid.info
  const space = Math.max(1, gap / 2)
  const side = (width / ratio + space) / heads - space
  const image = repaint(new Uint8ClampedArray(pixels), sequential[paintScheme], sequential.light)
  const size = { width: width / ratio, height: (stretch * height) / ratio, columns: width, rows: height }
  return withLabels(grid, side, space, [{ kind: 'raster', x: left, y: top, ...size, pixels: image }], stretch)
}

export function glyphScene(grid: Grid, show: 'distance' | 'pairs', heads: readonly HeadByDistance[]): Scene {
  const { num_hidden_layers: layers, num_attention_heads: count, is_decoder: causal } = grid.info
  const [most, palette] = [strongest(heads), ramp(sequential.light)]
  const marks: Mark[] = []
  for (let layer = 0; layer < layers; layer++) {
    for (let place = 0; place < count; place++) {
      const head = heads[layer * count + headAt(place, layer, count, grid.order)]
      if (!head) continue
      const [x, y] = [left + place * (cell + gap), top + layer * (cell + gap)]
      const box = { x, y, width: cell, height: cell }
      if (show === 'pairs') {
        const parts = pairParts(head, most)
        const pixels = new Uint8ClampedArray(4 * parts.length).fill(255)
        parts.forEach((part, pair) => pixels.set(palette.subarray(3 * weightEntry(part)).subarray(0, 3), 4 * pair))
        marks.push({ kind: 'raster', ...box, columns: parts.length, rows: 1, pixels })
      } else {
        const { area, line, zero } = distanceGlyph(head, causal, cell, 4, { x, y })
        marks.push({ kind: 'path', d: area, fill: 'edge', opacity: 0.55 })
        marks.push({ kind: 'path', d: line, stroke: 'ink', weight: 1.2 })
        marks.push({ kind: 'line', x1: zero, x2: zero, y1: y + cell - 3, y2: y + cell, stroke: 'edge', weight: 1 })
      }
      marks.push({ kind: 'rect', ...box, stroke: 'rule', weight: 1 })
    }
  }
  return withLabels(grid, cell, gap, marks)
}

/** One row for each head: its statistics. */
export function mapsTables(measured: readonly MeasuredHead[]): NamedTable[] {
  return measured.length === 0 ? [] : [tableOf(measured, knownOf(measured))]
}

/** One row for each head: its weights by distance, measured and predicted, or the strength of its pairs. */
export function glyphTables(show: 'distance' | 'pairs', heads: readonly HeadByDistance[]): NamedTable[] {
  const [first] = heads
  if (!first) return []
  const table = (name: string, header: readonly string[], row: (head: HeadByDistance) => number[]): NamedTable =>
    namedTable(name, header, heads, (head) => [{ layer: head.layer, head: head.head }, ...row(head)])
  if (show === 'pairs') {
    const pairs = Array.from(first.strength, (_, pair) => t().pair(pair))
    return [table(t().shows.pairs, [t().headWord, ...pairs], ({ strength }) => Array.from(strength))]
  }
  // From the farthest key behind to the farthest ahead.
  const offsets = Array.from(first.measured, (_, index) => first.reach - index)
  const header = [t().headWord, 'r̄', ...offsets.map((away) => t().distances.brief(away))]
  const by = (curve: 'measured' | 'predicted', name: string) =>
    table(name, header, (head) => [head.correlation, ...offsets.map((away) => head[curve][away + head.reach] ?? 0)])
  return [by('measured', t().tables.measured), by('predicted', t().tables.predicted)]
}

/** What the grid shows of a run. */
export interface HeadGridInputs {
  run: Run
  show: Glyph
  /** See `Grid`. */
  order: readonly number[]
  /** The statistic that marks heads; undefined where none does. */
  by?: StatisticId | undefined
  /** The heads' weights by distance that are read so far. */
  heads: readonly HeadByDistance[]
  measured: readonly MeasuredHead[]
  /** The grid painted by the engine, if it was requested. */
  pixels: GridPixels | undefined
  /** Device pixels per CSS px. */
  ratio: number
  /** The scheme of the engine's colours. */
  paintScheme: Scheme
}

/** Heads come one by one: figure and tables have all of them. */
const hasAllHeads = ({ run: { model }, heads }: HeadGridInputs): boolean =>
  heads.length === model.info.num_hidden_layers * model.info.num_attention_heads

/** The figure. Repainting the maps takes a while: it is for the open sheet alone. */
export function headGridScene(inputs: HeadGridInputs): Scene | undefined {
  const { run, show, order, heads, pixels, ratio, paintScheme } = inputs
  const grid = { info: run.model.info, order }
  if (show === 'maps')
    return pixels && mapsScene(grid, pixels, ratio, paintScheme, stretchOf(aspectOf(run.reading.pair)))
  return hasAllHeads(inputs) ? glyphScene(grid, show, heads) : undefined
}

export function headGridOutput(inputs: HeadGridInputs): Output {
  const { run, show, by, heads, measured } = inputs
  const tables = show === 'maps' ? mapsTables(measured) : hasAllHeads(inputs) ? glyphTables(show, heads) : []
  return Output.of(run, { published: { tables, parts: by && partsOfStatistic(by, run), subject: '', kind: show } })
}

const glyphs = ['maps', 'distance', 'pairs'] as const
export type Glyph = (typeof glyphs)[number]

interface HeadKind {
  rotates: boolean
  cross: boolean
  /** Whether weights are a softmax of scores, from which weights by distance are predicted. */
  isSoftmax: boolean
}

/** What the cells of a part can show: distances within one text, frequency pairs of a model that rotates. */
export const glyphsOf = ({ rotates, cross, isSoftmax }: HeadKind): readonly Glyph[] =>
  glyphs.filter((glyph) => glyph === 'maps' || (!cross && (glyph === 'pairs' ? rotates : isSoftmax)))

export type By = 'head' | StatisticId

/** The statistics of a part. */
export const byOptionsOf = (cross: boolean): readonly By[] => [
  'head',
  ...statisticIds.filter((id) => !cross || !distanceStatistics.includes(id)),
]

/** The widths of the grid, the least first. */
export const gridWidthsOf = (small: boolean): readonly GridWidth[] =>
  small ? ['auto', 'narrow', 'wide'] : ['narrow', 'auto', 'wide']

/** Whether the grid is a strip that opens it. */
export const isFoldedAt = (width: GridWidth, small: boolean): boolean => small && width === 'auto'

const params = {
  /** The statistic that marks a layer's heads; `head`: none. */
  by: oneOf<By>('by', 'head', ['head', ...statisticIds]),
  /** Whether the statistic sorts them. */
  sorted: flag('sorted', true),
  /** What a cell of the grid shows of its head: its map, its weights by distance, or its pairs. */
  show: oneOf<Glyph>('show', 'maps', glyphs),
}

export const headGridParams = { id: 'heads', params }
export type HeadGridParams = ParamsOf<typeof params>
