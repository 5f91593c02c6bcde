// The numbers of the layers, and their picture: rollout as a map with the origins of one token, norms by layer, and the outputs of all heads.
import { scaleLinear } from 'd3-scale'
import { drawParts, leastPitch, rowAt, rowsIn } from '../../charts/bars'
import { gridLines } from '../../charts/chart'
import { columns, thinLabels, widthOf } from '../../charts/labels'
import { px, type Box, type Mark, type Scene } from '../../charts/marks'
import type { FlowResult } from '../../engine/protocol/protocol'
import { plain } from '../../i18n/numbers'
import type { HeadPlace, QueryAndKey } from '../../viewstate/choice'
import { cellIn, drawSquare, type Square } from '../../charts/matrix'
import { t } from './messages.en'

interface FlowLayout {
  width: number
  height: number
  map: Square
  /** The columns of the list, in reading order. */
  listColumns: readonly Box[]
  /** Norm, change, heads. */
  panels: readonly [Box, Box, Box]
}

/** Room left of the map for the names of its queries, and the least pitch at which they fit. */
const names = 64
const namedPitch = 10
/** Room above the map for the names of its axes. */
const top = 18
/** Room between the map and the panels for the legend. */
const legendHeight = 40
const gap = 16
/** The least width of three panels in a row, and of a list beside the map. A phone, which scrolls, has one below the other. */
const abreast = 400
/** Rows of the list below the map. */
const rowsBelow = 8

export function layOut(width: number, height: number, length = Infinity): FlowLayout {
  const panel = Math.max(102, Math.min(170, height * 0.3))
  const isStacked = width < abreast
  // The list beside it has room for names.
  const sideInRow = Math.max(120, Math.min(width * 0.56, height - top - legendHeight - panel))
  const hasNames = isStacked
    ? (width - names) / length >= namedPitch
    : sideInRow / length >= namedPitch && width - sideInRow - names - gap >= 150
  const left = hasNames ? names : 0
  const side = isStacked ? width - left : sideInRow
  const below = { x: 0, y: top + side + gap, width, height: Math.min(length, rowsBelow) * leastPitch }
  const right = { x: left + side + gap, y: top, width: width - left - side - gap, height: side }
  const y = (isStacked ? below.y + below.height : top + side) + legendHeight
  const across = isStacked ? 1 : 3
  const each = (width - (across - 1) * gap) / across
  const at = (index: number): Box => {
    const [column, row] = [index % across, Math.floor(index / across)]
    return { x: column * (each + gap), y: y + row * (panel + gap), width: each, height: panel }
  }
  return {
    width,
    height: at(2).y + panel,
    map: { x: left, y: top, side },
    listColumns: columnsIn(isStacked ? below : right, length),
    panels: [at(0), at(1), at(2)],
  }
}

/** As many columns of this width as all rows take and as fit; one is no wider than is easy to read. */
function columnsIn({ width, ...box }: Box, rows: number): Box[] {
  const [least, most] = [190, 400]
  const count = Math.max(1, Math.min(Math.ceil(rows / rowsIn(box)), Math.floor((width + gap) / (least + gap))))
  const each = Math.min(most, (width - (count - 1) * gap) / count)
  // Columns are equally long.
  const height = Math.min(box.height, Math.ceil(rows / count) * leastPitch)
  return Array.from({ length: count }, (_, at) => ({ ...box, x: box.x + at * (each + gap), width: each, height }))
}

/** A cell of the map, a row of the list, or a head. */
type Hit = QueryAndKey | { row: number } | { layer: number; head: number }

export function hitAt(
  x: number,
  y: number,
  { map, listColumns, panels }: FlowLayout,
  { length, layers, heads }: { length: number; layers: number; heads: number },
): Hit | undefined {
  const cell = cellIn(x, y, map, length)
  if (cell) return cell
  const column = listColumns.findLastIndex((list) => rowAt(x, y, list) !== undefined)
  const list = listColumns[column]
  if (list) return { row: column * rowsIn(list) + (rowAt(x, y, list) ?? 0) }
  const within = (at: number, count: number) => at >= 0 && at < count
  const grid = headGrid(panels[2], layers, heads)
  const [layer, head] = [Math.floor((y - grid.y) / grid.pitch), Math.floor((x - grid.x) / grid.pitch)]
  return within(layer, layers) && within(head, heads) ? { layer, head } : undefined
}

/** Cells of all heads, one row for each layer. */
export function headGrid({ x, y, width, height }: Box, layers: number, heads: number) {
  const room = { left: 20, top: 20, bottom: 26 }
  const pitch = Math.min(24, (width - room.left) / heads, (height - room.top - room.bottom) / layers)
  return { x: x + room.left, y: y + room.top, pitch }
}

