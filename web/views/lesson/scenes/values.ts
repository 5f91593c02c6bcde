// Each value times its weight, and the sum of all: the head's output.
import { percent } from '../../../i18n/numbers'
import { t } from '../messages.en'
import { between, drawNames, layRows, paintOf, strip, title, type Matrix } from '../strips'
import { factsOf } from '../facts'
import type { DrawStep } from './scene'
import { rowAmong } from './projections'
import { weightOf } from './scores'

const numberRoom = 58
const outputHeight = 44

/** The sum of the first values times their weights. */
function sumOf({ values, columns }: Matrix, weights: readonly number[]): Matrix {
  const sum = new Float32Array(columns)
  weights.forEach((weight, row) => {
    for (let column = 0; column < columns; column++)
      sum[column] = (sum[column] ?? 0) + weight * (values[row * columns + column] ?? 0)
  })
  return { values: sum, columns }
}

export const drawValues: DrawStep = ({ subject, numbers, at, box, scheme }) => {
  const { display } = subject.run.reading
  const { keys, key } = subject
  const rows = layRows(display, keys, key, { ...box, height: box.height - outputHeight })
  const { value, output } = numbers
  const x = rows.x + rows.names + numberRoom
  const width = box.width - rows.names - numberRoom
  const bottom = rows.y + rows.positions.length * rows.pitch
  const percents = rows.positions.map((position, row) => ({
    kind: 'text' as const,
    x: x - 8,
    y: rows.y + (row + 0.5) * rows.pitch + 4,
    text: percent(weightOf(subject, position)),
    anchor: 'end' as const,
    face: 'mono' as const,
    size: 12,
  }))
  const paint = value && paintOf(value.values, scheme)
  const strips =
    value && paint
      ? rows.positions.flatMap((position, row) => {
          // First the values as they are, then paler by their weights.
          const factor = between(1, weightOf(subject, position), Math.min(1, 2 * at))
          const entry = (number: number) => paint.entry(number * factor)
          const place = { x, y: rows.y + row * rows.pitch + 2, width, height: rows.pitch - 4 }
          return strip(value, rowAmong(subject, 'key', position) ?? 0, { ...paint, entry }, place)
        })
      : []
  const all = Array.from({ length: keys.to - keys.from }, (_, at) => weightOf(subject, keys.from + at))
  const added = Math.round(Math.max(0, 2 * at - 1) * all.length)
  // Values that rotate are added up after their rotation, which the engine alone has.
  const sum = at >= 1 || factsOf(subject).rotatesValues ? output : value && sumOf(value, all.slice(0, added))
  const place = { x, y: bottom + 18, width, height: 18 }
  return {
    marks: [
      ...strips,
      ...(sum && paint && added > 0 ? strip(sum, 0, paint, place) : []),
      title(rows.x + rows.names, box.y, t().columns.weight, numberRoom),
      title(x, box.y, at === 0 ? t().columns.value : t().columns.weighted, width),
      { kind: 'line', x1: x, x2: x + width, y1: bottom + 8, y2: bottom + 8, stroke: 'edge' },
      {
        kind: 'text',
        x: rows.x,
        y: bottom + 32,
        text: t().columns.output,
        size: 12,
        bold: true,
        tone: 'ink',
        room: x - rows.x - 8,
      },
      ...percents,
      ...drawNames(rows, display, subject.part === 'cross' ? { key } : { query: subject.query, key }),
    ],
    bottom: bottom + outputHeight,
    rows,
    selects: 'key',
  }
}
