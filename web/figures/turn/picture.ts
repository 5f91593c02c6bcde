// Two arrows on a circle, their score at every distance, and which numbers make a pair.
import { chart, widthOfText } from '../../charts/chart'
import type { Mark, Scene, Tone } from '../../charts/marks'
import { t } from './messages.en'

export type Vector = [number, number]

/** A vector before and after its rotation. */
interface Arrow {
  before: Vector
  after: Vector
}

export interface Arrows {
  query: Arrow
  key: Arrow
  m: number
  n: number
  /** At distances −reach … reach (m − n), `steps` from one to the next. */
  sweep: ArrayLike<number>
  score: number
  halves: boolean
}

export interface TurnPlan {
  width: number
  height: number
  /** Of the circle, and px of a length of 1. */
  x: number
  y: number
  unit: number
  isWide: boolean
}

const foot = 54

/** @param available the height that is left for the picture */
export function planTurn(width: number, available: number): TurnPlan {
  const height = Math.max(260, available - 2)
  const isWide = width >= 620
  const room = isWide ? Math.min(width * 0.46, height - foot - 8) : Math.min(width * 0.62, (height - foot) * 0.55)
  const unit = room / 2 - 14
  return { width, height, x: isWide ? width * 0.24 : width / 2, y: room / 2 + 4, unit, isWide }
}

/** The curve's distances. */
export const reach = 12
/** Scores from one distance to the next. */
export const steps = 4

export function drawTurn(plan: TurnPlan, arrows: Arrows): Scene {
  const { width, height, x, y, unit, isWide } = plan
  const top = isWide ? 0 : y + unit + 20
  const left = isWide ? width * 0.5 : 0
  const box = { x: left, y: top, width: width - left, height: height - foot - top }
  return {
    width,
    height,
    marks: [
      { kind: 'circle', x, y, r: unit, stroke: 'rule', weight: 1 },
      { kind: 'line', x1: x - unit, x2: x + unit, y1: y, y2: y, stroke: 'rule' },
      { kind: 'line', x1: x, x2: x, y1: y - unit, y2: y + unit, stroke: 'rule' },
      ...arrow(plan, arrows.key, 'key', 4),
      ...arrow(plan, arrows.query, 'query', 2.6),
      ...curve(box, arrows),
      ...pairing(plan, arrows.halves),
    ],
  }
}

function arrow({ x, y, unit }: TurnPlan, { before, after }: Arrow, tone: Tone, weight: number): Mark[] {
  const at = ([a, b]: Vector) => ({ x2: x + unit * a, y2: y - unit * b })
  const [was, is] = [at(before), at(after)]
  return [
    { kind: 'line', x1: x, y1: y, ...was, stroke: tone, weight: 1.2, dash: '2 3' },
    { kind: 'circle', x: was.x2, y: was.y2, r: 7, fill: 'card', stroke: tone, weight: 1.6 },
    { kind: 'line', x1: x, y1: y, ...is, stroke: tone, weight },
    { kind: 'circle', x: is.x2, y: is.y2, r: 4, fill: tone },
  ]
}

function curve(box: { x: number; y: number; width: number; height: number }, arrows: Arrows): Mark[] {
  const { sweep, m, n, score } = arrows
  // As one reads: a key behind on the left.
  const points = Array.from(sweep, (value, index) => [reach - index / steps, value] as const).sort(
    ([one], [other]) => one - other,
  )
  const most = Math.max(0.1, ...points.map(([, value]) => Math.abs(value)))
  const axis = { from: -reach, to: reach, name: '', written: (value: number) => String(Math.abs(value)) }
  const plan = chart(box, axis, { from: -most, to: most, name: t().score(score) }, [{ points, weight: 1.8 }])
  const place = n - m
  const at = Math.min(reach, Math.max(-reach, place))
  const marks = [...plan.marks]
  marks.push({
    kind: 'line',
    x1: plan.x(at),
    x2: plan.x(at),
    y1: plan.top,
    y2: plan.bottom,
    stroke: 'key',
    dash: '2 2',
  })
  if (at === place) marks.push({ kind: 'circle', x: plan.x(at), y: plan.y(score), r: 4.5, fill: 'key' })
  marks.push({ kind: 'text', x: plan.left, y: plan.bottom + 29, text: t().behind, size: 10.5, tone: 'key' })
  marks.push({
    kind: 'text',
    x: plan.right,
    y: plan.bottom + 29,
    text: t().ahead,
    size: 10.5,
    tone: 'key',
    anchor: 'end',
  })
  return marks
}

/** Eight numbers of a row, joined as they are turned. */
function pairing({ width, height }: TurnPlan, halves: boolean): Mark[] {
  const size = 8
  const cell = Math.min(64, width / size)
  const left = (width - size * cell) / 2
  const y = height - 20
  const middle = (at: number) => left + (at + 0.5) * cell
  const marks: Mark[] = []
  for (let at = 0; at < size; at++) {
    marks.push({
      kind: 'rect',
      x: left + at * cell + 2,
      y: y - 1,
      width: cell - 4,
      height: 20,
      stroke: 'edge',
      fill: 'token',
      round: 3,
    })
    marks.push({
      kind: 'text',
      x: middle(at),
      y: y + 13,
      text: t().dimension(at),
      size: 10.5,
      anchor: 'middle',
      face: 'mono',
      tone: 'ink',
    })
  }
  for (let pair = 0; pair < size / 2; pair++) {
    const [one, other] = halves ? [pair, pair + size / 2] : [2 * pair, 2 * pair + 1]
    const up = halves ? 8 + 5 * pair : 12
    const d = `M${middle(one)} ${y - 2}C${middle(one)} ${y - 2 - up} ${middle(other)} ${y - 2 - up} ${middle(other)} ${y - 2}`
    marks.push({ kind: 'path', d, stroke: 'ink', weight: 1.4 })
  }
  const name = `${t().pairing} ${halves ? t().pairings.halves : t().pairings.neighbours}`
  if (widthOfText(name) < left) marks.push({ kind: 'text', x: 0, y: y + 13, text: name, size: 10.5 })
  return marks
}

/** The vector under a point, no longer than 1. */
export function vectorAt({ x, y, unit }: TurnPlan, px: number, py: number): Vector {
  const [a, b] = [(px - x) / unit, (y - py) / unit]
  const length = Math.max(1, Math.hypot(a, b))
  const round = (value: number) => Math.round((100 * value) / length) / 100
  return [round(a), round(b)]
}

/** A vector turned by steps of 5 degrees, or made longer. */
export function moved([x, y]: Vector, by: { turn?: number; longer?: number }): Vector {
  const length = Math.min(1, Math.max(0.05, Math.hypot(x, y) + (by.longer ?? 0)))
  const angle = Math.atan2(y, x) + ((by.turn ?? 0) * Math.PI) / 180
  const round = (value: number) => Math.round(1000 * value) / 1000
  return [round(length * Math.cos(angle)), round(length * Math.sin(angle))]
}
