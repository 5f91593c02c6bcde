// What the likeliest tokens hold together, as steps over their rank: thin before the settings, black after them.
import { scaleLinear, scaleLog } from 'd3-scale'
import type { Mark, Tone } from '../../charts/marks'
import { candidates as said } from '../../i18n/en/views/candidates'
import { holding, kept, sums, type Option } from './model'

const size = 10.5
const margin = { left: 36, right: 8, top: 24, bottom: 36 }

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export function drawSums(options: readonly Option[], box: Box): Mark[] {
  const [left, right] = [box.x + margin.left, box.x + box.width - margin.right]
  const [top, bottom] = [box.y + margin.top, box.y + box.height - margin.bottom]
  const last = Math.max(2, options.length)
  const x = scaleLog([1, last], [left, right]).base(2)
  const y = scaleLinear([0, 1], [bottom, top])
  const marks: Mark[] = [{ kind: 'text', x: box.x, y: box.y + 11, text: said.sums, size }]
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const stroke = share === 0 ? 'edge' : 'rule'
    marks.push({ kind: 'line', x1: left, x2: right, y1: y(share), y2: y(share), stroke })
    marks.push({ kind: 'text', x: left - 5, y: y(share) + 3.5, text: said.share(share), size, anchor: 'end' })
  }
  for (let rank = 1; rank <= last; rank *= 2) {
    marks.push({ kind: 'line', x1: x(rank), x2: x(rank), y1: bottom, y2: bottom + 3, stroke: 'edge' })
    const text = String(rank)
    marks.push({ kind: 'text', x: x(rank), y: bottom + 14, text, size, face: 'mono', anchor: 'middle' })
  }
  marks.push({ kind: 'text', x: right, y: bottom + 29, text: said.rank, size, anchor: 'end' })

  const steps = (heights: readonly number[], stroke: Tone, weight: number): Mark => {
    const points = heights.map((sum, index) => {
      const [from, to] = [x(index + 1), x(Math.min(index + 2, last))]
      return `${index === 0 ? 'M' : 'L'}${from.toFixed(1)},${y(sum).toFixed(1)}H${to.toFixed(1)}`
    })
    return { kind: 'path', d: points.join(''), stroke, weight }
  }
  const remaining = kept(options)
  const place = remaining?.count ?? holding(options, 0.5)
  if (place !== undefined && place > 0) {
    const at = x(place)
    const text = remaining ? said.left(place) : said.half(place)
    const anchor = at > (left + right) / 2 ? 'end' : 'start'
    marks.push({ kind: 'line', x1: at, x2: at, y1: top, y2: bottom, stroke: 'edge', dash: '2 2' })
    marks.push({ kind: 'text', x: at + (anchor === 'end' ? -5 : 5), y: bottom - 7, text, size, tone: 'ink', anchor })
  }
  const before = sums(options, (option) => option.before)
  if (remaining) {
    marks.push(steps(before, 'edge', 3))
    marks.push(
      steps(
        sums(options, ({ after }) => after ?? 0),
        'ink',
        1.8,
      ),
    )
  } else marks.push(steps(before, 'ink', 1.8))
  return marks
}
