// Of a model that rotates nothing: the vector of each position, which is added to the token's own.
import { t } from '../messages.en'
import { drawNames, layRows, paintOf, strip, title } from '../strips'
import { rowOf } from '../subject'
import type { DrawStep } from './scene'

export const drawPositions: DrawStep = ({ subject, numbers: { position }, at, box, scheme }) => {
  const { display } = subject.run.reading
  const rows = layRows(display, subject.rows, subject.query, box)
  const x = rows.x + rows.names
  const width = box.width - rows.names
  const paint = position && paintOf(position.values, scheme)
  const drawn = Math.round(at * rows.positions.length)
  const strips =
    position && paint
      ? rows.positions.slice(0, drawn).flatMap((token, row) =>
          strip(position, rowOf(subject, token), paint, {
            x,
            y: rows.y + row * rows.pitch + 2,
            width,
            height: rows.pitch - 4,
          }),
        )
      : []
  return {
    marks: [
      ...strips,
      title(x, box.y, t().columns.position, width),
      ...drawNames(rows, display, { query: subject.query }),
    ],
    bottom: rows.y + rows.positions.length * rows.pitch,
    rows,
    selects: 'query',
  }
}
