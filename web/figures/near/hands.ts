// All hands of a rope on one dial, at a distance; the arrow that is their mean; and its length at every distance.
import { chart } from '../../charts/chart'
import { widthOf } from '../../charts/labels'
import { arrowTo, px, sector, type Mark, type Scene, type Box } from '../../charts/marks'
import { decimal, integer } from '../../i18n/numbers'
import { t } from './messages.en'
import type { Point } from '../../ui/pointer'

/** Hands that start at an angle (radians) and turn by θ a token; their lengths sum to 1. */
export interface Hands {
  theta: ArrayLike<number>
  start: ArrayLike<number>
  length: ArrayLike<number>
}

/** As long as each other, from 12 o’clock. */
export const alikeHands = (theta: ArrayLike<number>): Hands => ({
  theta,
  start: new Float64Array(theta.length),
  length: new Float64Array(theta.length).fill(1 / theta.length),
})

/** The pairs of a query and a key: as long as their lengths' product, from the angle that they have at distance 0. */
export function handsOf(theta: readonly number[], query: readonly number[], key: readonly number[]): Hands {
  const pairs = theta.map((_, pair) => {
    const [a, b] = [query[2 * pair] ?? 0, query[2 * pair + 1] ?? 0]
    const [c, d] = [key[2 * pair] ?? 0, key[2 * pair + 1] ?? 0]
    return { size: Math.hypot(a, b) * Math.hypot(c, d), angle: Math.atan2(b, a) - Math.atan2(d, c) }
  })
  const sum = pairs.reduce((sum, { size }) => sum + size, 0)
  return { theta, start: pairs.map(({ angle }) => angle), length: pairs.map(({ size }) => size / sum) }
}

/** The mean of the hands at a distance: along (12 o’clock) and across. */
export function arrowAt({ theta, start, length }: Hands, distance: number): { along: number; across: number } {
  let [along, across] = [0, 0]
  for (let pair = 0; pair < theta.length; pair++) {
    const angle = (start[pair] ?? 0) + distance * (theta[pair] ?? 0)
    along += (length[pair] ?? 0) * Math.cos(angle)
    across += (length[pair] ?? 0) * Math.sin(angle)
  }
  return { along, across }
}

export const lengthAt = (hands: Hands, distance: number): number => {
  const { along, across } = arrowAt(hands, distance)
  return Math.hypot(along, across)
}

/** Hands that have turned by no more stand together still. */
export const nearDegrees = 30
const near = (nearDegrees * Math.PI) / 180
const turn = 2 * Math.PI

/** Hands that have turned by at most 30°, and those that have gone round. */
export function countsAt({ theta }: Pick<Hands, 'theta'>, distance: number): { near: number; round: number } {
  const angles = Array.from(theta, (speed) => speed * distance)
  return { near: angles.filter((angle) => angle <= near).length, round: angles.filter((angle) => angle >= turn).length }
}

export const farthest = 10_000
const threeDistances = [1, 20, 200] as const

interface HandsPlan {
  width: number
  height: number
  dial: Point & { r: number }
  chart: Box
  band: { y: number; height: number }
  strip: { y: number; height: number }
}

/** From this width on the words of the three small dials stand beside them. */
const wide = 560
/** The width of those words, with the space around them. */
const wordRoom = 112

export function planHands(width: number, available: number): HandsPlan {
  const isWide = width >= wide
  const strip = isWide ? Math.max(96, Math.min(150, available * 0.24)) : 136
  const room = Math.max(isWide ? 260 : 210, available - (isWide ? strip + 26 : 0))
  const left = isWide ? Math.min(width * 0.46, room - 20) : width * 0.42
  const r = Math.max(30, Math.min(left / 2 - 16, room / 2 - 30))
  const band = Math.max(40, Math.min(80, room * 0.2))
  const x = left + (isWide ? 24 : 6)
  return {
    width,
    height: room + strip + 34,
    dial: { x: left / 2, y: r + 26, r },
    chart: { x, y: 0, width: width - x, height: room - band - 26 },
    band: { y: room - band - 18, height: band },
    strip: { y: room + 20, height: strip },
  }
}

