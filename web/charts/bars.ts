// Rows with a name, a bar and numbers, as probabilities now and before: Bars.svelte on the page, `drawBars` in a picture.
import { percent } from '../i18n/numbers'
import { widthOf } from './labels'
import type { Box, Mark, Scene } from './marks'

export interface BarRow {
  /** Unique among the rows. */
  id: number | string
  name: string
  /** 0 or more: the greatest of all rows is a full bar. null: unknown, too small to be among those that were read. */
  value: number | null
  /** The value before, as a thin bar above. */
  before?: number | null
  /** Texts at the row's end, one a column. */
  numbers: readonly string[]
  /** The sites of these numbers, where they have explanations. */
  sites?: readonly (string | undefined)[] | undefined
  weight?: 'strong' | 'faint' | undefined
}

export interface BarGroup {
  title: string
  rows: readonly BarRow[]
}

/** The value of a full bar: the greatest of all rows, so that they can be compared. */
export function fullBar(groups: readonly BarGroup[]): number {
  const values = groups.flatMap(({ rows }) => rows.flatMap(({ value, before }) => [value ?? 0, before ?? 0]))
  return Math.max(0.01, ...values)
}

/** The least CSS px from one row to the next, for fingers. */
export const leastPitch = 24
const greatestPitch = 38

/** The pitch at which so many rows fill a room. */
export function pitchIn(room: number, rows: number): number {
  return Math.min(greatestPitch, Math.max(leastPitch, Math.floor(room / Math.max(rows, 1))))
}

const titleHeight = 22
const numberRoom = 8

const nameWidth = (name: string) => widthOf(name, 12.5, 'mono')
/** A column of names has at least this width. */
const leastNames = 40

/** The groups in a column, `width` px wide. */
export function drawBars(groups: readonly BarGroup[], width: number): Scene {
  const rows = groups.flatMap((group) => group.rows)
  const most = fullBar(groups)
  const name = Math.min(width * 0.36, Math.max(leastNames, ...rows.map((row) => nameWidth(row.name))) + 8)
  const count = Math.max(0, ...rows.map(({ numbers }) => numbers.length))
  const rooms = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map(({ numbers }) => widthOf(numbers[column] ?? '', 12, 'mono') + numberRoom)),
  )
  const numbers = rooms.reduce((sum, room) => sum + room, 0)
  const track = Math.max(20, width - name - numbers - 8)
  const marks: Mark[] = []
  let y = 0
  for (const { title, rows } of groups) {
    if (title !== '') {
      marks.push({ kind: 'text', x: 0, y: y + 14, text: title, size: 12 })
      y += titleHeight
    }
    for (const row of rows) {
      const middle = y + leastPitch / 2
      const tone = row.weight === 'faint' ? 'quiet' : 'ink'
      const bold = row.weight === 'strong'
      marks.push({
        kind: 'text',
        x: 0,
        y: middle + 4,
        text: row.name,
        tone,
        bold,
        face: 'mono',
        size: 12.5,
        room: name,
      })
      const length = (value: number | null | undefined) => ((value ?? 0) / most) * track
      if (row.before === undefined) {
        marks.push({ kind: 'rect', x: name, y: middle - 4, width: length(row.value), height: 8, fill: 'bar' })
      } else {
        const before = { x: name, y: middle - 6, width: length(row.before), height: 4, fill: 'edge' } as const
        marks.push({ kind: 'rect', ...before })
        marks.push({ kind: 'rect', x: name, y: middle - 1, width: length(row.value), height: 6, fill: 'ink' })
      }
      let right = width - numbers
      row.numbers.forEach((text, column) => {
        right += rooms[column] ?? 0
        marks.push({ kind: 'text', x: right, y: middle + 4, text, tone, bold, face: 'mono', size: 12, anchor: 'end' })
      })
      y += leastPitch
    }
    y += 10
  }
  return { width, height: Math.max(y - 10, 1), marks }
}

/** A row of a list beside a map: a name, a bar, and its part of a sum. */
interface PartRow {
  name: string
  part: number
  isSelected: boolean
}

/** How many rows fit. */
export const rowsIn = ({ height }: Pick<Box, 'height'>): number => Math.floor(height / leastPitch)

/** The row of a list at (x, y); undefined beside it. */
export function rowAt(x: number, y: number, list: Box): number | undefined {
  const row = Math.floor((y - list.y) / leastPitch)
  return x >= list.x && row >= 0 && row < rowsIn(list) ? row : undefined
}

/** Room for "100.0 %". */
const percentRoom = 52

/** @param most the part of a full bar */
export function drawParts(rows: readonly PartRow[], box: Box, most: number): Mark[] {
  const nameRoom = Math.min(0.5 * box.width, Math.max(leastNames, ...rows.map(({ name }) => nameWidth(name))) + 8)
  const track = Math.max(0, box.width - nameRoom - percentRoom)
  return rows.flatMap(({ name, part, isSelected: bold }, index): Mark[] => {
    const middle = box.y + (index + 0.5) * leastPitch
    const text = { kind: 'text', y: middle + 4, face: 'mono', tone: bold ? 'key' : 'ink', bold } as const
    return [
      { ...text, x: box.x, text: name, size: 12, room: nameRoom - 4 },
      { kind: 'rect', x: box.x + nameRoom, y: middle - 4, width: (part / most) * track, height: 8, fill: 'bar' },
      { ...text, x: box.x + box.width, text: percent(part), size: 11.5, anchor: 'end' },
    ]
  })
}
