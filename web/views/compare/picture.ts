// A, B and A − B: maps with one cursor, and the numbers of the selected cell.
import { forbidden } from '../../charts/attention-map/draw'
import { columns, thinLabels, widthOf } from '../../charts/labels'
import { asCursor, exactPx, type Mark, type Raster, type Scene } from '../../charts/marks'
import { paintCells, type Cells, type Paint } from '../../charts/matrix'
import type { Inputs } from '../module'
import {
  cellAt,
  columnRoom,
  layOut,
  rowRoom,
  sideOf,
  type AllCells,
  type Cell,
  type CompareLayout,
  type Maps,
  type Pane,
  type Room,
} from './layout'
import { across, gaps, nearest, type Alignment, type Likeness, type Spot } from './maps'
import type { Point } from '../../ui/pointer'
import { t } from './messages.en'

/** A map with its colours. */
interface PaintedMap extends Paint {
  /** Of cross-attention: the tokens of the source, which come first and are the keys. */
  source?: number | undefined
}

/** A map's queries and keys. */
export const cellsOf = ({ length, source }: Pick<PaintedMap, 'length' | 'source'>): AllCells =>
  source === undefined
    ? { first: 0, queries: length, keys: length }
    : { first: source, queries: length - source, keys: source }

export interface ComparePicture {
  /** A, B and A − B. */
  maps: readonly [PaintedMap, PaintedMap, PaintedMap]
  /** Of A and B. */
  names: readonly [string, string]
  /** Of A and of B. */
  tokens: readonly [readonly string[], readonly string[]]
  /** The selected query and key in A and in B. */
  spots: readonly [Spot, Spot]
  alignment: Alignment
  likeness: Likeness
}

function hasOwnTokens({ tokens: [a, b] }: Pick<ComparePicture, 'tokens'>): boolean {
  return a.length !== b.length || a.some((name, at) => name !== b[at])
}

/** The entry of a diverging colour table for −1 … 1, by the square root, so that small differences are visible. */
export function signedEntry(value: number): number {
  const part = Math.sign(value) * Math.sqrt(Math.min(Math.abs(value), 1))
  return Math.min(255, Math.round(127.5 + part * 127.5))
}

/** The colour table as a bar, by the same square root as the map. */
function paintBar(table: Uint8Array, x: number, y: number, width: number, height: number): Raster {
  const columns = Math.max(1, Math.round(width))
  const pixels = new Uint8ClampedArray(columns * 4)
  for (let column = 0; column < columns; column++) {
    const entry = signedEntry((column / Math.max(columns - 1, 1)) * 2 - 1) * 3
    pixels.set([table[entry] ?? 0, table[entry + 1] ?? 0, table[entry + 2] ?? 0, 255], column * 4)
  }
  return { kind: 'raster', x, y, width, height, columns, rows: 1, pixels }
}

/** On a phone the page scrolls: the height is a minimum. */
const roomOf = ({ width, height, only }: Room): Room => ({ width, height: Math.max(height, 260), only })

/** A cell's query and key in A and in B. */
function spotsOf({ alignment: { toA, toB } }: Pick<ComparePicture, 'alignment'>, cell: Cell): [Spot, Spot] {
  const { which, query, key } = cell
  const spot = { query, key }
  return which === 1 ? [across(spot, toA), spot] : [spot, across(spot, toB)]
}

/**
 * The picture with the hovered cell, else the selected one, and its layout: the enlarged part follows the pointer over the overview.
 * Without a crosshair no cell stands out.
 */
export function place(
  picture: Omit<ComparePicture, 'spots'>,
  { cursor, pointer, ...room }: Pick<Inputs<unknown>, 'cursor' | 'pointer'> & Room,
  crosshair = true,
): { picture: ComparePicture; layout: CompareLayout } {
  const withSpots = (spots: ComparePicture['spots']) => {
    const at = { ...picture, spots }
    return { picture: at, layout: layOut(roomOf(room), mapsOf(at)) }
  }
  const pictureAt = (cell: Cell) => withSpots(spotsOf(picture, cell))
  const nowhere: Spot = { query: null, key: null }
  if (!crosshair) return withSpots([nowhere, nowhere])
  const { first, queries, keys } = cellsOf(picture.maps[0])
  const selected = pictureAt({
    which: 0,
    part: false,
    query: Math.max(first, Math.min(cursor.query, first + queries - 1)),
    key: Math.min(cursor.key, keys - 1),
  })
  const cell = pointer && cellAt(pointer.x, pointer.y, selected.layout)
  if (!cell) return selected
  const hovered = pictureAt(cell)
  return cell.part ? { ...hovered, layout: selected.layout } : hovered
}