/** Whole distances, close together where they are near, so that each ripple of the fast hands is there. */
const distances: readonly number[] = [
  ...new Set(Array.from({ length: 900 }, (_, index) => Math.round(farthest ** (index / 899)))),
]

/** The mean of neighbours on the log axis, for the line through the ripple. */
function smooth(values: readonly number[]): number[] {
  const logs = distances.map(Math.log10)
  return values.map((_, at) => {
    const around = values.filter((_, other) => Math.abs((logs[other] ?? 0) - (logs[at] ?? 0)) < 0.06)
    return around.reduce((sum, value) => sum + value, 0) / around.length
  })
}

function dial(hands: Hands, distance: number, { x, y, r }: HandsPlan['dial'], weight: number): Mark[] {
  const longest = Math.max(...Array.from(hands.length), 1e-9)
  const marks: Mark[] = [
    { kind: 'circle', x, y, r, fill: 'card', stroke: 'edge' },
    { kind: 'path', d: sector(x, y, r, Math.PI / 2 - near, Math.PI / 2), fill: 'token' },
    { kind: 'line', x1: x, x2: x, y1: y, y2: y - r, stroke: 'rule' },
  ]
  for (let pair = 0; pair < hands.theta.length; pair++) {
    const rotation = distance * (hands.theta[pair] ?? 0)
    const angle = (hands.start[pair] ?? 0) + rotation
    const size = (r * (hands.length[pair] ?? 0)) / longest
    // Clockwise, as clocks turn.
    const end = { x: x + size * Math.sin(angle), y: y - size * Math.cos(angle) }
    const tone = rotation <= near ? 'ink' : rotation < turn ? 'quiet' : 'edge'
    marks.push({ kind: 'line', x1: x, y1: y, x2: end.x, y2: end.y, stroke: tone, weight })
    if (r > 60) marks.push({ kind: 'circle', ...end, r: 2.4, fill: tone })
  }
  const { along, across } = arrowAt(hands, distance)
  return [
    ...marks,
    ...arrowTo(
      { x, y },
      r * Math.hypot(along, across),
      Math.PI / 2 - Math.atan2(across, along),
      'positive',
      r > 60 ? 6 : 3.4,
    ),
    { kind: 'circle', x, y, r: r > 60 ? 4 : 2.5, fill: 'ink' },
  ]
}

/** The picture, and the distance under a place of the curve. */
export function drawHands(plan: HandsPlan, hands: Hands, distance: number): Scene & { at: (x: number) => number } {
  const { width, height } = plan
  const count = hands.theta.length
  const values = distances.map((at) => lengthAt(hands, at))
  const axis = {
    from: 1,
    to: farthest,
    name: t().between,
    log: true,
    ticks: [1, 10, 100, 1000, 10_000],
    format: (value: number) => integer(value),
  }
  const curve = chart(plan.chart, axis, { from: 0, to: 1, name: t().arrowLength, ticks: [0, 0.25, 0.5, 0.75, 1] }, [])
  const line = (points: readonly number[]) =>
    points
      .map((y, index) => `${index === 0 ? 'M' : 'L'}${px(curve.x(distances[index] ?? 1))} ${px(curve.y(y))}`)
      .join('')
  const length = lengthAt(hands, distance)
  const x = curve.x(distance)
  const marks: Mark[] = [
    ...dial(hands, distance, plan.dial, 1.8),
    {
      kind: 'text',
      x: plan.dial.x,
      y: 14,
      text: t().onDial(count, distance),
      anchor: 'middle',
      size: 12,
      tone: 'ink',
      bold: true,
    },
    ...curve.marks,
    { kind: 'path', d: line(values), stroke: 'edge', weight: 1 },
    { kind: 'path', d: line(smooth(values)), stroke: 'ink', weight: 2 },
    ...arrowTo({ x, y: curve.bottom }, curve.bottom - curve.y(length), Math.PI / 2, 'positive', 5),
    {
      kind: 'text',
      x: Math.min(width - 20, x + 24),
      y: Math.max(12, curve.y(length) - 4),
      text: decimal(length, 2),
      anchor: 'middle',
      size: 14,
      face: 'mono',
      bold: true,
      tone: 'positive',
    },
    ...bands(plan, hands, curve, distance),
    ...strip(plan, hands, distance),
  ]
  return { width, height, marks, at: curve.at }
}

