// The strongest neurons, one neuron at each token, and the tokens that it reads and writes.
import { leastPitch } from '../../charts/bars'
import { ramp } from '../../charts/colour'
import { widthOf } from '../../charts/labels'
import { asCursor, type Box, type Mark, type Scene, type Tone } from '../../charts/marks'
import { paintCells } from '../../charts/matrix'
import { diverging, type Scheme } from '../../styles/colours'

/** A row of bars that begin at 0 and go to both sides. */
export interface SignedRow {
  name: string
  value: number
  /** At its end, one a column. */
  numbers: readonly string[]
  isSelected: boolean
}

/** Bars with a line of words above them, and the names of their columns of numbers. */
export interface BarList {
  title: string
  columns: readonly string[]
  rows: readonly SignedRow[]
  /** The colour of the selected row's name. */
  tone: Tone
}

/** All tokens of a text as a strip of cells, of which the list has those from `first` on. */
export interface Strip {
  values: readonly number[]
  first: number
  count: number
  /** Counted from 0. */
  selected: number
  scheme: Scheme
}

/** Tokens with a number each. */
export interface TokenList {
  title: string
  rows: readonly { name: string; number: string }[]
}

/** Longer bars are harder to read against their names. */
const longest = 340
const widestBlock = 560
const gap = 28
/** Px of the title and of the columns' names. */
const head = 40
const stripHeight = 22
const tokenPitch = 18
const tokenHead = 24
/** From this width on the bars stand side by side, … */
const wide = 560
/** … and from this one the tokens stand beside them. */
const wider = 900
const listWidth = 210

/** Where everything lies, and how many rows have room. */
export interface Layout {
  neurons: Box
  tokens: Box
  lists: Box
  /** Whether the lists of tokens stand one above the other. */
  stacked: boolean
  rows: { neurons: number; tokens: number; listed: number }
  /** Whether the text has a strip. */
  strip: boolean
  height: number
}

/** @param most rows that there are: neurons, tokens of the text, and lists of tokens */
export function layOut(
  { width, height }: { width: number; height: number },
  most: { neurons: number; tokens: number; lists: number },
): Layout {
  const columns = width >= wider ? 3 : width >= wide ? 2 : 1
  const below = tokenHead + 6 * tokenPitch + gap
  const room = columns === 3 ? height : columns === 2 ? height - below : 0
  const fits = Math.max(8, Math.floor((room - head) / leastPitch))
  const neurons = Math.min(fits, 16, most.neurons)
  const strip = most.tokens > fits
  const tokens = Math.min(strip ? Math.max(8, fits - 1) : fits, most.tokens)
  const listed = columns === 3 ? Math.min(10, Math.max(4, Math.floor(room / most.lists / tokenPitch) - 2)) : 6
  const block =
    columns === 3
      ? Math.min(widestBlock, (width - listWidth - 2 * gap) / 2)
      : columns === 2
        ? Math.min(widestBlock, (width - gap) / 2)
        : width
  const tall = { neurons: head + neurons * leastPitch, tokens: head + (strip ? stripHeight : 0) + tokens * leastPitch }
  const one: Box = { x: 0, y: 0, width: block, height: tall.neurons }
  const other: Box =
    columns === 1
      ? { x: 0, y: tall.neurons + gap, width: block, height: tall.tokens }
      : { x: block + gap, y: 0, width: block, height: tall.tokens }
  const list = tokenHead + listed * tokenPitch
  const stacked = columns === 3
  const lists: Box = stacked
    ? { x: 2 * (block + gap), y: 0, width: listWidth, height: most.lists * (list + 14) - 14 }
    : {
        x: 0,
        y: Math.max(one.height, other.y + other.height) + gap,
        width: Math.min(width, 3 * listWidth + 2 * gap),
        height: list,
      }
  return {
    neurons: one,
    tokens: other,
    lists,
    stacked,
    rows: { neurons, tokens, listed },
    strip,
    height: Math.max(one.height, other.y + other.height, lists.y + lists.height),
  }
}

/** The first of `count` tokens around the selected one, of so many. */
export const firstToken = (selected: number, count: number, length: number): number =>
  Math.max(0, Math.min(selected - Math.floor(count / 2), length - count))

export function drawNeurons(
  layout: Layout,
  lists: { neurons: BarList; tokens: BarList; strip: Strip | undefined; words: readonly TokenList[] },
  width: number,
): Scene {
  const { strip } = lists
  return {
    width,
    height: layout.height,
    marks: [
      ...drawList(lists.neurons, layout.neurons, 0),
      ...drawList(lists.tokens, layout.tokens, strip ? stripHeight : 0),
      ...(strip ? drawStrip(strip, stripOf(layout)) : []),
      ...drawWords(lists.words, layout),
    ],
  }
}

const numberSize = 11.5
const numbersRoom = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => widthOf(text, numberSize, 'mono')))