/** The least distance of slanted labels, in px. */
const slanted = 14

export function mapsOf({ maps, tokens, spots, alignment }: Omit<ComparePicture, 'likeness' | 'names'>): Maps {
  const [a, b] = spots
  return {
    all: [cellsOf(maps[0]), cellsOf(maps[1])],
    centres: [nearest(a, b, alignment.toA, maps[0].length), nearest(b, a, alignment.toB, maps[1].length)],
    hasOwnTokens: hasOwnTokens({ tokens }),
    subtracted: alignment.compared !== 'none',
  }
}

/** The last raster of each map: a moving cursor repaints nothing. */
const rasters = new WeakMap<Paint, Raster>()

function paint(map: Paint, pane: Pane): Raster {
  if (pane.part) return paintCells(map, pane)
  const last = rasters.get(map)
  if (last && last.x === pane.x && last.y === pane.y && last.width === pane.width) return last
  const raster = paintCells(map, pane)
  rasters.set(map, raster)
  return raster
}

export function drawComparison(picture: ComparePicture, layout: CompareLayout): Scene {
  const { maps, spots } = picture
  const panes = layout.panes.flatMap((pane) => [
    paint(maps[pane.which], pane),
    ...maskMarks(pane, maps[pane.which]),
    ...(pane.which === 2 ? gapMarks(pane, picture.alignment) : []),
    { kind: 'rect', x: pane.x, y: pane.y, width: pane.width, height: pane.height, stroke: 'rule' } as const,
    ...asCursor(cursorMarks(pane, spots[sideOf(pane.which)])),
    ...(pane.rows ? rowLabels(pane, picture) : []),
    ...(pane.columns ? columnLabels(pane, picture) : []),
  ])
  const frames = layout.panes
    .filter(({ part }) => !part)
    .flatMap((pane) =>
      frame(
        pane,
        layout.panes.find(({ part, which }) => part && which === pane.which),
      ),
    )
  return {
    width: layout.width,
    height: layout.height,
    marks: [...panes, ...frames, ...titles(layout, picture), ...drawReading(layout, picture)],
  }
}

const pitchOf = ({ width, keys }: Cells) => width / keys

function maskMarks(pane: Pane, { causal = false }: Paint): Mark[] {
  const { x, y, width, from, queries, keys } = pane
  return forbidden({ causal }, { x, y, width, pitch: pitchOf(pane) }, { ...from, queries, keys })
}

/** The frame of the enlarged part in the overview. */
function frame(pane: Pane, part: Pane | undefined): Mark[] {
  if (!part) return []
  const pitch = pitchOf(pane)
  const corner = {
    x: pane.x + (part.from.key - pane.from.key) * pitch,
    y: pane.y + (part.from.query - pane.from.query) * pitch,
  }
  return [{ kind: 'rect', ...corner, width: part.keys * pitch, height: part.queries * pitch, stroke: 'ink' }]
}

/** Grey over A's tokens that B lacks. */
function gapMarks(pane: Pane, { toB }: Alignment): Mark[] {
  const { x, y, width, height, from, queries, keys } = pane
  const pitch = pitchOf(pane)
  const box = (left: number, top: number, width: number, height: number) =>
    `M${exactPx(left)} ${exactPx(top)}h${exactPx(width)}v${exactPx(height)}h${exactPx(-width)}Z`
  const boxes = gaps(toB).flatMap(([first, end]) => {
    const span = (start: number, count: number) => {
      const [low, high] = [Math.max(first - start, 0), Math.min(end - start, count)]
      return { from: low * pitch, size: Math.max(0, high - low) * pitch }
    }
    const [down, across] = [span(from.query, queries), span(from.key, keys)]
    return [
      ...(down.size > 0 ? [box(x, y + down.from, width, down.size)] : []),
      ...(across.size > 0 ? [box(x + across.from, y, across.size, height)] : []),
    ]
  })
  return boxes.length === 0 ? [] : [{ kind: 'path', d: boxes.join(''), fill: 'rule', opacity: 0.45 }]
}

