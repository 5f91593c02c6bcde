// The map of contacts, and what the chosen residue may touch.
import { weightEntry } from '../../charts/colour'
import { percent } from '../../i18n/format'
import type { ContactResult } from '../../engine/protocol/protocol'
import type { Mark, Scene } from '../../charts/marks'
import { integer } from '../../i18n/numbers'
import { contacts as said } from '../../i18n/en/views/contacts'
import { paintPane } from '../compare/paint'
import { drawBar, moved } from '../../charts/attention-map/draw'
import { weightScale } from '../../charts/attention-map/scale'
import { rowHeight, rowsOf, type Layout } from './layout'
import { partners } from './model'

export interface Touching {
  contacts: ContactResult
  /** Of all tokens, the first one included. */
  tokens: readonly string[]
  one: number
  other: number
  /** 256 × 3 sRGB bytes; undefined until it is there. */
  palette: Uint8Array | undefined
}

/** A residue by its name and its place in the chain, which counts from 1 as the tokens do. */
export const nameOf = ({ tokens }: Pick<Touching, 'tokens'>, residue: number): string =>
  said.residue(tokens[residue + 1] ?? '', residue + 1)

export function drawContacts(touching: Touching, layout: Layout): Scene {
  const { width, height } = layout
  return { width, height, marks: [...map(touching, layout), ...bar(touching, layout), ...list(touching, layout)] }
}

/** Room that a residue's letter and its number take along the map. */
const letterRoom = 11
const numberPitch = 26

/** Each residue's letter where there is room, else the numbers of some. */
function labels({ contacts: { count }, tokens }: Touching, { map: { x, y, side } }: Layout): Mark[] {
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

function map(touching: Touching, layout: Layout): Mark[] {
  const { contacts, one, other, palette } = touching
  const { x, y, side } = layout.map
  const { numbers: values, count } = contacts
  const pitch = side / count
  const pane = { x, y, side, from: { query: 0, key: 0 }, count }
  return [
    ...(palette ? [paintPane({ values, length: count, table: palette, entry: weightEntry }, pane)] : []),
    { kind: 'rect', x: x - 0.5, y: y - 0.5, width: side + 1, height: side + 1, stroke: 'rule', weight: 1 },
    { kind: 'rect', x: x + other * pitch, y, width: pitch, height: side, stroke: 'key', weight: 1.5 },
    { kind: 'rect', x, y: y + one * pitch, width: side, height: pitch, stroke: 'query', weight: 1.5 },
    ...labels(touching, layout),
    { kind: 'text', x: 0, y: y - 20, text: said.axis, size: 11, bold: true },
  ]
}

/** What the colours mean, and which of them the chosen pair has. */
function bar(
  { contacts: { numbers, count }, one, other, palette }: Touching,
  { bar: { x, y, width } }: Layout,
): Mark[] {
  if (!palette) return []
  return moved(drawBar({ width, scale: weightScale('root'), palette, value: numbers[one * count + other] }), { x, y })
}

/** Room for "100.0 %". */
const numberRoom = 52

function list(touching: Touching, { list: box }: Layout): Mark[] {
  const { contacts, one, other: chosen } = touching
  const shown = partners(contacts, one).slice(0, rowsOf(box))
  const title = shown.length > 0 ? said.likeliest(nameOf(touching, one)) : said.none
  const right = box.x + box.width
  const head: Mark = { kind: 'text', x: box.x, y: box.y - 6, text: title, size: 11, bold: true, room: box.width }
  const rows = shown.flatMap(({ other, probability }, index): Mark[] => {
    const y = box.y + index * rowHeight
    const bold = other === chosen
    const text = { kind: 'text', y: y + 12, face: 'mono', tone: bold ? 'key' : 'ink', bold } as const
    return [
      { ...text, x: box.x, text: nameOf(touching, other), size: 12, room: box.width - numberRoom },
      { ...text, x: right, text: percent(probability), size: 11.5, anchor: 'end' },
      { kind: 'rect', x: box.x, y: y + 16, width: probability * box.width, height: 3, fill: 'bar' },
    ]
  })
  return [head, ...rows]
}
