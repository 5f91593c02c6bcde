// Which residues of a protein touch, by the regression over all maps that is stored in ESM's file: a map, and the list of one residue's contacts.
import { resource } from '../../session/resource.svelte'
import type { Run } from '../../session/runs.svelte'
import { walkCell } from '../../ui/walk'
import type { Inputs } from '../module'
import { runCommand } from '../command'
import { Output, type Headline, type Target } from '../output'
import { t } from './messages.en'
import { namedTable, type NamedTable } from '../../ui/table'
import { drawParts, leastPitch, rowAt, rowsIn } from '../../charts/bars'
import type { ContactResult } from '../../engine/protocol/protocol'
import type { Box, Mark, Scene } from '../../charts/marks'
import { integer } from '../../i18n/numbers'
import { cellIn, drawSquare, type Square } from '../../charts/matrix'
import { barHeight, drawBar, translate } from '../../charts/attention-map/draw'
import { weightScale } from '../../charts/attention-map/paint'

const lengthOf = (run: Run | undefined) => run?.head.length ?? 0
const isReadable = (run: Run | undefined) => lengthOf(run) > 2 && lengthOf(run) <= longestProtein

export { t as messages }

export const data = (inputs: Inputs) =>
  resource(inputs.bench.engine, 'contacts', () => {
    const { run } = inputs
    return run && isReadable(run) ? { params: { run: run.id }, run } : undefined
  })

type Data = ReturnType<typeof data>

export function output({ run, cursor, palette, width, height }: Inputs, contacts: Data) {
  if (lengthOf(run) > longestProtein) return Output.message(t().tooLong(longestProtein, lengthOf(run)))
  if (run && !isReadable(run)) return Output.message(t().tooShort)
  const { latest } = contacts
  if (!latest) return Output.message(contacts.failure?.message ?? t().loading)

  const { count, numbers } = latest.value
  const [one, other] = [residueAt(cursor.query, count), residueAt(cursor.key, count)]
  const map: ContactMap = { contacts: latest.value, tokens: latest.request.run.reading.display, one, other, palette }
  const layout = layOut(width, Math.max(height, 280))
  const name = (residue: number) => residueName(map, residue)
  const select = (one: number, other: number): Target => ({
    cursor: { query: one + 1, key: other + 1 },
    say: t().moved(name(one), name(other), numbers[one * count + other] ?? 0),
  })
  return Output.of(latest.value, {
    scene: drawContacts(map, layout),
    label: t().label(name(one), name(other)),
    published: {
      headline: headlineOf(map),
      tables: tablesOf(map),
      subject: '',
      command: runCommand(latest.request.run, ['contacts']),
    },
    hit: (x, y) => {
      const hit = hitAt(x, y, layout, count)
      if (!hit) return undefined
      if ('one' in hit) return select(hit.one, hit.other)
      const partner = partners(latest.value, one)[hit.row]
      return partner && select(partner.one, partner.other)
    },
    onAction: (action) => {
      const to = walkCell({ query: one, key: other }, action, { queries: count, keys: count })
      return to && select(to.query, to.key)
    },
  })
}

export function headlineOf(map: ContactMap): Headline {
  const pairs = pairsOf(map.contacts)
  const [first] = pairs
  if (!first) return { title: t().alone, line: '' }
  const { one, other, probability } = first
  const title = t().headline(residueName(map, one), residueName(map, other), probability, other - one)
  return { title, line: t().line(pairs.filter((pair) => pair.probability > 0.5).length) }
}

export function tablesOf(map: ContactMap): NamedTable[] {
  const { count, numbers } = map.contacts
  const names = Array.from({ length: count }, (_, residue) => residueName(map, residue))
  const pairs = pairsOf(map.contacts)
  return [
    namedTable(t().tables.contacts, [t().corner, ...names], names, (name, one) => [
      name,
      ...numbers.subarray(one * count, (one + 1) * count),
    ]),
    namedTable(t().tables.pairs, t().pairColumns, pairs, ({ one, other, probability }) => [
      names[one] ?? '',
      names[other] ?? '',
      other - one,
      probability,
    ]),
  ]
}

