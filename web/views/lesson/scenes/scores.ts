// The scores of a query and all keys that it sees, and the weights that softmax makes of them.
import type { Mark } from '../../../charts/marks'
import { weightAt } from '../../../charts/matrix'
import { percent, score } from '../../../i18n/numbers'
import { t } from '../messages.en'
import { between, drawNames, inTurn, layRows, paintOf, strip, title, type Rows } from '../strips'
import type { Subject } from '../subject'
import type { DrawStep, StepScene } from './scene'

/** q · k of the selected query and a key, times the factor of scores. */
export function scoreOf({ run, info, query }: Subject, key: number): number {
  const size = info.head_size
  const at = (rows: Float32Array, position: number, column: number) => rows[position * size + column] ?? 0
  let sum = 0
  for (let column = 0; column < size; column++) sum += at(run.head.query, query, column) * at(run.head.key, key, column)
  return sum * info.scale
}

export const weightOf = ({ run, query }: Subject, key: number): number => weightAt(run.head, query, key)

/** Whether the query sees a key: one that is masked, as beyond a sliding window, has no weight. */
export const isVisible = (subject: Subject, position: number): boolean =>
  position >= subject.keys.from && position < subject.keys.to && weightOf(subject, position) > 0

/** The keys that the query sees, with scores and weights, the best first. */
export const rankedKeys = (subject: Subject): { key: number; score: number; weight: number }[] =>
  Array.from({ length: subject.keys.to - subject.keys.from }, (_, at) => subject.keys.from + at)
    .filter((key) => isVisible(subject, key))
    .map((key) => ({ key, score: scoreOf(subject, key), weight: weightOf(subject, key) }))
    .sort((one, other) => other.score - one.score)

const numberRoom = 58
const longest = 340
/** Px of the query's own vector, above the keys'. */
const queryHeight = 26

interface Bars {
  rows: Rows
  /** Px from the names to the bars, and the room of these. */
  from: number
  room: number
  /** The largest score by size. */
  largest: number
}

/** @param vectors px between the names and the numbers, for the keys themselves */
function layBars({ subject, box }: Parameters<DrawStep>[0], vectors = 0): Bars {
  const { display } = subject.run.reading
  // Tokens that a decoder must not see yet are in the list, without a score.
  const range = subject.part === 'cross' ? subject.keys : subject.rows
  const rows = layRows(display, range, subject.key, box)
  const largest = Math.max(...rankedKeys(subject).map(({ score }) => Math.abs(score))) || 1
  const from = rows.x + rows.names + vectors + numberRoom
  return { rows, from, room: Math.min(longest, box.width - rows.names - vectors - 2 * numberRoom), largest }
}

function sceneOf(subject: Subject, { rows }: Bars, marks: readonly Mark[]): StepScene {
  const selected = subject.part === 'cross' ? { key: subject.key } : { query: subject.query, key: subject.key }
  return {
    marks: [...marks, ...drawNames(rows, subject.run.reading.display, selected)],
    bottom: rows.y + rows.positions.length * rows.pitch,
    rows,
    selects: 'key',
  }
}

const number = (x: number, middle: number, text: string): Mark => ({
  kind: 'text',
  x,
  y: middle + 4,
  text,
  anchor: 'end',
  face: 'mono',
  size: 12,
})

