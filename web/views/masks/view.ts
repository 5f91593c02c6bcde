// The masks of an encoder–decoder, read from its run.
import { resource } from '../../session/resource.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../module'
import { Output, type Headline } from '../output'
import { t } from './messages.en'
import type { MasksResult } from '../../engine/protocol/protocol'
import { widthOf } from '../../charts/labels'
import type { Mark, Raster, Scene } from '../../charts/marks'

export { t as messages }

export const data = (inputs: Inputs) =>
  resource(inputs.bench.engine, 'masks', () => {
    const { run } = inputs
    const pair = run?.reading.pair
    return run && pair ? { params: { run: run.id }, run, pair } : undefined
  })

type Data = ReturnType<typeof data>

export function output({ palette, width, height }: Inputs, resource: Data) {
  const { latest } = resource
  if (!latest) return Output.message(resource.failure?.message ?? t().loading)
  const { run, pair } = latest.request
  const tokens = (ids: Uint32Array) => Array.from(ids, (id) => run.model.tokenizer.display(id))
  const masks: Masks = {
    masks: latest.value,
    tokens: { source: tokens(pair.source), text: tokens(pair.text) },
    palette,
  }
  return Output.of(latest.value, {
    scene: drawMasks(masks, width, Math.max(height, 220)),
    label: t().label,
    published: {
      headline: headlineOf(masks),
      tables: tablesOf(masks),
      subject: '',
    },
  })
}

export function headlineOf({ masks }: Pick<Masks, 'masks'>): Headline {
  const visible = masks.decoder.reduce((sum, one) => sum + one, 0)
  return { title: t().headline(visible, masks.decoder.length), line: t().line(masks.source, masks.text) }
}

export const tablesOf = (masks: Pick<Masks, 'masks' | 'tokens'>): NamedTable[] =>
  panesOf(masks).map(({ name, mask, queries, keys }) =>
    namedTable(name, [t().corner, ...keys], queries, (token, query) => [
      token,
      ...mask.subarray(query * keys.length, (query + 1) * keys.length),
    ]),
  )

export interface Masks {
  masks: MasksResult
  tokens: { source: readonly string[]; text: readonly string[] }
  /** 256 × 3 sRGB bytes; undefined until the engine has computed it. */
  palette: Uint8Array | undefined
}

/** A mask with its tokens. */
interface Pane {
  name: string
  /** (queries, keys) */
  mask: Float32Array
  queries: readonly string[]
  keys: readonly string[]
}

function panesOf({ masks, tokens: { source, text } }: Pick<Masks, 'masks' | 'tokens'>): Pane[] {
  const { encoder, decoder, cross } = masks
  return [
    { name: t().names.encoder, mask: encoder, queries: source, keys: source },
    { name: t().names.decoder, mask: decoder, queries: text, keys: text },
    { name: t().names.cross, mask: cross, queries: text, keys: source },
  ]
}

/** Px above a pane for its name and the names of its keys, and left of it for those of its queries. */
interface Margins {
  top: number
  left: number
}
const size = 10
const titleRoom = 26
const namesMargin = 10
/** The longest names have no room. */
const longest = 120
const gap = 24

function marginsFor({ source, text }: Masks['tokens']): Margins {
  const widths = [...source, ...text].map((name) => widthOf(name, size, 'mono') + 2)
  const names = Math.min(longest, Math.max(38, ...widths))
  return { top: titleRoom + names, left: namesMargin + names }
}

/** The least cell that has room for its token's name. */
const namedCell = 11
/** The least cell that is told apart from its neighbours by lines. */
const linedCell = 6

export function drawMasks(picture: Masks, width: number, height: number): Scene {
  const panes = panesOf(picture)
  const columns = width >= 700 ? 3 : 1
  const room = (width - gap * (columns - 1)) / columns
  const { top, left } = marginsFor(picture.tokens)
  const most = Math.max(picture.tokens.source.length, picture.tokens.text.length, 1)
  const cell = Math.max(2, Math.min(64, (room - left) / most, columns === 3 ? (height - top) / most : 24))
  let y = 0
  const marks = panes.flatMap((pane, at): Mark[] => {
    const x = (at % columns) * (room + gap)
    const marks = drawPane(pane, picture.palette, { x, y, cell, room, top, left })
    if (columns === 1) y += top + pane.queries.length * cell + gap
    return marks
  })
  const tallest = top + most * cell
  return { width, height: columns === 3 ? tallest : Math.max(y, tallest), marks }
}

function drawPane(
  { name, mask, queries, keys }: Pane,
  palette: Uint8Array | undefined,
  { x, y, cell, room, top, left }: Margins & { x: number; y: number; cell: number; room: number },
): Mark[] {
  const [wide, high] = [keys.length * cell, queries.length * cell]
  const from = { x: x + left, y: y + top }
  const label = { kind: 'text', size, face: 'mono', tone: 'quiet' } as const
  const queryNames = queries.map((token, row): Mark => ({
    ...label,
    x: from.x - 5,
    y: from.y + (row + 0.5) * cell + 3.5,
    text: token,
    anchor: 'end',
    room: left - 6,
  }))
  const keyNames = keys.map((token, column): Mark => ({
    ...label,
    x: from.x + (column + 0.5) * cell + 3.5,
    y: from.y - 5,
    text: token,
    turn: 90,
    room: top - 24,
  }))
  const line = { kind: 'line', stroke: 'card', weight: 1 } as const
  const columnLines = keys.slice(1).map((_, at): Mark => {
    const x = from.x + (at + 1) * cell
    return { ...line, x1: x, x2: x, y1: from.y, y2: from.y + high }
  })
  const rowLines = queries.slice(1).map((_, at): Mark => {
    const y = from.y + (at + 1) * cell
    return { ...line, x1: from.x, x2: from.x + wide, y1: y, y2: y }
  })
  return [
    ...(palette ? [rasterOf(mask, queries.length, keys.length, palette, { ...from, wide, high })] : []),
    { kind: 'rect', x: from.x - 0.5, y: from.y - 0.5, width: wide + 1, height: high + 1, stroke: 'rule', weight: 1 },
    ...(cell < linedCell ? [] : [...columnLines, ...rowLines]),
    ...(cell < namedCell ? [] : [...queryNames, ...keyNames]),
    { kind: 'text', x, y: y + 12, text: name, size: 11, bold: true, room },
  ]
}

/** As dark as half a weight is in a map. */
const filled = 180

function rasterOf(
  mask: Float32Array,
  rows: number,
  columns: number,
  palette: Uint8Array,
  { x, y, wide, high }: { x: number; y: number; wide: number; high: number },
): Raster {
  const pixels = new Uint8ClampedArray(4 * rows * columns)
  mask.forEach((visible, at) => {
    const entry = 3 * (visible > 0 ? filled : 0)
    pixels.set([palette[entry] ?? 0, palette[entry + 1] ?? 0, palette[entry + 2] ?? 0, 255], 4 * at)
  })
  return { kind: 'raster', x, y, width: wide, height: high, columns, rows, pixels }
}
