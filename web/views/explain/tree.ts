// A number as a box, with the numbers that led to it above and its operands below.
import { widthOf } from '../../charts/labels'
import type { Box, Mark, Scene } from '../../charts/marks'
import { significant } from '../../i18n/numbers'
import type { Row } from './picture'

/** A number that the visitor came from; its value is undefined where it is not read. */
export interface WayStep {
  site: string
  value: number | undefined
}

/** Marks with the height that they take. */
interface Drawn {
  marks: Mark[]
  height: number
}

const size = 12
const lineHeight = 18
const padding = 8
const round = 4
/** Of a row for one number. */
const rowHeight = 26
export const gap = 10
/** Between a number and its operands, where lines are. */
const lineRoom = 30
/** Left of operands one below the other, where lines are. */
const indent = 28
const spine = 12
/** Wider rows separate a name from its value. */
const widest = 420
const narrowest = 72

const digits = (value: number) => significant(value, 6)
const face = 'mono'
const box = (at: Box): Mark => ({ kind: 'rect', ...at, round, fill: 'card', stroke: 'edge' })
const line = (x1: number, y1: number, x2: number, y2: number): Mark => ({
  kind: 'line',
  x1,
  y1,
  x2,
  y2,
  stroke: 'edge',
})

/** A box with a name on the left and a value on the right. */
function rowOf(at: Box, name: string, value: string): Mark[] {
  const y = at.y + rowHeight / 2 + 4
  const valueRoom = widthOf(value, size, face) + padding
  return [
    box(at),
    { kind: 'text', x: at.x + padding, y, text: name, size, face, room: at.width - 2 * padding - valueRoom },
    { kind: 'text', x: at.x + at.width - padding, y, text: value, size, face, anchor: 'end' },
  ]
}

/** The way to a number, and the number in `titles`. */
export function drawNumber(way: readonly WayStep[], titles: readonly string[], width: number): Drawn {
  const step = rowHeight + gap
  const stepWidth = Math.min(width, widest)
  const marks = way.flatMap(({ site, value }, index) => [
    ...rowOf(
      { x: 0, y: index * step, width: stepWidth, height: rowHeight },
      site,
      value === undefined ? '' : digits(value),
    ),
    line(spine, index * step + rowHeight, spine, (index + 1) * step),
  ])
  const { y, height, ...across } = numberBox(way.length, titles, width)
  marks.push(box({ ...across, y, height }))
  titles.forEach((text, index) =>
    marks.push({
      kind: 'text',
      x: padding,
      y: y + padding + index * lineHeight + 12,
      text,
      size,
      ...(index === 0 ? { face, bold: true } : {}),
      room: across.width - 2 * padding,
    }),
  )
  return { marks, height: y + height }
}

function numberBox(steps: number, titles: readonly string[], width: number): Box {
  const widths = titles.map((text, index) => widthOf(text, size, index === 0 ? face : 'sans'))
  return {
    x: 0,
    y: steps * (rowHeight + gap),
    width: Math.min(width, Math.max(narrowest, ...widths) + 2 * padding + 2),
    height: titles.length * lineHeight + 2 * padding - 2,
  }
}

/** The boxes of operands below `top`: side by side where they have room, else one below the other. */
export function operandBoxes(rows: readonly Row[], top: number, width: number): { boxes: Box[]; isRow: boolean } {
  const names = rows.map(({ name }) => widthOf(name, size, face))
  const values = rows.map(({ value }) => widthOf(digits(value), size, face))
  const wide = Math.max(narrowest, ...names, ...values) + 2 * padding
  const isRow = rows.length * (wide + gap) - gap <= width
  const column = Math.max(0, ...rows.map((_, at) => (names[at] ?? 0) + (values[at] ?? 0))) + 4 * padding
  const boxes = rows.map((_, at) =>
    isRow
      ? { x: at * (wide + gap), y: top + lineRoom, width: wide, height: 2 * lineHeight + padding }
      : {
          x: indent,
          y: top + gap + at * (rowHeight + 4),
          width: Math.min(width - indent, widest, Math.max(4 * narrowest, column)),
          height: rowHeight,
        },
  )
  return { boxes, isRow }
}

/** A number with its operands, which lines join to it. */
export function drawTree(
  way: readonly WayStep[],
  titles: readonly string[],
  operands: readonly Row[],
  width: number,
): Scene {
  const number = drawNumber(way, titles, width)
  const { boxes, isRow } = operandBoxes(operands, number.height, width)
  const marks = [...number.marks]
  const from = numberBox(0, titles, width).width / 2
  boxes.forEach((at, index) => {
    const { name, value } = operands[index] ?? { name: '', value: NaN }
    const middle = at.x + at.width / 2
    if (isRow) {
      const text = { kind: 'text', x: middle, size, face, anchor: 'middle', room: at.width - padding } as const
      marks.push(
        line(from, number.height, middle, at.y),
        box(at),
        { ...text, y: at.y + 16, text: name, tone: 'quiet' },
        { ...text, y: at.y + 16 + lineHeight, text: digits(value) },
      )
    } else marks.push(line(spine, at.y + rowHeight / 2, at.x, at.y + rowHeight / 2), ...rowOf(at, name, digits(value)))
  })
  const last = boxes.at(-1)
  if (last && !isRow) marks.push(line(spine, number.height, spine, last.y + rowHeight / 2))
  return { width, height: (last ? last.y + last.height : number.height) + 1, marks }
}

/** The operand below a place of the picture without a way; undefined beside them. */
export function operandAt(
  x: number,
  y: number,
  titles: readonly string[],
  operands: readonly Row[],
  width: number,
): number | undefined {
  const { height } = numberBox(0, titles, width)
  const { boxes } = operandBoxes(operands, height, width)
  const found = boxes.findIndex((at) => x >= at.x && x <= at.x + at.width && y >= at.y && y <= at.y + at.height)
  return found < 0 ? undefined : found
}
