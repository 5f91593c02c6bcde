// Three matrices of a head make a query, a key and a value of each token's vector.
import { t } from '../messages.en'
import { drawNames, inTurn, layRows, paintOf, strip, title } from '../strips'
import { rowOf, type Subject } from '../subject'
import type { DrawStep } from './scene'

const gap = 12

/** The row of a token in queries, or in keys and values: of cross-attention those are of the source. */
export const rowAmong = ({ part, rows }: Subject, of: 'query' | 'key', position: number): number | undefined => {
  if (part !== 'cross') return position
  if (of === 'query') return position < rows.from ? undefined : position - rows.from
  return position < rows.from ? position : undefined
}

export const drawProjections: DrawStep = ({ subject, numbers, at, box, scheme }) => {
  const { display } = subject.run.reading
  const isCross = subject.part === 'cross'
  const range = isCross ? { from: 0, to: subject.rows.to } : subject.rows
  const rows = layRows(display, range, subject.query, box)
  const columns = (['query', 'key', 'value'] as const).map((name) => ({ name, matrix: numbers[name] }))
  const { stream } = numbers
  const left = rows.x + rows.names
  const streamWidth = stream ? 0.34 * (box.width - rows.names) : 0
  const start = stream ? left + streamWidth + 2 * gap : left
  const width = (box.x + box.width - start - 2 * gap) / 3
  const streamPaint = paintOf(stream?.values ?? new Float32Array(), scheme)
  const streams = stream
    ? [
        title(left, box.y, t().columns.stream, streamWidth),
        ...rows.positions.flatMap((position, row) =>
          strip(stream, rowOf(subject, position), streamPaint, {
            x: left,
            y: rows.y + row * rows.pitch + 2,
            width: streamWidth,
            height: rows.pitch - 4,
          }),
        ),
      ]
    : []
  const marks = columns.flatMap(({ name, matrix }, index) => {
    if (!matrix) return []
    const x = start + index * (width + gap)
    const paint = paintOf(matrix.values, scheme)
    const part = inTurn(at, index, 3)
    const strips = rows.positions.flatMap((position, row) => {
      const among = rowAmong(subject, name === 'query' ? 'query' : 'key', position)
      const place = { x, y: rows.y + row * rows.pitch + 2, width, height: rows.pitch - 4 }
      return among === undefined ? [] : strip(matrix, among, paint, place, part)
    })
    return [...strips, title(x, box.y, t().columns[name], width)]
  })
  return {
    marks: [...streams, ...marks, ...drawNames(rows, display, { query: subject.query, key: subject.key })],
    bottom: rows.y + rows.positions.length * rows.pitch,
    rows,
    selects: 'query',
  }
}
