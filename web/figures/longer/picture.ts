// Losses by length as a chart, and below it a head's map at each length.
import { chart } from '../../charts/chart'
import { weightEntry } from '../../charts/colour'
import type { Mark, Scene } from '../../charts/marks'
import type { Loss } from '../../engine/protocol/protocol'
import { score } from '../../i18n/format'
import { t } from './messages.en'
import type { SmallMap } from './texts'
import { greatestMultiple, multiples, wayIds, type Multiple, type WayId } from './ways'

export interface LongerNumbers {
  ways: readonly WayId[]
  context: number
  loss: (way: WayId, multiple: Multiple) => Loss | undefined
  map: (multiple: Multiple) => SmallMap | undefined
}

const dashes = [
  undefined,
  '6 3',
  '2 3',
  '8 3 2 3',
  '1 4',
  '10 4',
  '4 2 1 2',
  '12 3 2 3',
  '3 6',
  '6 2 2 2 2 2',
  '14 4',
  '5 5',
]

const gap = 14
const leastChartHeight = 190

export function drawLonger(
  { ways, context, loss, map }: LongerNumbers,
  { width, height }: { width: number; height: number },
  palette: Uint8Array,
): Scene {
  const side = Math.max(60, Math.min((width - 2 * gap) / 3, height - 36 - leastChartHeight))
  const below = side + 36
  const points = ways.flatMap((way) =>
    multiples.flatMap((multiple) => {
      const mean = loss(way, multiple)?.mean
      return mean === undefined || !Number.isFinite(mean) ? [] : [{ multiple, mean }]
    }),
  )
  const means = points.map(({ mean }) => mean)
  const [lowest, greatest] = means.length > 0 ? [Math.min(...means), Math.max(...means)] : [3, 4]
  const slack = Math.max(0.02, (greatest - lowest) * 0.15)
  const label = (way: WayId) => {
    const end = loss(way, greatestMultiple)
    return end ? `${t().ways[way]} ${score(end.mean)}` : t().ways[way]
  }
  const plan = chart(
    { x: 0, y: 0, width, height: height - below },
    {
      from: 1,
      to: greatestMultiple,
      name: t().across,
      log: true,
      ticks: multiples,
      written: (multiple) => t().times(multiple, context * multiple),
    },
    { from: lowest - slack, to: greatest + slack, name: t().up },
    ways.map((way) => {
      const dash = dashes[wayIds.indexOf(way)]
      return {
        points: multiples.map((multiple) => [multiple, loss(way, multiple)?.mean ?? NaN] as const),
        weight: way === 'plain' ? 2.4 : 1.6,
        label: label(way),
        ...(dash === undefined ? {} : { dash }),
      }
    }),
  )
  const marks: Mark[] = [...plan.marks]
  if (means.length === 0) {
    const [x, y] = [(plan.left + plan.right) / 2, (plan.top + plan.bottom) / 2]
    marks.push({ kind: 'text', x, y, text: t().nothing, anchor: 'middle', room: width })
  }
  for (const { multiple, mean } of points) {
    const [x, y] = [plan.x(multiple), plan.y(mean)]
    marks.push({ kind: 'circle', x, y, r: 3, fill: 'card', stroke: 'ink', weight: 1.4 })
  }
  multiples.forEach((multiple, index) => {
    const x = index * (side + gap)
    const y = height - below + 32
    const small = map(multiple)
    const text = small ? t().map(small.length, small.strongest) : t().times(multiple, context * multiple)
    marks.push({ kind: 'text', x, y: y - 6, text, size: 10.5, room: side })
    if (small) {
      const pixels = paint(small, palette)
      marks.push({ kind: 'raster', x, y, width: side, height: side, columns: small.side, rows: small.side, pixels })
    }
    marks.push({ kind: 'rect', x, y, width: side, height: side, stroke: 'rule' })
  })
  return { width, height, marks }
}

function paint({ cells }: SmallMap, palette: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(4 * cells.length)
  cells.forEach((weight, at) => {
    const colour = 3 * weightEntry(weight)
    for (let channel = 0; channel < 3; channel++) image[4 * at + channel] = palette[colour + channel] ?? 0
    image[4 * at + 3] = 255
  })
  return image
}