interface ContactsLayout {
  width: number
  height: number
  map: Square
  list: Box
  /** The colour bar, `barHeight` high. */
  bar: { x: number; y: number; width: number }
}

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

export function layOut(width: number, height: number): ContactsLayout {
  if (width < narrow) {
    const free = height - 2 * top - 2 * gap - barHeight
    const below = (free - rowsBelow * leastPitch < leastSide ? fewestRowsBelow : rowsBelow) * leastPitch
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
  { map, list }: ContactsLayout,
  count: number,
): { one: number; other: number } | { row: number } | undefined {
  const cell = cellIn(x, y, map, count)
  if (cell) return { one: cell.query, other: cell.key }
  const row = rowAt(x, y, list)
  return row === undefined ? undefined : { row }
}

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

export function drawContacts(contactMap: ContactMap, layout: ContactsLayout): Scene {
  const { width, height } = layout
  return { width, height, marks: [...map(contactMap, layout), ...bar(contactMap, layout), ...list(contactMap, layout)] }
}

/** Room that a residue's letter and its number take along the map. */
const letterRoom = 11
const numberPitch = 26

/** Every residue's letter where there is room, else the numbers of some. */
function labels({ contacts: { count }, tokens }: ContactMap, { map: { x, y, side } }: ContactsLayout): Mark[] {
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

function map(contactMap: ContactMap, layout: ContactsLayout): Mark[] {
  const { contacts, one, other, palette } = contactMap
  const { numbers: values, count: length } = contacts
  return [
    ...drawSquare({ values, length, palette }, layout.map, { query: one, key: other }),
    ...labels(contactMap, layout),
    { kind: 'text', x: 0, y: layout.map.y - 20, text: t().axis, size: 11, bold: true },
  ]
}

/** The colour bar, with the colour of the selected pair. */
function bar(
  { contacts: { numbers, count }, one, other, palette }: ContactMap,
  { bar: { x, y, width } }: ContactsLayout,
): Mark[] {
  if (!palette) return []
  return translate(drawBar({ width, scale: weightScale('root'), palette, value: numbers[one * count + other] }), {
    x,
    y,
  })
}

function list(contactMap: ContactMap, { list: box }: ContactsLayout): Mark[] {
  const { contacts, one, other: selected } = contactMap
  const contactsOfOne = partners(contacts, one).slice(0, rowsIn(box))
  const title = contactsOfOne.length > 0 ? t().likeliest(residueName(contactMap, one)) : t().none
  const rows = contactsOfOne.map(({ other, probability }) => ({
    name: residueName(contactMap, other),
    part: probability,
    isSelected: other === selected,
  }))
  return [
    { kind: 'text', x: box.x, y: box.y - 6, text: title, size: 11, bold: true, room: box.width },
    ...drawParts(rows, box, 1),
  ]
}

/** In tokens. The map of a longer protein is not computed. */
const longestProtein = 512

/** Nearer residues of the chain always touch. */
const minDistance = 6

/** Two residues. */
interface Pair {
  one: number
  other: number
  probability: number
}

const probability = ({ numbers, count }: ContactResult, one: number, other: number) => numbers[one * count + other] ?? 0

/** The contacts of a residue, most likely first. */
export function partners(contacts: ContactResult, one: number): Pair[] {
  const others = Array.from({ length: contacts.count }, (_, other) => other)
  return others
    .filter((other) => Math.abs(other - one) >= minDistance)
    .map((other) => ({ one, other, probability: probability(contacts, one, other) }))
    .sort((a, b) => b.probability - a.probability)
}

/** Every pair once, most likely first. */
export function pairsOf(contacts: ContactResult): Pair[] {
  const pairs: Pair[] = []
  for (let one = 0; one < contacts.count; one++) {
    for (let other = one + minDistance; other < contacts.count; other++) {
      pairs.push({ one, other, probability: probability(contacts, one, other) })
    }
  }
  return pairs.sort((a, b) => b.probability - a.probability)
}

/** The residue of a token at this position; the nearest one for the first and the last token. */
export const residueAt = (position: number, count: number): number => Math.max(0, Math.min(position - 1, count - 1))
