// A map, its overview, its bar of colours and its ranking as marks.
import { thinLabels, thinTicks, widthOf } from '../labels'
import { asCursor, exactPx, type Box, type Mark, type Raster, type Scene } from '../marks'
import { labelRoom, rankedHeight, slantedRoom, type Arrangement, type Grid } from './layout'
import { extentOf, forbids, type HeadMap, type MapCell, type Ranked } from './model'
import { tickLabels, type Part, type Picture, type ColourScale } from './paint'
import { t } from './messages.en'
import { plainText, type Sentence } from '../../i18n/rich'

interface GridPicture {
  map: HeadMap
  grid: Grid
  part: Part
  selected: MapCell | null
  /** The selected query with the key that walks. */
  walkCell: MapCell | null
  pointed: MapCell | null
  axes: { query: string; key: string }
}

export function raster({ x, y, width, height }: Box, { columns, rows, image }: Picture): Raster {
  return { kind: 'raster', x, y, width, height, columns, rows, pixels: image }
}

/** Labels, outlines and masked cells. */
export function drawGrid({ map, grid, part, selected, walkCell, pointed, axes }: GridPicture): Mark[] {
  const { x, y, width, height } = grid
  const cursor = walkCell ?? selected
  // A language with longer words writes them smaller.
  const longest = 1.15 * Math.max(widthOf(axes.key, 10.5), widthOf(axes.query, 10.5))
  const size = Math.min(10.5, (10.5 * (x - 8)) / longest)
  return [
    ...forbidden(map, grid, part),
    { kind: 'rect', x: x - 0.5, y: y - 0.5, width: width + 1, height: height + 1, stroke: 'rule', weight: 1 },
    { kind: 'text', x: x - 8, y: y - 18, text: axes.key, tone: 'key', anchor: 'end', size, bold: true },
    { kind: 'text', x: x - 8, y: y - 5, text: axes.query, tone: 'query', anchor: 'end', size, bold: true },
    ...rowLabels(map, grid, part, selected, pointed),
    ...columnLabels(map, grid, part, cursor, pointed),
    ...(pointed ? outlines(grid, part, pointed, 'edge', 'edge', 1) : []),
    ...asCursor(cursor ? outlines(grid, part, cursor, 'query', 'key', 1.5, walkCell ? '4 3' : undefined) : []),
    ...(pointed ? cell(grid, part, pointed, 1.5) : []),
    ...asCursor(cursor ? cell(grid, part, cursor, 2.5) : []),
  ]
}

const inside = ({ query, key, queries, keys }: Part, place: MapCell) => ({
  row: place.query >= query && place.query < query + queries,
  column: place.key >= key && place.key < key + keys,
})

/** The labels of an axis that are drawn; those of the cursor and the pointer come first. */
function labelTokens(part: Part, grid: Grid, axis: 'query' | 'key', pinned: readonly (MapCell | null)[]): number[] {
  const first = part[axis]
  const pinnedTicks = pinned.flatMap((place) => (place ? [place[axis] - first] : []))
  const room = axis === 'key' && grid.slant === 60 ? slantedRoom : labelRoom
  return thinLabels(axis === 'key' ? part.keys : part.queries, grid.pitch, room, pinnedTicks).map(
    (index) => first + index,
  )
}

function rowLabels(map: HeadMap, grid: Grid, part: Part, selected: MapCell | null, pointed: MapCell | null): Mark[] {
  return labelTokens(part, grid, 'query', [pointed, selected]).flatMap((query): Mark[] => {
    const y = grid.y + (query - part.query + 0.5) * grid.pitch + 4
    const isSelected = query === selected?.query
    const tone = isSelected ? 'query' : query === pointed?.query ? 'ink' : 'quiet'
    const name = map.queries.names[query] ?? ''
    const text = { kind: 'text', y, anchor: 'end', face: 'mono', bold: isSelected } as const
    return [
      {
        ...text,
        x: grid.x - grid.number - 2,
        text: name,
        tone: isSelected ? 'query' : 'ink',
        size: 11,
        room: grid.name + 3,
      },
      { ...text, x: grid.x - 6, text: String(map.queries.positions[query] ?? ''), tone, size: 10 },
    ]
  })
}

function columnLabels(map: HeadMap, grid: Grid, part: Part, selected: MapCell | null, pointed: MapCell | null): Mark[] {
  return labelTokens(part, grid, 'key', [pointed, selected]).map((key): Mark => {
    const isSelected = key === selected?.key
    const middle = grid.x + (key - part.key + 0.5) * grid.pitch
    return {
      kind: 'text',
      x: middle + (grid.slant === 60 ? 2 : 4),
      y: grid.y - 6,
      text: map.keys.names[key] ?? '',
      tone: isSelected ? 'key' : key === pointed?.key ? 'ink' : 'quiet',
      face: 'mono',
      size: 11,
      bold: isSelected,
      turn: grid.slant,
      room: grid.name + 3,
    }
  })
}

