// Position × dimension as a picture, what adding makes of one row, and how crowded directions are.
import type { AddedPositions } from '../../engine/protocol'
import { count } from '../../elements/format'
import { chart } from '../../marks/chart'
import type { Mark, Scene } from '../../marks/marks'
import type { ReadWords } from '../../words/en/read'

type Said = ReadWords['figures']['added']

/** Dimensions whose random rows are compared, and so many pairs of each. */
export const dimensions = [8, 64, 512] as const
export const pairsDrawn = 240
/** Positions that are drawn. */
export const positions = 128

/** RGBA (2 · pairs, length) of the rows that are added, one dimension a row: sine, then cosine of each pair. */
export function paintPositions(theta: Float64Array, length: number, table: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(2 * theta.length * length * 4)
  theta.forEach((speed, pair) => {
    for (let position = 0; position < length; position++) {
      for (const [row, value] of [Math.sin(position * speed), Math.cos(position * speed)].entries()) {
        const colour = 3 * Math.round(127.5 * (1 + value))
        const into = 4 * ((2 * pair + row) * length + position)
        for (let channel = 0; channel < 3; channel++) image[into + channel] = table[colour + channel] ?? 0
        image[into + 3] = 255
      }
    }
  })
  return image
}

export interface AddedPlan {
  scene: Scene
  /** The position under x px. */
  at: (px: number) => number
}

export function drawAdded(
  told: AddedPositions,
  position: number,
  { width, height }: { width: number; height: number },
  table: Uint8Array,
  said: Said,
): AddedPlan {
  const { theta, norm, norms, cosines, random } = told
  const length = norms.length
  const rows = 2 * theta.length
  const dots = 24 * random.length + 26
  const picture = Math.max(60, (height - dots) * 0.34)
  const each = (height - dots - picture - 24) / 2
  const left = 44
  const x = (at: number) => left + ((at + 0.5) / length) * (width - left - 8)
  const most = Math.max(norm, ...norms) * 1.1
  const box = (index: number) => ({ x: 0, y: picture + 24 + index * each, width, height: each, margin: left })
  const axis = { from: -0.5, to: length - 0.5, name: said.positions }
  const points = (values: Float64Array) => Array.from(values, (value, at) => [at, value] as const)
  const lengths = chart(box(0), axis, { from: 0, to: most, name: said.norm }, [
    { points: points(norms), weight: 1.8 },
    {
      points: [
        [0, norm],
        [length - 1, norm],
      ],
      dash: '4 3',
      label: said.without(norm),
    },
  ])
  const directions = chart(box(1), axis, { from: Math.min(0, ...cosines), to: 1, name: said.cosine }, [
    { points: points(cosines), weight: 1.8 },
  ])
  const marks: Mark[] = [
    { kind: 'text', x: 0, y: 11, text: said.rows, size: 10.5 },
    { kind: 'text', x: left - 5, y: 28, text: count(0), size: 10, anchor: 'end', face: 'mono' },
    { kind: 'text', x: left - 5, y: picture + 10, text: count(rows - 1), size: 10, anchor: 'end', face: 'mono' },
    {
      kind: 'raster',
      x: x(-0.5),
      y: 18,
      width: x(length - 0.5) - x(-0.5),
      height: picture - 4,
      columns: length,
      rows,
      pixels: paintPositions(theta, length, table),
    },
    ...lengths.marks,
    ...directions.marks,
  ]
  for (const plan of [lengths, directions]) {
    const at = plan.x(position)
    marks.push({ kind: 'line', x1: at, x2: at, y1: plan.top, y2: plan.bottom, stroke: 'ink', dash: '2 2' })
  }
  const at = x(position)
  marks.push({ kind: 'line', x1: at, x2: at, y1: 14, y2: picture + 18, stroke: 'ink', weight: 1.6 })
  const below = height - dots
  marks.push({ kind: 'text', x: 0, y: below + 12, text: said.random, size: 10.5 })
  random.forEach((values, index) => {
    const y = below + 26 + 24 * index
    const from = Math.min(150, width * 0.34)
    const place = (cosine: number) => from + ((cosine + 1) / 2) * (width - from - 8)
    marks.push({ kind: 'text', x: 0, y: y + 4, text: said.dimensions(dimensions[index] ?? 0), size: 10.5, room: from })
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
  const clamp = (value: number) => Math.max(0, Math.min(length - 1, Math.round(value)))
  return { scene: { width, height, marks }, at: (px) => clamp(((px - left) / (width - left - 8)) * length - 0.5) }
}
