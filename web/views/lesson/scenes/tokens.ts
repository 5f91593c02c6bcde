// The text falls apart into tokens, and each gets its number in the vocabulary.
import { widthOf } from '../../../charts/labels'
import type { Mark } from '../../../charts/marks'
import { integer } from '../../../i18n/numbers'
import { t } from '../messages.en'
import { between, inTurn, layRows, title } from '../strips'
import type { DrawStep } from './scene'

const size = 13
const lineHeight = 22

export const drawTokens: DrawStep = ({ subject: { run, query }, at, box }) => {
  const { display, ids } = run.reading
  const rows = layRows(display, { from: 0, to: ids.length }, query, box)
  // Where each token is in the text, in lines.
  const inLine: { x: number; y: number }[] = []
  let [x, y] = [box.x, box.y + 16]
  for (const position of rows.positions) {
    const width = widthOf(display[position] ?? '', size) + 5
    if (x + width > box.x + box.width) [x, y] = [box.x, y + lineHeight]
    inLine.push({ x, y })
    x += width
  }
  const idAt = box.x + rows.names + 40
  const marks = rows.positions.flatMap((position, index): Mark[] => {
    const moved = inTurn(at, index / 2, rows.positions.length / 2 + 1)
    const from = inLine[index] ?? { x: box.x, y: box.y }
    const middle = rows.y + (index + 0.5) * rows.pitch
    const place = { x: between(from.x, rows.x + 4, moved), y: between(from.y, middle + 4, moved) }
    const text = display[position] ?? ''
    const width = Math.min(rows.names, widthOf(text, size) + 8)
    const isSelected = position === query
    return [
      // Before it falls apart it is plain text.
      ...(at === 0
        ? []
        : ([
            { kind: 'rect', x: place.x - 4, y: place.y - 13, width, height: 17, round: 3, fill: 'token' },
          ] satisfies Mark[])),
      {
        kind: 'text',
        ...place,
        text,
        size,
        room: rows.names - 6,
        tone: isSelected ? 'query' : 'ink',
        bold: isSelected,
      },
      ...(moved < 1
        ? []
        : ([
            { kind: 'line', x1: rows.x + rows.names + 6, x2: idAt - 8, y1: middle, y2: middle, stroke: 'edge' },
            { kind: 'text', x: idAt, y: middle + 4, text: integer(ids[position] ?? 0), size, face: 'mono' },
          ] satisfies Mark[])),
    ]
  })
  const heading = at < 1 ? [] : [title(idAt, box.y, t().columns.id, box.width - rows.names - 40)]
  return {
    marks: [...heading, ...marks],
    bottom: rows.y + rows.positions.length * rows.pitch,
    rows,
    selects: 'query',
  }
}
