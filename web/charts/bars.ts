// Rows with a name, a bar and numbers, as probabilities now and before: Bars.svelte on the page, `drawBars` in a picture.
import type { Mark, Scene } from './marks'
import { columns } from './labels'

export interface BarRow {
  /** Unique among the rows. */
  id: number | string
  name: string
  /** 0 … 1; null: unknown, too small to be among those that were read. */
  value: number | null
  /** The value before, as a thin bar above. */
  before?: number | null
  /** Texts at the row's end, one a column. */
  numbers: readonly string[]
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
const character = 7.4
const numberRoom = 8

/** The groups in a column, `width` px wide. */
export function drawBars(groups: readonly BarGroup[], width: number): Scene {
  const rows = groups.flatMap((group) => group.rows)
  const most = fullBar(groups)
  const name = Math.min(width * 0.36, Math.max(40, ...rows.map((row) => columns(row.name) * character)) + 8)
  const count = Math.max(0, ...rows.map(({ numbers }) => numbers.length))
  const rooms = Array.from({ length: count }, (_, column) =>
    Math.max(...rows.map(({ numbers }) => columns(numbers[column] ?? '') * character + numberRoom)),
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
