// The addends of a number as bars, on both sides of a line.
import { leastPitch } from '../../charts/bars'
import { widthOf } from '../../charts/labels'
import type { Mark, Scene } from '../../charts/marks'
import { significant } from '../../i18n/numbers'

export interface Row {
  name: string
  value: number
}

const numberRoom = 96
/** Longer bars are harder to read against their names. */
const longest = 340

/** A bar for each row, below `top`. */
export function drawAddends(rows: readonly Row[], width: number, top = 0): Scene {
  const nameRoom = Math.min(0.45 * width, Math.max(40, ...rows.map(({ name }) => widthOf(name, 12, 'mono'))) + 10)
  const track = Math.min(longest, Math.max(40, width - nameRoom - numberRoom))
  const right = nameRoom + track + numberRoom
  const least = Math.min(0, ...rows.map(({ value }) => value))
  const most = Math.max(0, ...rows.map(({ value }) => value))
  const scale = track / (most - least || 1)
  const zero = nameRoom - least * scale
  const marks: Mark[] = []
  rows.forEach(({ name, value }, index) => {
    const middle = top + (index + 0.5) * leastPitch
    const length = Math.abs(value) * scale
    const text = { kind: 'text', y: middle + 4, size: 12, face: 'mono' } as const
    marks.push(
      { ...text, x: 0, text: name, room: nameRoom - 8 },
      {
        kind: 'rect',
        x: value < 0 ? zero - length : zero,
        y: middle - 4,
        width: length,
        height: 8,
        fill: value < 0 ? 'negative' : 'positive',
      },
      { ...text, x: right, text: significant(value, 6), anchor: 'end' },
    )
  })
  const height = top + Math.max(1, rows.length) * leastPitch
  marks.push({ kind: 'line', x1: zero, y1: top, x2: zero, y2: height, stroke: 'edge' })
  return { width, height, marks }
}

/** The row at this height of the picture; undefined beside the rows. */
export function rowAt(y: number, rows: number): number | undefined {
  const row = Math.floor(y / leastPitch)
  return row >= 0 && row < rows ? row : undefined
}
