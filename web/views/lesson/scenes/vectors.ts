// Each token fetches its row of the embedding matrix; where the model adds positions, a row for each position comes on top.
import type { Mark } from '../../../charts/marks'
import { integer } from '../../../i18n/numbers'
import { t } from '../messages.en'
import { drawNames, inTurn, layRows, paintOf, strip, title, type Matrix } from '../strips'
import { rowOf } from '../subject'
import type { DrawStep } from './scene'

const gap = 16
const idRoom = 58

export const drawVectors: DrawStep = ({ subject, numbers, at, box, scheme }) => {
  const { display, ids } = subject.run.reading
  const rows = layRows(display, subject.rows, subject.query, box)
  const { word, position } = numbers
  const all = [
    { matrix: word, name: t().columns.word },
    { matrix: position, name: t().columns.position },
  ].filter((column): column is { matrix: Matrix; name: string } => column.matrix !== undefined)
  const from = rows.x + rows.names + idRoom
  const width = (box.x + box.width - from - gap * (all.length - 1)) / Math.max(1, all.length)
  const numbersOfTokens = rows.positions.map((position, row): Mark => ({
    kind: 'text',
    x: from - 10,
    y: rows.y + (row + 0.5) * rows.pitch + 4,
    text: integer(ids[position] ?? 0),
    anchor: 'end',
    size: 12,
    face: 'mono',
  }))
  const marks = all.flatMap(({ matrix, name }, index) => {
    const x = from + index * (width + gap)
    const paint = paintOf(matrix.values, scheme)
    const part = inTurn(at, index, all.length)
    return [
      ...rows.positions.flatMap((token, row) =>
        strip(
          matrix,
          rowOf(subject, token),
          paint,
          { x, y: rows.y + row * rows.pitch + 2, width, height: rows.pitch - 4 },
          part,
        ),
      ),
      title(x, box.y, name, width),
    ]
  })
  return {
    marks: [...marks, ...numbersOfTokens, ...drawNames(rows, display, { query: subject.query })],
    bottom: rows.y + rows.positions.length * rows.pitch,
    rows,
    selects: 'query',
  }
}
