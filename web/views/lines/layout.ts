// The layout of tokens, lines and the ruler, and the tokens below the pointer. Lengths are in CSS px.
import type { Extent } from '../../charts/attention-map/model'
import { columns } from '../../charts/labels'

const character = 7.4
const leastPitch = 15
const greatestPitch = 40
/** The distance of rows where a ruler scrolls them. */
const scrolledPitch = 17
/** Widths of a position, of a weight and of the ruler. */
const position = 30
const weights = 34
const ruler = 44
/** Below this width only the keys have a column of weights. */
const wide = 420

export interface LinesLayout {
  /** Queries end here and keys begin at `to`; lines run between. */
  from: number
  to: number
  /** The distance of two tokens. */
  pitch: number
  /** The number of visible tokens. */
  rows: number
  /** The width of a token's text. */
  name: number
  /** Whether queries have a column of weights; else weights replace the positions. */
  leftWeights: boolean
  /** A strip of all positions; undefined if all tokens are visible. */
  ruler: { x: number; y: number; width: number; height: number } | undefined
  width: number
  height: number
}

/** @param names of both columns @param longest the tokens of the longer column */
export function layOutLines(width: number, height: number, names: readonly string[], longest: number): LinesLayout {
  const count = Math.max(longest, 1)
  const fits = count * leastPitch <= height
  const pitch = fits ? Math.min(Math.floor(height / count), greatestPitch) : scrolledPitch
  const rows = fits ? count : Math.max(4, Math.floor(height / pitch))
  const widest = names.reduce((most, name) => Math.max(most, columns(name) * character), 30)
  const name = Math.ceil(Math.min(widest, Math.max(44, Math.min(width * 0.22, 120))))
  const left = fits ? 0 : ruler
  const labels = name + position + 10
  const leftWeights = width >= wide
  return {
    from: left + labels + (leftWeights ? weights : 0),
    to: width - labels - weights,
    leftWeights,
    pitch,
    rows,
    name,
    ruler: fits ? undefined : { x: 28, y: 2, width: 9, height: rows * pitch - 4 },
    width,
    height: rows * pitch,
  }
}

/** The height of the view: on a phone as tall as a short text needs, even if the page scrolls. */
export function linesHeight(width: number, height: number, count: number): number {
  const phone = width < 480 && height < width * 0.8
  return phone ? Math.max(height, Math.min(count * scrolledPitch, width * 1.5)) : Math.max(height, 200)
}

/** Tokens that stay visible above and below the selected one. */
const margin = 2

/** The first visible token that makes `at` visible; a distant token is centred. */
export function scrollTo(first: number, at: number, rows: number, count: number): number {
  const [least, most] = [at - rows + 1 + margin, at - margin]
  const near = Math.max(Math.min(first, most), least)
  return within(Math.abs(near - first) > margin + 1 ? at - (rows - 1) / 2 : near, rows, count)
}

export function within(first: number, rows: number, count: number): number {
  return Math.max(0, Math.min(Math.round(first), count - rows))
}

/** A token of one side. */
export interface Side {
  side: 'query' | 'key'
  at: number
}

/** The token at (x, y), or null between and outside the columns. */
export function tokenAt(x: number, y: number, layout: LinesLayout, first: number, of: Extent): Side | null {
  const at = first + Math.floor(y / layout.pitch)
  if (y < 0 || y >= layout.height) return null
  const left = layout.ruler ? ruler : 0
  if (x >= left && x < layout.from + 6) return at < of.queries ? { side: 'query', at } : null
  if (x > layout.to - 6 && x <= layout.width) return at < of.keys ? { side: 'key', at } : null
  return null
}

/** The first visible token for a pointer at `y` of the ruler. */
export function rulerTo(y: number, { ruler, rows }: LinesLayout, count: number): number {
  return ruler ? within(((y - ruler.y) / ruler.height) * count - rows / 2, rows, count) : 0
}