export interface FlowPicture {
  flow: FlowResult
  tokens: readonly string[]
  /** The position of the first one. */
  first: number
  query: number
  /** Undefined in cross-attention, whose key is a token of the source. */
  key: number | undefined
  head: HeadPlace
  /** 256 × 3 sRGB bytes; undefined until the engine has computed it. */
  palette: Uint8Array | undefined
}

/** A token's text and its position. */
export const tokenName = ({ tokens, first }: Pick<FlowPicture, 'tokens' | 'first'>, at: number): string =>
  t().token(tokens[at] ?? '', first + at)

export function drawFlow(picture: FlowPicture, layout: FlowLayout): Scene {
  const { flow, query } = picture
  const [norm, change, heads] = layout.panels
  const residual = byLayer(flow.residual, flow.length, query)
  const moved = byLayer(flow.change, flow.length, query)
  return {
    width: layout.width,
    height: layout.height,
    marks: [
      ...map(picture, layout),
      ...list(picture, layout.listColumns),
      ...legend(picture, layout),
      ...chart(norm, t().norm, residual, t().state),
      ...chart(change, t().change, moved, t().layer),
      ...grid(picture, heads),
    ],
  }
}

function map({ flow, tokens, query, key, palette }: FlowPicture, { map: square }: FlowLayout): Mark[] {
  const { x, y, side } = square
  const axis = { kind: 'text', y: y - 6, size: 11, bold: true } as const
  const pitch = side / flow.length
  const fits = ({ query, key }: { query: string; key: string }) => widthOf(`${query}  ${key}`, 11) <= x + side
  const axes = fits(t().axes) ? t().axes : t().shortAxes
  const rows = x === 0 ? [] : Array.from({ length: flow.length }, (_, at) => at)
  return [
    ...rows.map((at): Mark => ({
      kind: 'text',
      x: x - 5,
      y: y + (at + 0.5) * pitch + 3.5,
      text: tokens[at] ?? '',
      anchor: 'end',
      face: 'mono',
      size: 10,
      room: x - 8,
      tone: at === query ? 'query' : 'quiet',
      bold: at === query,
    })),
    ...drawSquare({ values: flow.rollout, length: flow.length, palette }, square, { query, key }),
    { ...axis, x: 0, text: axes.query, tone: 'query' },
    { ...axis, x: x + side, text: axes.key, tone: 'key', anchor: 'end' },
  ]
}

function list(picture: FlowPicture, boxes: readonly Box[]): Mark[] {
  const { flow, query, key } = picture
  const from = origins(flow, query)
  const rows = from.map(({ position, part }) => ({
    name: tokenName(picture, position),
    part,
    isSelected: position === key,
  }))
  return boxes.flatMap((box, at) => {
    const first = at * rowsIn(box)
    return drawParts(rows.slice(first, first + rowsIn(box)), box, Math.max(from[0]?.part ?? 1, 1e-9))
  })
}

function legend(picture: FlowPicture, { panels, width }: FlowLayout): Mark[] {
  const y = panels[0].y - 14
  const token = tokenName(picture, picture.query)
  const next = 26 + Math.min(width * 0.4, columns(token) * 7.2) + 16
  return [
    { kind: 'line', x1: 0, x2: 20, y1: y - 4, y2: y - 4, stroke: 'query', weight: 2 },
    { kind: 'text', x: 26, y, text: token, tone: 'query', face: 'mono', size: 11.5, bold: true, room: width * 0.4 },
    { kind: 'line', x1: next, x2: next + 20, y1: y - 4, y2: y - 4, stroke: 'ink', weight: 1.25, dash: '3 3' },
    { kind: 'text', x: next + 26, y, text: t().mean },
  ]
}

/** A panel's title: as many of its words as have room. */
function titleOf({ x, y, width }: Box, words: readonly string[]): Mark {
  const text = words.reduce((title, more) => (widthOf(title + more, 11) <= width ? title + more : title))
  return { kind: 'text', x, y: y + 8, text, room: width }
}

