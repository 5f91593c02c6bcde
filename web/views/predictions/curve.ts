// The cumulative probability of predictions over their rank.
import { scaleLinear, scaleLog } from 'd3-scale'
import { gridLines } from '../../charts/chart'
import { px, type Box, type Mark, type Tone } from '../../charts/marks'
import { countForShare, cumulative, type Option } from './data'
import { t } from './messages.en'

const size = 10.5
const margin = { left: 36, right: 8, top: 24, bottom: 36 }

/** The cumulative probability over the rank: thin before the sampling settings, black after them. */
export function drawCurve(options: readonly Option[], left: number | undefined, box: Box): Mark[] {
  const [start, right] = [box.x + margin.left, box.x + box.width - margin.right]
  const [top, bottom] = [box.y + margin.top, box.y + box.height - margin.bottom]
  const last = Math.max(2, options.length)
  const x = scaleLog([1, last], [start, right]).base(2)
  const y = scaleLinear([0, 1], [bottom, top])
  const marks: Mark[] = [
    { kind: 'text', x: box.x, y: box.y + 11, text: t().cumulative, size },
    ...gridLines({ left: start, right }, [0, 0.25, 0.5, 0.75, 1], y, { format: t().share }),
  ]
  for (let rank = 1; rank <= last; rank *= 2) {
    marks.push({ kind: 'line', x1: x(rank), x2: x(rank), y1: bottom, y2: bottom + 3, stroke: 'edge' })
    const text = String(rank)
    marks.push({ kind: 'text', x: x(rank), y: bottom + 14, text, size, face: 'mono', anchor: 'middle' })
  }
  marks.push({ kind: 'text', x: right, y: bottom + 29, text: t().rank, size, anchor: 'end' })

  const steps = (heights: readonly number[], stroke: Tone, weight: number): Mark => {
    const points = heights.map((sum, index) => {
      const [from, to] = [x(index + 1), x(Math.min(index + 2, last))]
      return `${index === 0 ? 'M' : 'L'}${px(from)},${px(y(sum))}H${px(to)}`
    })
    return { kind: 'path', d: points.join(''), stroke, weight }
  }
  const rank = left ?? countForShare(options, 0.5)
  if (rank !== undefined && rank > 0) {
    const at = x(Math.min(rank, last))
    const text = left === undefined ? t().half(rank) : t().remaining(rank)
    const anchor = at > (start + right) / 2 ? 'end' : 'start'
    // A rank beyond the listed ones has no place.
    if (rank <= last) marks.push({ kind: 'line', x1: at, x2: at, y1: top, y2: bottom, stroke: 'edge', dash: '2 2' })
    marks.push({ kind: 'text', x: at + (anchor === 'end' ? -5 : 5), y: bottom - 7, text, size, tone: 'ink', anchor })
  }
  const before = cumulative(options, (option) => option.before)
  if (left === undefined) return [...marks, steps(before, 'ink', 1.8)]
  const after = cumulative(options, (option) => option.after ?? 0)
  return [...marks, steps(before, 'edge', 3), steps(after, 'ink', 1.8)]
}
