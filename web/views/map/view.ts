// The selected head's map.
import { weightFormula } from '../../charts/attention-map/formula'
import { t } from '../../charts/attention-map/messages.en'
import { pictureWithReading, drawGrid, raster } from '../../charts/attention-map/draw'
import { weightScales, paint, tickLabels, type ColourScale } from '../../charts/attention-map/paint'
import { ramp } from '../../charts/colour'
import {
  kindOf,
  kinds,
  kindsOf,
  means,
  type Mean,
  acrossOf,
  extentOf,
  type HeadMap,
  type MapCell,
} from '../../charts/attention-map/model'
import type { MapState } from '../../charts/attention-map/mapState.svelte'
import { isWeighing, type ModelInfo } from '../../engine/protocol/protocol'
import { diverging, sequential } from '../../styles/colours'
import { headName } from '../../i18n/numbers'
import type { HeadPlace } from '../../viewstate/choice'
import type { Inputs } from '../module'
import { Output, type PanelRow, type Picture } from '../output'
import { siteOfCell } from '../sites'
import { isRotary } from '../view'
import type { MapParams } from '.'
import { MapData, type MapDrawing } from './data.svelte'
import View from './View.svelte'
import type { Mark, Scene } from '../../charts/marks'
import { layOutGrid } from '../../charts/attention-map/layout'

export { t as messages, View as component }

export const data = (inputs: Inputs<MapParams>) => new MapData(inputs)

type Data = ReturnType<typeof data>

export function output({ bench, params, cursor }: Inputs<MapParams>, data: Data): Output<MapParams, MapDrawing> {
  const { head, state } = data
  const { x, y, stacked } = state.arrangement.reading
  const picture: Picture<MapParams, MapDrawing> = {
    scene: pictureWithReading(state.picture, { x, y, stacked, bar: state.bar, text: state.reading }),
    drawing: head && data.drawing(head, bench.head),
    label: head && t().label(head),
    help: head && t().helpOf(state.kind, state.isLinear),
    source:
      head &&
      t().sourceOf(state.kind, {
        isLinear: state.isLinear,
        isMean: params.mean !== 'head',
        rotates: isRotary(head.run.model.info),
      }),
    formula: head && weightFormula(head.run),
    anchors: anchorsOf(state),
    stale: data.stale,
    failure: data.failure?.message,
    tools: toolsOf(params, data, bench.head, bench.run?.model.info ?? {}),
    published: data.published,
    explains:
      head && params.mean === 'head'
        ? siteOfCell(
            state.kind === 'score' ? 'layer.N.score' : 'attentions.N',
            { ...cursor, layer: head.layer, head: head.head },
            head.run,
          )
        : undefined,
  }
  return head ? Output.of(head.run, picture) : Output.ofNoRun(picture)
}

export function figure(
  { width, height, scheme, palette }: Inputs<MapParams>,
  { head, state }: Data,
  crosshair: boolean,
) {
  const { map, scale, isSigned } = state
  const table = isSigned || !palette ? ramp((isSigned ? diverging : sequential)[scheme]) : palette
  return head && drawFigure({ map, scale, palette: table, selected: crosshair ? state.selected : null, width, height })
}

/** All cells, the selected row, and its selected cell. */
function anchorsOf({ arrangement: { grid }, part, selected }: MapState): Picture['anchors'] {
  const { x, y, width, height, pitch } = grid
  const all = { x, y, width, height }
  const [row, column] = selected ? [selected.query - part.query, selected.key - part.key] : [-1, -1]
  const isIn = (at: number, count: number) => at >= 0 && at < count
  if (!isIn(row, part.queries) || !isIn(column, part.keys)) return { all }
  const top = y + row * pitch
  return {
    all,
    row: { x, y: top, width, height: pitch },
    cell: { x: x + column * pitch, y: top, width: pitch, height: pitch },
  }
}

/** What the map is of, and how it is coloured. */
function toolsOf(
  params: MapParams,
  { state }: MapData,
  place: HeadPlace,
  model: Pick<ModelInfo, 'adds_positions'>,
): PanelRow<MapParams> {
  const { mean, kind, special, scale } = t()
  const textOf = (of: Mean) => (of === 'head' ? headName(place) : mean[of])
  const select = { kind: 'select', labelled: false } as const
  return [
    { ...select, param: 'mean', label: mean.name, options: means.map((value) => ({ value, text: textOf(value) })) },
    {
      ...select,
      label: kind.name,
      value: kindOf(params, model),
      options: kindsOf(model).map((value) => ({
        value,
        text: kind[value],
        disabled: params.mean !== 'head' && !isWeighing(value),
      })),
      to: (value: string) => ({ params: { kind: kinds.find((kind) => kind === value) ?? 'weight' } }),
    },
    {
      ...select,
      param: 'special',
      label: special.name,
      options: (['show', 'hide'] as const).map((value) => ({ value, text: special[value] })),
    },
    !state.isSigned && {
      ...select,
      param: 'scale',
      label: scale.name,
      options: weightScales.map((value) => ({ value, text: scale[value] })),
    },
  ]
}

interface MapFigure {
  map: HeadMap
  scale: ColourScale
  /** 256 × 3 sRGB bytes. */
  palette: Uint8Array
  selected: MapCell | null
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
      ...drawGrid({ map, grid, part, selected, walkCell: null, pointed: null, axes: t().axes(map.cross) }),
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