function chart(
  { x, y, width, height }: Box,
  title: readonly string[],
  { one, mean }: ByLayer,
  name: (at: number) => string,
) {
  const most = Math.max(...one, ...mean, 1e-9)
  const [top, bottom] = [y + 20, y + height - 30]
  const up = scaleLinear([0, most], [bottom, top]).nice(3)
  const ticks = up.ticks(3)
  const left = x + Math.max(...ticks.map((tick) => plain(tick).length)) * 6.6 + 6
  const pitch = (x + width - 6 - left) / Math.max(one.length - 1, 1)
  const points = (values: readonly number[]) => values.map((value, at) => `${px(left + at * pitch)},${px(up(value))}`)
  const widest = Math.max(...one.map((_, at) => columns(name(at)))) * 6.6 + 6
  const marks: Mark[] = [
    titleOf({ x, y, width, height }, title),
    ...gridLines({ left, right: x + width }, ticks, up, { face: 'mono', away: 4 }),
  ]
  for (const at of thinLabels(one.length, pitch, widest)) {
    const place = { x: left + at * pitch, y: bottom + 14 }
    marks.push({ kind: 'text', ...place, text: name(at), anchor: 'middle', face: 'mono', size: 10.5 })
  }
  marks.push(
    { kind: 'path', d: `M${points(one).join('L')}`, stroke: 'query', weight: 2 },
    ...one.map((value, at): Mark => ({ kind: 'circle', x: left + at * pitch, y: up(value), r: 2.6, fill: 'query' })),
    // Above the token's own line: where both coincide, its dashes stay visible on it.
    { kind: 'path', d: `M${points(mean).join('L')}`, stroke: 'ink', weight: 1.25, dash: '3 3' },
    { kind: 'text', x: x + width, y: bottom + 27, text: t().layerAxis, anchor: 'end', size: 10.5 },
  )
  return marks
}

function grid({ flow: { layers, heads, outputs }, head: selected }: FlowPicture, box: Box): Mark[] {
  const { x, y, pitch } = headGrid(box, layers, heads)
  const most = Math.max(...outputs, 1e-9)
  const marks: Mark[] = [titleOf(box, t().heads(most))]
  // Names of the heads below their columns, of the layers left of their rows.
  const below = y + layers * pitch + 12
  for (const head of thinLabels(heads, pitch, 14))
    marks.push({
      kind: 'text',
      x: x + (head + 0.5) * pitch,
      y: below,
      text: String(head),
      anchor: 'middle',
      face: 'mono',
      size: 10.5,
    })
  marks.push({ kind: 'text', x: x + heads * pitch, y: below + 13, text: t().headAxis, anchor: 'end', size: 10.5 })
  for (const layer of thinLabels(layers, pitch, 11)) {
    const at = y + (layer + 0.5) * pitch + 4
    marks.push({ kind: 'text', x: x - 5, y: at, text: String(layer), anchor: 'end', face: 'mono', size: 10.5 })
  }
  outputs.forEach((norm, index) => {
    const [layer, head] = [Math.floor(index / heads), index % heads]
    const is = layer === selected.layer && head === selected.head
    const cell = { x: x + head * pitch + 1, y: y + layer * pitch + 1, width: pitch - 2, height: pitch - 2 }
    marks.push(
      { kind: 'rect', ...cell, fill: 'ink', opacity: (norm / most) * 0.8 },
      { kind: 'rect', ...cell, stroke: is ? 'ink' : 'rule', weight: is ? 2 : 1 },
    )
  })
  return marks
}

/** In tokens. The rollout of a longer text is not computed. */
export const longestFlow = 512

/** The numbers of the tokens from `first` on: of cross-attention those of the text, behind a source that they do not flow from. */
export function fromToken(flow: FlowResult, first: number): FlowResult {
  if (first === 0) return flow
  const { length } = flow
  /** The last tokens of each row of `length` numbers, from a row on. */
  const ends = (numbers: Float32Array, row = 0) => numbers.filter((_, at) => at >= row * length && at % length >= first)
  return {
    ...flow,
    length: length - first,
    rollout: ends(flow.rollout, first),
    residual: ends(flow.residual),
    change: ends(flow.change),
  }
}

/** A token, and its part of what arrives at another one. */
interface Origin {
  position: number
  part: number
}

/** The origins of what arrives at a token, largest part first. */
export function origins({ rollout, length }: FlowResult, query: number): Origin[] {
  const row = rollout.subarray(query * length, (query + 1) * length)
  return Array.from(row, (part, position) => ({ position, part })).sort((one, other) => other.part - one.part)
}

/** A norm by layer: of one token, and its mean over all. */
interface ByLayer {
  one: number[]
  mean: number[]
}

/** numbers: (layers, length). */
export function byLayer(numbers: Float32Array, length: number, query: number): ByLayer {
  const rows = Array.from({ length: numbers.length / length }, (_, layer) =>
    numbers.subarray(layer * length, (layer + 1) * length),
  )
  return {
    one: rows.map((row) => row[query] ?? 0),
    mean: rows.map((row) => row.reduce((sum, norm) => sum + norm, 0) / length),
  }
}

/** The index of the largest number; the first of equal ones. */
export function largestAt(numbers: ArrayLike<number>): number {
  return Array.from(numbers).reduce((best, number, at, all) => (number > (all[best] ?? -Infinity) ? at : best), 0)
}