function outlines(
  { x, y, width, height, pitch }: Grid,
  part: Part,
  place: MapCell,
  row: 'query' | 'edge',
  column: 'key' | 'edge',
  weight: number,
  /** Of the column: a key that walks is at another place, the query is not. */
  dash?: string,
): Mark[] {
  const visible = inside(part, place)
  const marks: Mark[] = []
  if (visible.row) {
    const top = y + (place.query - part.query) * pitch
    marks.push({ kind: 'rect', x, y: top, width, height: pitch, stroke: row, weight })
  }
  if (visible.column) {
    const left = x + (place.key - part.key) * pitch
    const dashed = dash === undefined ? {} : { dash }
    marks.push({ kind: 'rect', x: left, y, width: pitch, height, stroke: column, weight, ...dashed })
  }
  return marks
}

function cell({ x, y, pitch }: Grid, part: Part, place: MapCell, weight: number): Mark[] {
  const visible = inside(part, place)
  if (!visible.row || !visible.column) return []
  const at = { x: x + (place.key - part.key) * pitch, y: y + (place.query - part.query) * pitch }
  return [{ kind: 'rect', ...at, width: pitch, height: pitch, stroke: 'ink', weight }]
}

/** Masked cells: a staircase above the diagonal. */
export function forbidden(
  map: Pick<HeadMap, 'causal'>,
  { x, y, pitch, width }: Pick<Grid, 'x' | 'y' | 'pitch' | 'width'>,
  part: Part,
): Mark[] {
  if (!map.causal) return []
  const right = x + width
  const steps: string[] = []
  for (let row = 0; row < part.queries; row++) {
    const query = part.query + row
    const free = Math.max(0, Math.min(query + 1 - part.key, part.keys))
    if (!forbids(map, { query, key: part.key + part.keys - 1 })) break
    const left = x + free * pitch
    steps.push(`L${exactPx(left)} ${exactPx(y + row * pitch)}L${exactPx(left)} ${exactPx(y + (row + 1) * pitch)}`)
  }
  if (steps.length === 0) return []
  const bottom = exactPx(y + steps.length * pitch)
  const d = `M${exactPx(right)} ${exactPx(y)}${steps.join('')}L${exactPx(right)} ${bottom}Z`
  return [{ kind: 'path', d, fill: 'rule', opacity: 0.55 }]
}

/** The marks of an overview: its enlarged part, and the selected tokens at its edges. */
export function drawOverview(
  map: HeadMap,
  overview: NonNullable<Arrangement['overview']>,
  part: Part,
  selected: MapCell | null,
): Mark[] {
  const { x, y, width, height, pitch } = overview
  const all = { query: 0, key: 0, ...extentOf(map) }
  const box = {
    x: x + part.key * pitch,
    y: y + part.query * pitch,
    width: part.keys * pitch,
    height: part.queries * pitch,
  }
  return [
    ...forbidden(map, overview, all),
    { kind: 'rect', x: x - 0.5, y: y - 0.5, width: width + 1, height: height + 1, stroke: 'rule', weight: 1 },
    ...thinLabels(all.queries, pitch, 36).map((at): Mark => ({
      kind: 'text',
      x: x - 6,
      y: y + (at + 0.5) * pitch + 4,
      text: String(map.queries.positions[at] ?? ''),
      anchor: 'end',
      face: 'mono',
      size: 10,
    })),
    ...(selected
      ? ([
          { kind: 'line', x1: x - 4, x2: x, ...level(y + (selected.query + 0.5) * pitch), stroke: 'query', weight: 2 },
          { kind: 'line', y1: y - 4, y2: y, ...upright(x + (selected.key + 0.5) * pitch), stroke: 'key', weight: 2 },
        ] satisfies Mark[])
      : []),
    { kind: 'rect', ...box, stroke: 'ink', weight: 1.5 },
  ]
}

const level = (y: number) => ({ y1: y, y2: y })
const upright = (x: number) => ({ x1: x, x2: x })

interface Bar {
  width: number
  scale: ColourScale
  /** 256 × 3 sRGB bytes. */
  palette: Uint8Array
  /** The number of the mark, if there is one. */
  value: number | undefined
}

export const barHeight = 36
const barEdge = 9
/** The size of the bar's numbers, and the space between them. */
const tickSize = 10.5
const tickGap = 6