function drawList({ title, columns, rows, tone }: BarList, box: Box, strip: number): Mark[] {
  const top = box.y + head + strip
  const rooms = columns.map((name, column) =>
    Math.max(numbersRoom(rows.map(({ numbers }) => numbers[column] ?? '')) + 10, widthOf(name, 11) + 10),
  )
  const numbers = rooms.reduce((sum, room) => sum + room, 0)
  const longestName = Math.max(24, ...rows.map(({ name }) => widthOf(name, 12.5, 'mono')))
  const names = Math.min(longestName + 10, 0.36 * box.width)
  const track = Math.min(longest, Math.max(20, box.width - names - numbers - 6))
  const values = rows.map(({ value }) => value)
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const x = (value: number) => box.x + names + ((value - least) / (most - least || 1)) * track
  const ends = rooms.map((_, column) =>
    rooms.slice(0, column + 1).reduce((sum, room) => sum + room, box.x + names + track + 6),
  )
  return [
    { kind: 'text', x: box.x, y: box.y + 13, text: title, size: 12, tone: 'ink', room: box.width },
    ...columns.map((text, column): Mark => ({
      kind: 'text',
      x: ends[column] ?? 0,
      y: box.y + 31,
      text,
      anchor: 'end',
    })),
    ...asCursor(
      rows.flatMap(({ isSelected }, at): Mark[] => {
        const row = { x: box.x - 3, y: top + at * leastPitch + 1, width: (ends.at(-1) ?? 0) - box.x + 6 }
        return isSelected ? [{ kind: 'rect', ...row, height: leastPitch - 2, round: 4, fill: 'token' }] : []
      }),
    ),
    { kind: 'line', x1: x(0), x2: x(0), y1: top, y2: top + rows.length * leastPitch, stroke: 'rule' },
    ...rows.flatMap(({ name, value, numbers, isSelected: bold }, at): Mark[] => {
      const middle = top + (at + 0.5) * leastPitch
      const text = { kind: 'text', y: middle + 4, face: 'mono', bold } as const
      return [
        { ...text, x: box.x, text: name, size: 12.5, tone: bold ? tone : 'ink', room: names - 4 },
        {
          kind: 'rect',
          x: Math.min(x(0), x(value)),
          y: middle - 4,
          width: Math.max(0.75, Math.abs(x(value) - x(0))),
          height: 8,
          fill: value < 0 ? 'negative' : 'positive',
        },
        ...numbers.map((number, column): Mark => ({
          ...text,
          x: ends[column] ?? 0,
          text: number,
          size: numberSize,
          tone: column === 0 ? 'ink' : 'quiet',
          anchor: 'end',
        })),
      ]
    }),
  ]
}

/** The box of the strip's cells. */
export const stripOf = ({ tokens }: Pick<Layout, 'tokens'>): Box => ({
  x: tokens.x,
  y: tokens.y + head,
  width: Math.min(tokens.width, longest),
  height: 12,
})

function drawStrip({ values, first, count, selected, scheme }: Strip, box: Box): Mark[] {
  const reach = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  const entry = (value: number) => Math.round(127.5 + (127.5 * value) / reach)
  const length = values.length
  const x = (at: number) => box.x + (at / length) * box.width
  const part = { x: x(first), y: box.y - 1.5, width: x(first + count) - x(first), height: box.height + 3 }
  const at = x(selected + 0.5)
  return [
    paintCells(
      { values: Float32Array.from(values), length, table: ramp(diverging[scheme]), entry },
      { ...box, from: { query: 0, key: 0 }, queries: 1, keys: length },
    ),
    { kind: 'rect', ...box, stroke: 'rule' },
    ...asCursor([
      { kind: 'rect', ...part, round: 2, stroke: 'ink' },
      { kind: 'line', x1: at, x2: at, y1: box.y - 3, y2: box.y + box.height + 3, stroke: 'query', weight: 1.5 },
    ]),
  ]
}

function drawWords(words: readonly TokenList[], { lists, stacked, rows: { listed } }: Layout): Mark[] {
  const columnGap = 16
  const width = stacked ? lists.width : (lists.width - 2 * columnGap) / 3
  const height = tokenHead + listed * tokenPitch + 14
  return words.flatMap(({ title, rows }, list): Mark[] => {
    const x = lists.x + (stacked ? 0 : list * (width + columnGap))
    const y = lists.y + (stacked ? list * height : 0)
    const visible = rows.slice(0, listed)
    const numbers = numbersRoom(visible.map(({ number }) => number))
    return [
      { kind: 'text', x, y: y + 13, text: title, size: 12, tone: 'ink', room: width },
      ...visible.flatMap(({ name, number }, at): Mark[] => {
        const line = y + tokenHead + (at + 0.5) * tokenPitch + 4
        return [
          { kind: 'text', x, y: line, text: name, face: 'mono', size: 12, tone: 'ink', room: width - numbers - 8 },
          { kind: 'text', x: x + width, y: line, text: number, face: 'mono', size: numberSize, anchor: 'end' },
        ]
      }),
    ]
  })
}

/** What lies at a place of the picture: a row of the neurons, a row of the tokens, or a place of the strip, 0 … 1. */
export function placeAt(
  layout: Layout,
  x: number,
  y: number,
): { neuron: number } | { token: number } | { part: number } | undefined {
  const rowIn = (box: Box, strip: number, rows: number) => {
    const row = Math.floor((y - box.y - head - strip) / leastPitch)
    return x >= box.x - 3 && x <= box.x + box.width && row >= 0 && row < rows ? row : undefined
  }
  const { neurons, tokens, rows, strip } = layout
  const neuron = rowIn(neurons, 0, rows.neurons)
  if (neuron !== undefined) return { neuron }
  const token = rowIn(tokens, strip ? stripHeight : 0, rows.tokens)
  if (token !== undefined) return { token }
  const cells = stripOf(layout)
  const isOnStrip =
    strip && x >= cells.x && x < cells.x + cells.width && y >= cells.y - 4 && y < cells.y + cells.height + 4
  return isOnStrip ? { part: (x - cells.x) / cells.width } : undefined
}