/** How many hands are near their start, on their way, or have gone round, at every distance. */
function bands({ band, width }: HandsPlan, hands: Hands, curve: ReturnType<typeof chart>, distance: number): Mark[] {
  const count = hands.theta.length
  const y = (hands: number) => band.y + band.height * (1 - hands / count)
  const ends = distances.map((at) => ({ x: curve.x(at), ...countsAt(hands, at) }))
  const area = (of: (end: (typeof ends)[number]) => number) =>
    `M${px(curve.left)} ${px(y(0))}${ends.map((end) => `L${px(end.x)} ${px(y(of(end)))}`).join('')}L${px(curve.right)} ${px(y(0))}Z`
  const x = curve.x(distance)
  const name = { kind: 'text', size: 10.5 } as const
  return [
    {
      kind: 'rect',
      x: curve.left,
      y: band.y,
      width: curve.right - curve.left,
      height: band.height,
      fill: 'token',
      stroke: 'rule',
    },
    { kind: 'path', d: area(({ round }) => count - round), fill: 'edge' },
    { kind: 'path', d: area(({ near }) => near), fill: 'quiet' },
    { kind: 'line', x1: x, x2: x, y1: curve.top, y2: band.y + band.height, stroke: 'ink', dash: '2 3' },
    { ...name, x: curve.left - 5, y: band.y + 9, text: integer(count), anchor: 'end' },
    { ...name, x: curve.left - 5, y: band.y + band.height, text: '0', anchor: 'end' },
    { ...name, x: curve.left + 6, y: band.y + band.height - 6, text: t().near(nearDegrees), tone: 'card', bold: true },
    { ...name, x: curve.right - 6, y: band.y + 13, text: t().round, anchor: 'end', tone: 'ink' },
    {
      ...name,
      x: width - 2,
      y: band.y + band.height + 14,
      text: t().ofHands(count),
      anchor: 'end',
      room: width - curve.left,
    },
  ]
}

/** Three distances beside each other. */
function strip({ strip: { y: top, height }, width }: HandsPlan, hands: Hands, distance: number): Mark[] {
  const column = width / threeDistances.length
  const isWide = width >= wide
  const r = isWide ? Math.min(height / 2 - 6, column * 0.24, (column - wordRoom) / 2) : 26
  return threeDistances.flatMap((at, index): Mark[] => {
    const [left, y] = [index * column, top + r + 6]
    const card = { x: left, y: top, width: column - 6, height: isWide ? 2 * r + 12 : height }
    return [
      ...(at === distance ? [{ kind: 'rect', ...card, fill: 'token', stroke: 'edge', round: 5 } as const] : []),
      ...dial(hands, at, { x: isWide ? left + r + 6 : left + card.width / 2, y, r }, 1),
      ...(isWide
        ? reading(hands, at, { x: left + 2 * r + 16, y: y - 16, room: column - 2 * r - 20 }, 'start')
        : reading(hands, at, { x: left + card.width / 2, y: y + r + 17, room: card.width }, 'middle')),
    ]
  })
}

/** The words of a distance's dial: how far, the length of the arrow, and the hands that are near the beginning. */
function reading(
  hands: Hands,
  at: number,
  { x, y, room }: Point & { room: number },
  anchor: 'start' | 'middle',
): Mark[] {
  const words = t().within(countsAt(hands, at).near, hands.theta.length, nearDegrees)
  const line = words.join(' ')
  const lines = widthOf(line, 10.5) <= room ? [line] : words
  const length = decimal(lengthAt(hands, at), 2)
  return [
    { kind: 'text', x, y, anchor, text: t().distanceOf(at), size: 12, bold: true, tone: 'ink', room },
    { kind: 'text', x, y: y + 20, anchor, text: length, size: 16, bold: true, face: 'mono', tone: 'positive' },
    ...lines.map((text, at): Mark => ({ kind: 'text', x, y: y + 37 + 13 * at, anchor, text, size: 10.5, room })),
  ]
}

/** The distance of the small dial under a place. */
export function smallDialAt({ strip, width }: HandsPlan, x: number, y: number): number | undefined {
  return y < strip.y ? undefined : threeDistances[Math.floor((x / width) * threeDistances.length)]
}
