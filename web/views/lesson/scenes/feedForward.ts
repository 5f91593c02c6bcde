// The neurons of a feed-forward network for one token: before their activation, and what the output projection reads.
import type { Mark } from '../../../charts/marks'
import { paintCells } from '../../../charts/matrix'
import { signed } from '../../../i18n/numbers'
import { t } from '../messages.en'
import { between, paintOf, title } from '../strips'
import type { DrawStep } from './scene'

const listWidth = 210
const lineHeight = 22

/** The neurons with the largest values, by size. */
export const strongest = (activated: Float32Array, count: number): { neuron: number; value: number }[] =>
  Array.from(activated, (value, neuron) => ({ neuron, value }))
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
    .slice(0, count)

/** The part of the neurons whose value is small: less than a tenth of the largest. */
export function quietPart(activated: Float32Array): number {
  const largest = activated.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const quiet = activated.filter((value) => Math.abs(value) < largest / 10)
  return activated.length === 0 ? 0 : quiet.length / activated.length
}

export const drawFeedForward: DrawStep = ({ numbers: { inner, activated }, at, box, scheme }) => {
  if (!inner || !activated) return { marks: [], bottom: box.y + 100 }
  const isNarrow = box.width < 480
  const room = isNarrow ? box.width : box.width - listWidth - 24
  const count = activated.values.length
  // Cells of a grid that is as wide as its room.
  const columns = Math.ceil(Math.sqrt((count * room) / Math.max(80, Math.min(box.height - 30, room * 0.6))))
  const lines = Math.ceil(count / columns)
  const cell = room / columns
  const values = new Float32Array(columns * lines).fill(NaN)
  activated.values.forEach((value, neuron) => (values[neuron] = between(inner.values[neuron] ?? 0, value, at)))
  const paint = paintOf(values.slice(0, count), scheme)
  const grid = { x: box.x, y: box.y + 24, width: room, height: lines * cell }
  const cells = paintCells(
    { values, length: columns, ...paint },
    { ...grid, from: { query: 0, key: 0 }, queries: lines, keys: columns },
  )
  const list = isNarrow
    ? { x: box.x, y: grid.y + grid.height + 14, width: box.width }
    : { x: box.x + room + 24, y: box.y, width: listWidth }
  const best = strongest(activated.values, 8)
  const largest = Math.abs(best[0]?.value ?? 1) || 1
  const bar = list.width - 150
  const bars = best.flatMap(({ neuron, value }, row): Mark[] => {
    const middle = list.y + 24 + (row + 0.5) * lineHeight
    const text = { kind: 'text', y: middle + 4, size: 12 } as const
    const width = (Math.abs(value) / largest) * Math.min(bar, 200)
    return [
      { ...text, x: list.x, text: t().neuron(neuron), tone: 'ink', room: 84 },
      { kind: 'rect', x: list.x + 88, y: middle - 5, width, height: 10, fill: value < 0 ? 'negative' : 'positive' },
      { ...text, x: list.x + list.width, text: signed(value), anchor: 'end', face: 'mono' },
    ]
  })
  const name = at < 1 ? t().columns.inner : t().columns.activated
  return {
    marks: [
      cells,
      title(box.x, box.y, name, room),
      ...(at < 1 ? [] : [title(list.x, list.y, t().columns.strongest, list.width), ...bars]),
    ],
    bottom: Math.max(
      grid.y + grid.height,
      isNarrow ? list.y + 24 + best.length * lineHeight : box.y + 24 + best.length * lineHeight,
    ),
  }
}