function cursorMarks(pane: Pane, { query, key }: Spot): Mark[] {
  const { x, y, width, height, from, queries, keys, part } = pane
  const pitch = pitchOf(pane)
  const cell = Math.max(pitch, 3)
  const inside = (at: number | null, first: number, count: number) =>
    at !== null && at >= first && at < first + count ? (at - first) * pitch : undefined
  const [row, column] = [inside(query, from.query, queries), inside(key, from.key, keys)]
  if (!part && pitch < 3) return []
  return [
    ...(row === undefined ? [] : [{ kind: 'rect', x, y: y + row, width, height: pitch, stroke: 'query' } as const]),
    ...(column === undefined ? [] : [{ kind: 'rect', x: x + column, y, width: pitch, height, stroke: 'key' } as const]),
    ...(row === undefined || column === undefined
      ? []
      : [{ kind: 'rect', x: x + column, y: y + row, width: cell, height: cell, stroke: 'ink', weight: 1.5 } as const]),
  ]
}

function rowLabels(pane: Pane, { tokens, spots }: ComparePicture): Mark[] {
  const { which, x, y, from, queries } = pane
  const pitch = pitchOf(pane)
  const at = sideOf(which)
  const { query } = spots[at]
  return thinLabels(queries, pitch, 12, query === null ? [] : [query - from.query]).map((row): Mark => {
    const position = from.query + row
    const place = { x: x - 5, y: y + (row + 0.5) * pitch + 3.5 }
    const look = position === query ? ({ tone: 'query', bold: true } as const) : {}
    return {
      kind: 'text',
      ...place,
      text: tokens[at][position] ?? '',
      anchor: 'end',
      face: 'mono',
      size: 10.5,
      room: rowRoom - 6,
      ...look,
    }
  })
}

function columnLabels(pane: Pane, { tokens, spots }: ComparePicture): Mark[] {
  const { which, x, y, from, keys } = pane
  const pitch = pitchOf(pane)
  const at = sideOf(which)
  const { key } = spots[at]
  return thinLabels(keys, pitch, slanted, key === null ? [] : [key - from.key]).map((column): Mark => {
    const position = from.key + column
    const place = { x: x + (column + 0.5) * pitch + 3, y: y - 4 }
    const look = position === key ? ({ tone: 'key', bold: true } as const) : {}
    return {
      kind: 'text',
      ...place,
      text: tokens[at][position] ?? '',
      face: 'mono',
      size: 10.5,
      turn: 60,
      room: columnRoom + 2,
      ...look,
    }
  })
}

function titles({ titles }: CompareLayout, { names }: ComparePicture): Mark[] {
  const letters = [t().a, t().b, t().difference]
  return titles.flatMap(({ which, x, y, side }): Mark[] => {
    const name = which === 2 ? undefined : names[which]
    return [
      { kind: 'text', x, y: y + 14, text: letters[which] ?? '', tone: 'ink', face: 'serif', bold: true, size: 14.5 },
      ...(name === undefined
        ? []
        : [{ kind: 'text', x: x + 18, y: y + 14, text: name, size: 12, room: side - 18 } as const]),
    ]
  })
}

/** The width of a monospace character at 12 px. */
const character = 7.3
/** The line height of the numbers, in px. */
const line = 17

export function weightAt(
  { values, length }: Pick<Paint, 'values' | 'length'>,
  { query, key }: Spot,
): number | undefined {
  const weight = query === null || key === null ? undefined : values[query * length + key]
  return weight === undefined || Number.isNaN(weight) ? undefined : weight
}

/** How alike the maps are. The headline has all numbers of it; here is room for one. */
function likenessText({ alignment, likeness }: ComparePicture, room: number): string {
  if (alignment.compared === 'none') return likeness.byDistance === undefined ? '' : t().byDistance(likeness.byDistance)
  const moved = t().elsewhere(likeness.elsewhere)
  return moved !== '' && widthOf(moved, 12) <= room ? moved : t().correlation(likeness.r)
}

/** The names of the maps with their numbers at the selected cell: of A, B and, if tokens are aligned, A − B. */
function numbersOf({ maps, spots, alignment }: ComparePicture): (readonly [name: string, number: string])[] {
  const [a, b, difference] = [weightAt(maps[0], spots[0]), weightAt(maps[1], spots[1]), weightAt(maps[2], spots[0])]
  const numbers = [
    [t().a, a === undefined ? t().noToken : t().weight(a)],
    [t().b, b === undefined ? t().noToken : t().weight(b)],
    [t().difference, difference === undefined ? t().noToken : t().signed(difference)],
  ] as const
  return numbers.slice(0, alignment.compared === 'none' ? 2 : 3)
}

const hasSelection = ({ spots }: ComparePicture) => spots.some(({ query }) => query !== null)

