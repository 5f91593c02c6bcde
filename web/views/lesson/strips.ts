// Vectors as strips of coloured cells, and tokens as rows.
import { ramp } from '../../charts/colour'
import { widthOf } from '../../charts/labels'
import type { Box, Mark, Raster } from '../../charts/marks'
import { paintCells } from '../../charts/matrix'
import { diverging, type Scheme } from '../../styles/colours'
import { t } from './messages.en'
import type { Range } from './subject'

/** Numbers (rows, columns). */
export interface Matrix {
  values: Float32Array
  columns: number
}

/** Entries of a colour table for numbers around 0: beyond three times their root mean square they have the colours of the ends. */
export interface Paint {
  table: Uint8Array
  entry: (value: number) => number
}

const tables: Readonly<Record<Scheme, Uint8Array>> = { light: ramp(diverging.light), dark: ramp(diverging.dark) }

export function paintOf(values: Float32Array, scheme: Scheme): Paint {
  const square = values.reduce((sum, value) => sum + value * value, 0) / Math.max(1, values.length)
  const reach = 3 * Math.sqrt(square) || 1
  const entry = (value: number) => Math.round(127.5 + 127.5 * Math.min(1, Math.max(-1, value / reach)))
  return { table: tables[scheme], entry }
}

/** A row of a matrix from its first column on. `part`: how much of it is drawn, 0 … 1. */
export function strip({ values, columns }: Matrix, row: number, paint: Paint, box: Box, part = 1): Raster[] {
  const keys = Math.round(columns * part)
  if (keys === 0 || (row + 1) * columns > values.length) return []
  const from = { query: row, key: 0 }
  const cells = { ...box, width: (box.width * keys) / columns, from, queries: 1, keys }
  return [paintCells({ values, length: columns, ...paint }, cells)]
}

/** Px of the rows of a list, and of the line above it. */
export const head = 22
const pitch = { least: 17, most: 26 }

/** Tokens as rows, one below the other. */
export interface Rows {
  /** The positions that have room: those around the pinned one. */
  positions: readonly number[]
  x: number
  y: number
  pitch: number
  /** Px of the names. */
  names: number
  width: number
}

export function layRows(tokens: readonly string[], { from, to }: Range, pinned: number, box: Box): Rows {
  const room = Math.max(1, Math.floor((box.height - head) / pitch.least))
  const count = Math.min(to - from, room)
  const first = Math.min(Math.max(from, pinned - Math.floor(count / 2)), to - count)
  const positions = Array.from({ length: count }, (_, at) => first + at)
  const widest = Math.max(24, ...positions.map((position) => widthOf(tokens[position] ?? '', 12)))
  return {
    positions,
    x: box.x,
    y: box.y + head,
    pitch: Math.min(pitch.most, (box.height - head) / Math.max(1, count)),
    names: Math.min(widest + 12, 0.3 * box.width, 130),
    width: box.width,
  }
}

/** The position of the row at a height. */
export function positionAt({ positions, y, pitch }: Rows, at: number): number | undefined {
  return positions[Math.floor((at - y) / pitch)]
}

/** The names of the rows, with the selected tokens in their colours. */
export const drawNames = (
  { positions, x, y, pitch, names }: Rows,
  tokens: readonly string[],
  selected: { query?: number; key?: number },
): Mark[] =>
  positions.map((position, at) => ({
    kind: 'text',
    x,
    y: y + (at + 0.5) * pitch + 4,
    text: tokens[position] ?? '',
    size: 12,
    room: names - 6,
    tone: position === selected.query ? 'query' : position === selected.key ? 'key' : 'ink',
    bold: position === selected.query || position === selected.key,
  }))

/** A line of small words above a column. */
export const title = (x: number, y: number, text: string, room: number): Mark => ({
  kind: 'text',
  x,
  y: y + 13,
  text,
  size: 11,
  tone: 'quiet',
  room,
})

/** Px of the legend of strips. */
export const legendHeight = 20

/** The colours of numbers, from the least to the largest one. */
export function legend(x: number, y: number, scheme: Scheme): Mark[] {
  const [least, most] = [t().negative, t().positive]
  const bar = { x: x + widthOf(least, 11) + 8, y: y + 6, width: 80, height: 10 }
  const values = Float32Array.from({ length: 16 }, (_, at) => at / 7.5 - 1)
  const cells = { ...bar, from: { query: 0, key: 0 }, queries: 1, keys: values.length }
  const entry = (value: number) => Math.round(127.5 + 127.5 * value)
  const word = (x: number, text: string): Mark => ({ kind: 'text', x, y: y + 15, text, size: 11, tone: 'quiet' })
  return [
    word(x, least),
    paintCells({ values, length: values.length, table: tables[scheme], entry }, cells),
    word(bar.x + bar.width + 8, most),
  ]
}

/** How far an item of a sequence has come while all move from 0 to 1, one after the other. */
export const inTurn = (at: number, item: number, items: number): number => Math.min(1, Math.max(0, at * items - item))

export const between = (from: number, to: number, at: number): number => from + (to - from) * at
