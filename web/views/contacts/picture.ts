// The map of contacts with its colour bar, and the list of one residue's contacts.
import { weightEntry } from '../../charts/colour'
import { percent } from '../../i18n/format'
import type { ContactResult } from '../../engine/protocol/protocol'
import type { Mark, Scene } from '../../charts/marks'
import { integer } from '../../i18n/numbers'
import { paintCells } from '../../charts/matrix'
import { barHeight, drawBar, moved } from '../../charts/attention-map/draw'
import { weightScale } from '../../charts/attention-map/paint'
import { partners } from './data'
import { t } from './messages.en'

export interface Layout {
  width: number
  height: number
  map: { x: number; y: number; side: number }
  /** Rows of `rowHeight`. */
  list: { x: number; y: number; width: number; height: number }
  /** The colour bar, `barHeight` high. */
  bar: { x: number; y: number; width: number }
}

export const rowHeight = 24
/** Room above the map and the list for their titles and the residues' names. */
const top = 32
/** Room left of the map for the residues' names. */
const left = 26
const gap = 16
/** Below this width the list stands below the map. */
const narrow = 520
const rowsBelow = 5
const fewestRowsBelow = 3
const leastSide = 120

export function layOut(width: number, height: number): Layout {
  if (width < narrow) {
    const free = height - 2 * top - 2 * gap - barHeight
    const below = (free - rowsBelow * rowHeight < leastSide ? fewestRowsBelow : rowsBelow) * rowHeight
    const side = Math.max(leastSide, Math.min(width - left, free - below))
    const bar = { x: left, y: top + side + gap, width: side }
    const y = bar.y + barHeight + top
    return { width, height: y + below, map: { x: left, y: top, side }, list: { x: 0, y, width, height: below }, bar }
  }
  const side = Math.max(leastSide, Math.min(width * 0.66 - left, height - top))
  const x = left + side + gap
  const list = { x, y: top, width: width - x, height: side - barHeight - gap }
  return {
    width,
    height: top + side,
    map: { x: left, y: top, side },
    list,
    bar: { x, y: top + side - barHeight, width: list.width },
  }
}

/** The cell of the map or the row of the list at a place. */
export function hitAt(
  x: number,
  y: number,
  { map, list }: Layout,
  count: number,
): { one: number; other: number } | { row: number } | null {
  const [one, other] = [y - map.y, x - map.x].map((at) => Math.floor((at / map.side) * count)) as [number, number]
  const within = (at: number, most: number) => at >= 0 && at < most
  if (within(one, count) && within(other, count)) return { one, other }
  const row = Math.floor((y - list.y) / rowHeight)
  return x >= list.x && within(row, rowsOf(list)) ? { row } : null
}

export const rowsOf = ({ height }: Layout['list']) => Math.floor(height / rowHeight)

/** The contacts of a protein, with a selected pair of residues. */
export interface ContactMap {
  contacts: ContactResult
  /** All tokens, with the first and the last one. */
  tokens: readonly string[]
  one: number
  other: number
  /** 256 × 3 sRGB bytes; undefined until the engine has computed it. */
  palette: Uint8Array | undefined
}

/** A residue's letter and its place in the chain, which counts from 1. */
export const residueName = ({ tokens }: Pick<ContactMap, 'tokens'>, residue: number): string =>
  t().residue(tokens[residue + 1] ?? '', residue + 1)

export function drawContacts(contactMap: ContactMap, layout: Layout): Scene {
  const { width, height } = layout
  return { width, height, marks: [...map(contactMap, layout), ...bar(contactMap, layout), ...list(contactMap, layout)] }
}

/** Room that a residue's letter and its number take along the map. */
const letterRoom = 11
const numberPitch = 26

/** Every residue's letter where there is room, else the numbers of some. */
function labels({ contacts: { count }, tokens }: ContactMap, { map: { x, y, side } }: Layout): Mark[] {
  const pitch = side / count
  const step =
    pitch >= letterRoom ? 1 : ([5, 10, 20, 50, 100, 200].find((step) => step * pitch >= numberPitch) ?? count)
  const named = Array.from({ length: count }, (_, at) => at).filter((at) => (at + 1) % step === 0)
  return named.flatMap((at): Mark[] => {
    const text = step === 1 ? (tokens[at + 1] ?? '') : integer(at + 1)
    const middle = (at + 0.5) * pitch
    const label = { kind: 'text', text, size: 10, face: 'mono', tone: 'quiet' } as const
    return [
      { ...label, x: x - 4, y: y + middle + 3.5, anchor: 'end' },
      { ...label, x: x + middle, y: y - 5, anchor: 'middle' },
    ]
  })
}

function map(contactMap: ContactMap, layout: Layout): Mark[] {
  const { contacts, one, other, palette } = contactMap
  const { x, y, side } = layout.map
  const { numbers: values, count } = contacts
  const pitch = side / count
  const pane = { x, y, side, from: { query: 0, key: 0 }, count }
  return [
    ...(palette ? [paintCells({ values, length: count, table: palette, entry: weightEntry }, pane)] : []),
    { kind: 'rect', x: x - 0.5, y: y - 0.5, width: side + 1, height: side + 1, stroke: 'rule', weight: 1 },
    { kind: 'rect', x: x + other * pitch, y, width: pitch, height: side, stroke: 'key', weight: 1.5 },
    { kind: 'rect', x, y: y + one * pitch, width: side, height: pitch, stroke: 'query', weight: 1.5 },
    ...labels(contactMap, layout),
    { kind: 'text', x: 0, y: y - 20, text: t().axis, size: 11, bold: true },
  ]
}

/** The colour bar, with the colour of the selected pair. */
function bar(
  { contacts: { numbers, count }, one, other, palette }: ContactMap,
  { bar: { x, y, width } }: Layout,
): Mark[] {
  if (!palette) return []
  return moved(drawBar({ width, scale: weightScale('root'), palette, value: numbers[one * count + other] }), { x, y })
}

/** Room for "100.0 %". */
const numberRoom = 52

function list(contactMap: ContactMap, { list: box }: Layout): Mark[] {
  const { contacts, one, other: selected } = contactMap
  const contactsOfOne = partners(contacts, one).slice(0, rowsOf(box))
  const title = contactsOfOne.length > 0 ? t().likeliest(residueName(contactMap, one)) : t().none
  const right = box.x + box.width
  const head: Mark = { kind: 'text', x: box.x, y: box.y - 6, text: title, size: 11, bold: true, room: box.width }
  const rows = contactsOfOne.flatMap(({ other, probability }, index): Mark[] => {
    const y = box.y + index * rowHeight
    const bold = other === selected
    const text = { kind: 'text', y: y + 12, face: 'mono', tone: bold ? 'key' : 'ink', bold } as const
    return [
      { ...text, x: box.x, text: residueName(contactMap, other), size: 12, room: box.width - numberRoom },
      { ...text, x: right, text: percent(probability), size: 11.5, anchor: 'end' },
      { kind: 'rect', x: box.x, y: y + 16, width: probability * box.width, height: 3, fill: 'bar' },
    ]
  })
  return [head, ...rows]
}
