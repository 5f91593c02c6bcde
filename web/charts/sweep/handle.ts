// The handle below the curve over distances: where the key is, and the way that it has walked.
import { count } from '../../i18n/format'
import { roundStep } from '../labels'
import type { Mark } from '../marks'
import { widthOf } from '../pair-axis/axis'
import type { SweepPlan } from './draw'

export interface HandlePicture {
  /** query − key, between tokens too. */
  distance: number
  /** Under the handle. */
  label: string
  /** The end of the axis for keys ahead. */
  ahead: string
  reach: number
  causal: boolean
  /** The distances of a walk, while the key walks. */
  path: readonly number[] | undefined
}

const size = 10.5
const radius = 8

export function drawHandle({ left, right, bottom, x }: SweepPlan, picture: HandlePicture): Mark[] {
  const { distance, label, ahead, reach, causal, path } = picture
  const [line, low, at] = [bottom + 12, bottom + 32, x(-distance)]
  const pitch = Math.abs(x(1) - x(0))
  const mark = (place: number, half: number): Mark => ({
    kind: 'line',
    x1: place,
    x2: place,
    y1: line - half,
    y2: line + half,
    stroke: 'edge',
  })
  const marks: Mark[] = [{ kind: 'line', x1: left, x2: right, y1: line, y2: line, stroke: 'edge' }]
  const step = roundStep(((causal ? 1 : 2) * reach * 42) / (right - left))
  const half = widthOf(label, size + 0.5) / 2
  for (let place = -reach; place <= (causal ? 0 : reach); place++) {
    const isNumbered = place % step === 0
    if (pitch >= 5 || isNumbered) marks.push(mark(x(place), isNumbered ? 4 : 2.5))
    if (!isNumbered || Math.abs(x(place) - at) < half + 12) continue
    marks.push({
      kind: 'text',
      x: x(place),
      y: low,
      text: count(Math.abs(place)),
      size,
      face: 'mono',
      anchor: 'middle',
    })
  }
  marks.push({ kind: 'text', x: left - 4, y: line + 4, text: '←', size, tone: 'key', anchor: 'end' })
  if (!causal) marks.push({ kind: 'text', x: right + 6, y: line + 4, text: ahead, size, tone: 'key' })
  const [first, last] = [path?.[0], path?.at(-1)]
  if (first !== undefined && last !== undefined) {
    marks.push({ kind: 'line', x1: x(-first), x2: at, y1: line, y2: line, stroke: 'key', weight: 2.5 })
    for (const end of [first, last]) marks.push({ ...mark(x(-end), 6), stroke: 'ink', weight: 1.6 } as Mark)
  }
  const middle = Math.min(Math.max(at, left + half), right + 40 - half)
  const arrows = [-1, 1].map(
    (side) => `M${at + side * 2} ${line - 3}L${at + side * 4.6} ${line}L${at + side * 2} ${line + 3}`,
  )
  marks.push(
    { kind: 'circle', x: at, y: line, r: radius, fill: 'key', stroke: 'card', weight: 1.5 },
    { kind: 'path', d: arrows.join(''), stroke: 'card', weight: 1.4, role: 'control' },
    { kind: 'text', x: middle, y: low, text: label, size: size + 0.5, tone: 'key', bold: true, anchor: 'middle' },
  )
  return marks
}