function drawReading({ reading, panes }: CompareLayout, picture: ComparePicture): Mark[] {
  const { column } = reading
  if (column !== undefined) return readingInColumns({ ...reading, column }, picture)
  const hasDifference = panes.some(({ which }) => which === 2)
  return readingInOneColumn(reading, picture, hasDifference)
}

function readingInOneColumn(
  { x, y, width }: CompareLayout['reading'],
  picture: ComparePicture,
  hasDifference: boolean,
): Mark[] {
  const [a, b, difference] = numbersOf(picture)
  const likenessRow = difference ? 4.1 : 3.1
  // Where no cell is selected, there are no rows above.
  const first = hasSelection(picture) ? 0 : likenessRow
  const row = (at: number) => y + 12 + (at - first) * line
  const below: Mark[] = [
    { kind: 'text', x, y: row(likenessRow), text: likenessText(picture, width), size: 12, room: width },
    ...(hasDifference ? bar(picture.maps[2].table, x, row(4.5), Math.min(width, 160)) : []),
  ]
  if (!hasSelection(picture)) return below
  return [
    token({ x, y: row(0), room: width }, tokenIn(picture, 'query'), 'query'),
    token({ x, y: row(1), room: width }, tokenIn(picture, 'key'), 'key'),
    ...(a ? number({ x, y: row(2.1) }, a) : []),
    ...(b ? number({ x: x + 68, y: row(2.1) }, b) : []),
    ...(difference ? number({ x, y: row(3.1) }, difference) : []),
    ...below,
  ]
}

/** Each map's numbers below it. */
function readingInColumns(
  { x, y, width, column }: CompareLayout['reading'] & { column: number },
  picture: ComparePicture,
): Mark[] {
  const room = column - 14
  const at = (index: number) => x + index * column
  const hasDifference = picture.alignment.compared !== 'none'
  const tokens = (side: 0 | 1): Mark[] => {
    if (!hasSelection(picture)) return []
    const [query, key] = [tokenAt(picture, side, 'query'), tokenAt(picture, side, 'key')]
    const offset = Math.min(columns(query) * character + 14, room / 2)
    return [
      token({ x: at(side), y: y + 34, room: room / 2 - 10 }, query, 'query'),
      token({ x: at(side) + offset, y: y + 34, room: room - offset }, key, 'key'),
    ]
  }
  const numbers = hasSelection(picture)
    ? numbersOf(picture).flatMap((one, index) => number({ x: at(index), y: y + 14 }, one))
    : []
  const likeness = { kind: 'text', text: likenessText(picture, room), size: 12, room } as const
  const colours = (top: number) =>
    hasDifference ? bar(picture.maps[2].table, at(2), y + top, Math.min(room, 180)) : []
  if (!hasOwnTokens(picture)) return [...numbers, ...tokens(0), { ...likeness, x: at(1), y: y + 34 }, ...colours(24)]
  const below = hasDifference ? { x: at(2), y: y + 34 } : { x: at(0), y: y + 56, room: width }
  return [...numbers, ...tokens(0), ...tokens(1), { ...likeness, ...below }, ...colours(42)]
}

function tokenAt({ tokens, spots }: ComparePicture, side: 0 | 1, axis: 'query' | 'key'): string {
  const at = spots[side][axis]
  return at === null ? t().noToken : t().token(tokens[side][at] ?? '', at)
}

/** The selected token of A, with B's if it differs. */
function tokenIn(picture: ComparePicture, axis: 'query' | 'key'): string {
  const [a, b] = [tokenAt(picture, 0, axis), tokenAt(picture, 1, axis)]
  return a === b ? a : t().both(a, b)
}

function number(at: Point, [name, value]: readonly [string, string]): Mark[] {
  const right = at.x + (name.length > 1 ? 42 : 16)
  return [
    { kind: 'text', ...at, text: name, tone: 'ink', size: 12.5 },
    { kind: 'text', x: right, y: at.y, text: value, tone: 'ink', face: 'mono', bold: true, size: 14 },
  ]
}

function token(at: { x: number; y: number; room: number }, text: string, tone: 'query' | 'key'): Mark {
  return { kind: 'text', ...at, text, tone, face: 'mono', size: 12, bold: true }
}

function bar(table: Uint8Array, x: number, y: number, width: number): Mark[] {
  return [
    paintBar(table, x, y, width, 8),
    { kind: 'rect', x, y, width, height: 8, stroke: 'rule' },
    { kind: 'text', x, y: y + 21, text: t().bMore, tone: 'negative' },
    { kind: 'text', x: x + width, y: y + 21, text: t().aMore, tone: 'positive', anchor: 'end' },
  ]
}
