// A waterfall from top to bottom: each bar begins where the sum before it ends.
import { leastPitch } from '../../charts/bars'
import { widthOf } from '../../charts/labels'
import type { Mark, Scene } from '../../charts/marks'
import { signed } from '../../i18n/numbers'

export interface Bar {
  name: string
  value: number
  isSelected: boolean
}

const numberRoom = 62
/** Longer bars are harder to read against their names. */
const longest = 340

/** `total`: the name of the last bar, from 0 to the sum of all. */
export function drawWaterfall(bars: readonly Bar[], total: string, width: number): Scene {
  const names = [...bars.map(({ name }) => name), total]
  const nameRoom = Math.min(0.45 * width, Math.max(...names.map((name) => widthOf(name, 12))) + 12)
  const track = Math.min(longest, Math.max(40, width - nameRoom - numberRoom))
  const right = nameRoom + track + numberRoom
  const sums = bars.reduce((sums, { value }) => [...sums, (sums.at(-1) ?? 0) + value], [0])
  const [least, most] = [Math.min(...sums), Math.max(...sums)]
  const x = (sum: number) => nameRoom + ((sum - least) / (most - least || 1)) * track
  const row = (index: number, { name, value, isSelected }: Bar, from: number): Mark[] => {
    const middle = (index + 0.5) * leastPitch
    const [start, end] = [x(from), x(from + value)]
    const text = { kind: 'text', y: middle + 4, size: 12, bold: isSelected } as const
    return [
      { ...text, x: 0, text: name, room: nameRoom - 6 },
      {
        kind: 'rect',
        x: Math.min(start, end),
        y: middle - 5,
        width: Math.max(0.75, Math.abs(end - start)),
        height: 10,
        fill: value < 0 ? 'negative' : 'positive',
      },
      { kind: 'line', x1: end, y1: middle - 5, x2: end, y2: middle + leastPitch - 5, stroke: 'edge' },
      { ...text, x: right, text: signed(value), face: 'mono', anchor: 'end' },
    ]
  }
  const sum = sums.at(-1) ?? 0
  const height = (bars.length + 1) * leastPitch
  const middle = height - leastPitch / 2
  const last = { kind: 'text', y: middle + 4, size: 12, bold: true } as const
  return {
    width,
    height,
    marks: [
      { kind: 'line', x1: x(0), y1: 0, x2: x(0), y2: height, stroke: 'rule' },
      ...bars.flatMap((bar, index) => row(index, bar, sums[index] ?? 0)),
      { ...last, x: 0, text: total, room: nameRoom - 6 },
      {
        kind: 'rect',
        x: Math.min(x(0), x(sum)),
        y: middle - 5,
        width: Math.abs(x(sum) - x(0)),
        height: 10,
        fill: 'ink',
      },
      { ...last, x: right, text: signed(sum), face: 'mono', anchor: 'end' },
    ],
  }
}

/** The bar at this height; undefined beside them. */
export function barAt(y: number, bars: number): number | undefined {
  const bar = Math.floor(y / leastPitch)
  return bar >= 0 && bar < bars ? bar : undefined
}
