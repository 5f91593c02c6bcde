// Position × dimension as a picture, two dimensions as curves, what adding makes of one row, and how crowded directions are.

import { integer } from '../../i18n/numbers'
import { clampIndex } from '../../engine/protocol/range'
import { chart } from '../../charts/chart'
import type { Mark, Scene, Size } from '../../charts/marks'
import { dimensions, type Added } from './data.svelte'
import { t } from './messages.en'

/** Three times the mean magnitude: a few numbers of a learned table are far larger than all others. */
const fullColour = (rows: Float64Array): number =>
  (3 * rows.reduce((sum, value) => sum + Math.abs(value), 0)) / Math.max(rows.length, 1)

/** RGBA (dimensions, length) of the rows that are added, (length, dimensions): a dimension a row. `largest` and beyond: the full colour. */
function paintPositions(
  rows: Float64Array,
  length: number,
  largest: number,
  palette: Uint8Array,
): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(4 * rows.length)
  const dimensions = rows.length / length
  rows.forEach((value, at) => {
    const [position, dimension] = [Math.floor(at / dimensions), at % dimensions]
    const colour = 3 * Math.round(127.5 * (1 + Math.max(-1, Math.min(1, value / largest))))
    const into = 4 * (dimension * length + position)
    for (let channel = 0; channel < 3; channel++) image[into + channel] = palette[colour + channel] ?? 0
    image[into + 3] = 255
  })
  return image
}

/** Fits an axis to these values: from 0 on, a curve of them would look flat. */
function span(...values: number[]): { from: number; to: number } {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const margin = 0.1 * (most - least) || 0.1
  return { from: least - margin, to: most + margin }
}

interface AddedPlan {
  scene: Scene
  /** The position under x px. */
  at: (px: number) => number
}

export function drawAdded(
  { numbers, table, position, pair }: Added,
  { width, height }: Size,
  palette: Uint8Array,
): AddedPlan {
  const { size: rows, norm, norms, cosines, random } = numbers
  const isLearned = table !== undefined
  const length = norms.length
  const largest = isLearned ? fullColour(numbers.rows) : 1
  const own = numbers.rows.filter((_, at) => Math.floor((at % rows) / 2) === pair)
  const one = isLearned ? Math.ceil(20 * own.reduce((most, value) => Math.max(most, Math.abs(value)), 0)) / 20 : 1
  const dots = 24 * random.length + 26
  const picture = Math.max(60, (height - dots) * 0.22)
  const each = (height - dots - picture - 24) / 3
  const left = 44
  const x = (at: number) => left + ((at + 0.5) / length) * (width - left - 8)
  const box = (index: number) => ({ x: 0, y: picture + 24 + index * each, width, height: each, margin: left })
  const axis = { from: -0.5, to: length - 0.5, name: t().positions, integers: true }
  const points = (values: Float64Array) => Array.from(values, (value, at) => [at, value] as const)
  /** The two dimensions of the pair, at every position. */
  const single = chart(
    box(0),
    axis,
    { from: -one, to: one, name: (isLearned ? t().both : t().single)(2 * pair, 2 * pair + 1), ticks: [-one, 0, one] },
    [0, 1].map((odd) => ({
      points: points(norms.map((_, at) => numbers.rows[at * rows + 2 * pair + odd] ?? NaN)),
      weight: 1.8,
      ...(odd === 1 ? { dash: '5 3' } : {}),
    })),
  )
  const lengths = chart(box(1), axis, { ...span(norm, ...norms), name: t().norm(position, norms[position] ?? NaN) }, [
    { points: points(norms), weight: 1.8 },
    {
      points: [
        [0, norm],
        [length - 1, norm],
      ],
      dash: '4 3',
      label: t().without(norm),
    },
  ])
  const directions = chart(
    box(2),
    axis,
    { ...span(1, ...cosines), name: t().cosine(position, cosines[position] ?? NaN) },
    [{ points: points(cosines), weight: 1.8 }],
  )
  const marks: Mark[] = [
    { kind: 'text', x: 0, y: 11, text: t().rows, size: 10.5, room: width },
    { kind: 'text', x: left - 5, y: 28, text: integer(0), size: 10, anchor: 'end', face: 'mono' },
    { kind: 'text', x: left - 5, y: picture + 10, text: integer(rows - 1), size: 10, anchor: 'end', face: 'mono' },
    {
      kind: 'raster',
      x: x(-0.5),
      y: 18,
      width: x(length - 0.5) - x(-0.5),
      height: picture - 4,
      columns: length,
      rows,
      pixels: paintPositions(numbers.rows, length, largest, palette),
    },
    // The rows of the two dimensions that are curves below.
    {
      kind: 'rect',
      x: left - 3,
      y: 18 + (2 * pair * (picture - 4)) / rows,
      width: 3,
      height: Math.max(2, (2 * (picture - 4)) / rows),
      fill: 'ink',
    },
    ...single.marks,
    ...lengths.marks,
    ...directions.marks,
  ]
  for (const plan of [single, lengths, directions]) {
    const at = plan.x(position)
    marks.push({ kind: 'line', x1: at, x2: at, y1: plan.top, y2: plan.bottom, stroke: 'ink', dash: '2 2' })
  }
  const at = x(position)
  marks.push({ kind: 'line', x1: at, x2: at, y1: 14, y2: picture + 18, stroke: 'ink', weight: 1.6 })
  const below = height - dots
  marks.push({ kind: 'text', x: 0, y: below + 12, text: t().random, size: 10.5, room: width })
  random.forEach((values, index) => {
    const y = below + 26 + 24 * index
    const from = Math.min(150, width * 0.34)
    const place = (cosine: number) => from + ((cosine + 1) / 2) * (width - from - 8)
    marks.push({ kind: 'text', x: 0, y: y + 4, text: t().dimensions(dimensions[index] ?? 0), size: 10.5, room: from })
    marks.push({ kind: 'line', x1: place(-1), x2: place(1), y1: y, y2: y, stroke: 'rule' })
    marks.push({ kind: 'line', x1: place(0), x2: place(0), y1: y - 9, y2: y + 9, stroke: 'edge' })
    for (const cosine of values)
      marks.push({
        kind: 'line',
        x1: place(cosine),
        x2: place(cosine),
        y1: y - 6,
        y2: y + 6,
        stroke: 'ink',
        opacity: 0.25,
      })
  })
  const [left0, right0] = [Math.min(150, width * 0.34), width - 8]
  for (const cosine of [-1, 0, 1])
    marks.push({
      kind: 'text',
      x: left0 + ((cosine + 1) / 2) * (right0 - left0),
      y: height - 2,
      text: String(cosine).replace('-', '−'),
      size: 10.5,
      anchor: 'middle',
    })
  return {
    scene: { width, height, marks },
    at: (px) => clampIndex(Math.round(((px - left) / (width - left - 8)) * length - 0.5), length),
  }
}