export const drawScores: DrawStep = (inputs) => {
  const { subject, at, box, scheme } = inputs
  const vectors = 0.3 * box.width
  const bars = layBars(
    { ...inputs, box: { ...box, y: box.y + queryHeight, height: box.height - queryHeight } },
    vectors,
  )
  const { rows, from, room, largest } = bars
  const { head, reading } = subject.run
  const columns = subject.info.head_size
  const paints = { query: paintOf(head.query, scheme), key: paintOf(head.key, scheme) }
  const stripAt = (of: 'query' | 'key', position: number, y: number) =>
    strip({ values: head[of], columns }, position, paints[of], {
      x: rows.x + rows.names,
      y,
      width: vectors - 12,
      height: rows.pitch - 4,
    })
  const pairs = [
    ...stripAt('query', subject.query, box.y + 4),
    ...rows.positions.flatMap((position, row) =>
      isVisible(subject, position) ? stripAt('key', position, rows.y + row * rows.pitch + 2) : [],
    ),
  ]
  const queryName: Mark = {
    kind: 'text',
    x: box.x,
    y: box.y + 15,
    text: reading.display[subject.query] ?? '',
    size: 12,
    bold: true,
    tone: 'query',
    room: rows.names - 6,
  }
  // Bars of negative scores go to the left.
  const zero = from + room / 2
  const marks = rows.positions.flatMap((position, row): Mark[] => {
    const middle = rows.y + (row + 0.5) * rows.pitch
    if (!isVisible(subject, position)) return [masked(from, middle, room)]
    const grown = inTurn(at, row, rows.positions.length)
    if (grown === 0) return []
    const value = scoreOf(subject, position)
    const width = (Math.abs(value) / largest) * (room / 2) * grown
    return [
      {
        kind: 'rect',
        x: value < 0 ? zero - width : zero,
        y: middle - 5,
        width,
        height: 10,
        fill: value < 0 ? 'negative' : 'positive',
      },
      ...(grown < 1 ? [] : [number(from - 6, middle, score(value))]),
    ]
  })
  const bottom = rows.y + rows.positions.length * rows.pitch
  const axis: Mark = { kind: 'line', x1: zero, x2: zero, y1: rows.y, y2: bottom, stroke: 'rule' }
  const headings = [
    title(
      rows.x + rows.names,
      box.y + queryHeight,
      subject.rotates ? t().columns.rotatedKeys : t().columns.keys,
      vectors,
    ),
    title(from - numberRoom + 14, box.y + queryHeight, t().columns.score, room),
    title(
      rows.x + rows.names + vectors,
      box.y + 2,
      subject.rotates ? t().columns.rotatedQuery : t().columns.query,
      room,
    ),
  ]
  return sceneOf(subject, bars, [queryName, ...headings, axis, ...pairs, ...marks])
}

const masked = (x: number, middle: number, room: number): Mark => ({
  kind: 'text',
  x,
  y: middle + 4,
  text: t().masked,
  size: 11,
  room,
})

export const drawWeights: DrawStep = (inputs) => {
  const { subject, at, box } = inputs
  const bars = layBars(inputs)
  const { rows, from, room, largest } = bars
  const most = Math.max(...rankedKeys(subject).map(({ weight }) => weight)) || 1
  const marks = rows.positions.flatMap((position, row): Mark[] => {
    const middle = rows.y + (row + 0.5) * rows.pitch
    if (!isVisible(subject, position)) return [masked(from, middle, room)]
    const [value, weight] = [scoreOf(subject, position), weightOf(subject, position)]
    const half = room / 2
    const before = {
      from: value < 0 ? half * (1 - Math.abs(value) / largest) : half,
      width: (half * Math.abs(value)) / largest,
    }
    const x = from + between(before.from, 0, at)
    const width = between(before.width, (room * weight) / most, at)
    const fill = value < 0 && at < 0.5 ? 'negative' : 'positive'
    return [
      { kind: 'rect', x, y: middle - 5, width: Math.max(0.75, width), height: 10, fill },
      number(from - 6, middle, score(value)),
      ...(at < 1 ? [] : [number(from + room + numberRoom, middle, percent(weight))]),
    ]
  })
  const headings = [
    title(rows.x + rows.names, box.y, t().columns.score, numberRoom + room),
    ...(at < 1 ? [] : [title(from + room + 14, box.y, t().columns.weight, numberRoom)]),
  ]
  return sceneOf(subject, bars, [...headings, ...marks])
}
