// The list of candidates as bars, and their cumulative probability over the rank: thin before the settings, black after them.
import { scaleLinear, scaleLog } from 'd3-scale'
import { drawBars, type BarRow } from '../../charts/bars'
import { gridLines } from '../../charts/chart'
import type { Box, Mark, Scene, Tone } from '../../charts/marks'
import { percent } from '../../i18n/format'
import { countForShare, cumulative, remainingOf, type Candidates, type Option } from './data'
import { t } from './messages.en'

const size = 10.5
const margin = { left: 36, right: 8, top: 24, bottom: 36 }
/** Between the list and the curve. */
export const gap = 28

/** Whether the curve has room beside the list. */
export const isWide = (width: number): boolean => width >= 560

export const listWidthOf = (width: number): number => (isWide(width) ? Math.min(400, (width - gap) * 0.55) : width)

/** @param place the mask with its position; undefined for the next token */
export const titleOf = ({ sampled }: Candidates, place: string | undefined): string =>
  place ?? (sampled === undefined ? t().next : t().sampled)

/** All candidates with their curve, for a file. */
export function drawCandidates({ options, sampled }: Candidates, title: string, listWidth: number): Scene {
  const list = drawBars([{ title, rows: rowsOf(options, sampled) }], Math.max(260, Math.min(listWidth, 480)))
  const box = { x: list.width + gap, y: 0, width: 360, height: Math.max(240, list.height) }
  return { width: box.x + box.width, height: box.height, marks: [...list.marks, ...drawCurve(options, box)] }
}

export function rowsOf(options: readonly Option[], sampled: number | undefined): BarRow[] {
  return options.map(({ id, token, before, after }, rank): BarRow => {
    const row = { id, name: token }
    if (after === undefined) {
      const weight = rank === 0 ? { weight: 'strong' as const } : {}
      return { ...row, value: before, numbers: [percent(before)], ...weight }
    }
    const weight = after === 0 ? { weight: 'faint' as const } : id === sampled ? { weight: 'strong' as const } : {}
    return { ...row, value: after, before, numbers: [percent(before), percent(after)], ...weight }
  })
}

export function drawCurve(options: readonly Option[], box: Box): Mark[] {
  const [left, right] = [box.x + margin.left, box.x + box.width - margin.right]
  const [top, bottom] = [box.y + margin.top, box.y + box.height - margin.bottom]
  const last = Math.max(2, options.length)
  const x = scaleLog([1, last], [left, right]).base(2)
  const y = scaleLinear([0, 1], [bottom, top])
  const marks: Mark[] = [
    { kind: 'text', x: box.x, y: box.y + 11, text: t().cumulative, size },
    ...gridLines({ left, right }, [0, 0.25, 0.5, 0.75, 1], y, { written: t().share }),
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
      return `${index === 0 ? 'M' : 'L'}${from.toFixed(1)},${y(sum).toFixed(1)}H${to.toFixed(1)}`
    })
    return { kind: 'path', d: points.join(''), stroke, weight }
  }
  const remaining = remainingOf(options)
  const rank = remaining?.count ?? countForShare(options, 0.5)
  if (rank !== undefined && rank > 0) {
    const at = x(rank)
    const text = remaining ? t().remaining(rank) : t().half(rank)
    const anchor = at > (left + right) / 2 ? 'end' : 'start'
    marks.push({ kind: 'line', x1: at, x2: at, y1: top, y2: bottom, stroke: 'edge', dash: '2 2' })
    marks.push({ kind: 'text', x: at + (anchor === 'end' ? -5 : 5), y: bottom - 7, text, size, tone: 'ink', anchor })
  }
  const before = cumulative(options, (option) => option.before)
  if (!remaining) return [...marks, steps(before, 'ink', 1.8)]
  const after = cumulative(options, (option) => option.after ?? 0)
  return [...marks, steps(before, 'edge', 3), steps(after, 'ink', 1.8)]
}