/** The colour bar with its mark. */
export function drawBar({ width, scale, palette, value }: Bar): Mark[] {
  const [left, room] = [barEdge, Math.max(width - 2 * barEdge, 24)]
  const pixels = new Uint8ClampedArray(256 * 4).fill(255)
  for (let entry = 0; entry < 256; entry++) pixels.set(palette.subarray(entry * 3, entry * 3 + 3), entry * 4)
  const x = (number: number) => left + scale.place(number) * room
  const texts = tickLabels(scale)
  const widths = texts.map((text) => widthOf(text, tickSize, 'mono'))
  const widthAt = (at: number) => widths[at] ?? 0
  const fits = thinTicks(scale.ticks.map(x), widths, tickGap)
  // Both ends always have labels.
  const [first, last] = [0, texts.length - 1]
  const touches = (at: number, end: number): boolean => {
    const inward = Math.max(widthAt(end) / 2, widthAt(end) - barEdge)
    const distance = Math.abs(x(scale.ticks[end] ?? 0) - x(scale.ticks[at] ?? 0))
    return distance < widthAt(at) / 2 + tickGap + inward
  }
  const hasLabel = (at: number) =>
    at === first || at === last || (fits[at] === true && !touches(at, first) && !touches(at, last))
  const label = (at: number): Mark => {
    const text = { kind: 'text', y: 31, text: texts[at] ?? '', size: tickSize, face: 'mono' } as const
    const middle = x(scale.ticks[at] ?? 0)
    // A long number at an end stays within the bar.
    const isLong = widthAt(at) / 2 > barEdge
    if (isLong && at === first) return { ...text, x: middle - barEdge, anchor: 'start' }
    if (isLong && at === last) return { ...text, x: middle + barEdge, anchor: 'end' }
    return { ...text, x: middle, anchor: 'middle' }
  }
  return [
    { kind: 'raster', x: left, y: 5, width: room, height: 11, columns: 256, rows: 1, pixels },
    { kind: 'rect', x: left, y: 5, width: room, height: 11, stroke: 'edge', weight: 1 },
    ...scale.ticks.flatMap((tick, at): Mark[] =>
      hasLabel(at)
        ? [{ kind: 'line', x1: x(tick), x2: x(tick), y1: 16, y2: 20, stroke: 'edge', weight: 1 }, label(at)]
        : [],
    ),
    ...(value === undefined
      ? []
      : ([
          { kind: 'line', ...upright(x(value)), y1: 0, y2: 21, stroke: 'card', weight: 6 },
          { kind: 'line', ...upright(x(value)), y1: 1, y2: 20, stroke: 'ink', weight: 3 },
        ] satisfies Mark[])),
  ]
}

/** Below the rows of a ranking: how many keys it leaves out. */
export const drawOthers = (count: number, rows: number, width: number): Mark => {
  return { kind: 'text', x: width, y: rows * rankedHeight + 15, text: t().others(count), anchor: 'end', size: 11 }
}

/** The keys with the largest numbers of a query as bars. `reach`: the number of a full bar, unless one of them is beyond it. */
export function drawRanking(
  ranked: readonly Ranked[],
  {
    map,
    key,
    width,
    reach,
    format,
    signed = false,
  }: {
    map: HeadMap
    /** The selected one. */
    key: number | undefined
    width: number
    reach: number
    format: (value: number) => string
    signed?: boolean
  },
): Mark[] {
  const names = Math.min(104, width * 0.3)
  const [left, right] = [names + 36, width - 52]
  const most = Math.max(reach, ...ranked.map(({ value }) => Math.abs(value)))
  return ranked.flatMap(({ key: at, value }, index): Mark[] => {
    const y = index * rankedHeight + 15
    const isSelected = at === key
    const text = { kind: 'text', y, face: 'mono', anchor: 'end', bold: isSelected } as const
    const length = (Math.abs(value) / most) * (right - left)
    const sign = value < 0 ? 'negative' : 'positive'
    const fill = signed ? sign : 'bar'
    return [
      { ...text, x: names, text: map.keys.names[at] ?? '', tone: isSelected ? 'key' : 'ink', size: 12, room: names },
      {
        ...text,
        x: names + 28,
        text: String(map.keys.positions[at] ?? ''),
        tone: isSelected ? 'key' : 'quiet',
        size: 10.5,
      },
      { kind: 'rect', x: left, y: y - 9, width: Math.max(length, 1), height: 9, fill },
      { ...text, x: width, text: format(value), tone: 'ink', size: 12 },
    ]
  })
}

/** Marks moved to a corner of a larger picture. */
export function translate(marks: readonly Mark[], { x, y }: Pick<Box, 'x' | 'y'>): Mark[] {
  return marks.map((mark): Mark => {
    switch (mark.kind) {
      case 'line':
        return { ...mark, x1: mark.x1 + x, x2: mark.x2 + x, y1: mark.y1 + y, y2: mark.y2 + y }
      case 'path':
        throw new Error('a path is drawn where it belongs')
      default:
        return { ...mark, x: mark.x + x, y: mark.y + y }
    }
  })
}

export interface Reading {
  x: number
  y: number
  stacked: boolean
  bar: Scene
  text: { value: string; pair: Sentence; rank: string }
}

export function pictureWithReading(picture: Scene, { x, y, stacked, bar, text }: Reading): Scene {
  const words: Mark[] = [
    { kind: 'text', x, y: y + 22, text: text.value, tone: 'ink', size: 20, face: 'mono', bold: true },
    { kind: 'text', x: x + 66, y: y + 14, text: plainText(text.pair), tone: 'ink', size: 12, face: 'mono' },
    { kind: 'text', x: x + 66, y: y + 31, text: text.rank, tone: 'quiet', size: 12 },
  ]
  // The colour bar is below the reading, or ends at its right edge.
  const at = stacked ? { x, y: y + 42 } : { x: Math.max(x + 230, picture.width - bar.width), y }
  return { ...picture, marks: [...picture.marks, ...words, ...translate(bar.marks, at)] }
}
