// Where tokens, lines and the ruler lie.
import { columns } from '../../charts/labels'

const character = 7.4
const leastPitch = 15
const greatestPitch = 40
/** With a ruler beside them rows keep this distance. */
const scrolledPitch = 17
/** px of a position, and of a weight beside a token. */
const position = 30
const weights = 34
const ruler = 44
/** In less width weights have a place of their own on the right alone. */
const wide = 420

export interface LinesLayout {
  /** Left of which queries stand, and right of which keys stand: the lines are between. */
  from: number
  to: number
  /** From one token to the next, and how many of them have room. */
  pitch: number
  rows: number
  /** Room of a token's text. */
  name: number
  /** Whether there is room for weights left of the queries, too; else they take the positions' place. */
  leftWeights: boolean
  /** A strip of all positions, where not all tokens have room. */
  ruler: { x: number; y: number; width: number; height: number } | undefined
  width: number
  height: number
}

export function layOutLines(width: number, height: number, names: readonly string[]): LinesLayout {
  const count = Math.max(names.length, 1)
  const fits = count * leastPitch <= height
  const pitch = fits ? Math.min(Math.floor(height / count), greatestPitch) : scrolledPitch
  const rows = fits ? count : Math.max(4, Math.floor(height / pitch))
  const widest = names.reduce((most, name) => Math.max(most, columns(name) * character), 30)
  const name = Math.ceil(Math.min(widest, Math.max(44, Math.min(width * 0.22, 120))))
  const left = fits ? 0 : ruler
  const beside = name + position + 10
  const leftWeights = width >= wide
  return {
    from: left + beside + (leftWeights ? weights : 0),
    to: width - beside - weights,
    leftWeights,
    pitch,
    rows,
    name,
    ruler: fits ? undefined : { x: 28, y: 2, width: 9, height: rows * pitch - 4 },
    width,
    height: rows * pitch,
  }
}

/** How tall the lines may be: on a phone, where little is left of the screen, as tall as a short text needs. */
export function linesHeight(width: number, height: number, count: number): number {
  const phone = width < 480 && height < width * 0.8
  return phone ? Math.max(height, Math.min(count * scrolledPitch, width * 1.5)) : Math.max(height, 200)
}

/** So many tokens are kept in sight on both sides of one that is chosen. */
const margin = 2

/** The first token that is shown: such that `at` stays in sight; what is far off comes to the middle. */
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

/** The token at (x, y); null: between the tokens, or beside them. */
export function tokenAt(x: number, y: number, layout: LinesLayout, first: number, count: number): Side | null {
  const at = first + Math.floor(y / layout.pitch)
  if (y < 0 || y >= layout.height || at >= count) return null
  const left = layout.ruler ? ruler : 0
  if (x >= left && x < layout.from + 6) return { side: 'query', at }
  if (x > layout.to - 6 && x <= layout.width) return { side: 'key', at }
  return null
}

/** The first token to show for a pointer at `y` of the ruler. */
export function rulerTo(y: number, { ruler, rows }: LinesLayout, count: number): number {
  return ruler ? within(((y - ruler.y) / ruler.height) * count - rows / 2, rows, count) : 0
}
