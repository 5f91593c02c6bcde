// Two arrows on a circle: where they began, how far each has turned, and the angle that makes their score.
import { widthOfText } from '../../charts/chart'
import { arrowTo, pointOn, px, type Mark, type Text } from '../../charts/marks'
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
  /** In radians. */
  theta: number
  m: number
  n: number
  /** At distances −reach … reach (m − n), `steps` from one to the next. */
  sweep: ArrayLike<number>
  score: number
  scoreAt: (distance: number) => number
}

/** The curve's distances. */
export const reach = 12
/** Scores from one distance to the next. */
export const steps = 4

export const lengthOf = ([x, y]: Vector): number => Math.hypot(x, y)
export const angleOf = ([x, y]: Vector): number => Math.atan2(y, x)
export const degrees = (radians: number): number => (radians * 180) / Math.PI

/** An angle between −180° and 180°. */
export const within = (radians: number): number => radians - 2 * Math.PI * Math.round(radians / (2 * Math.PI))

export interface TurnPlan {
  width: number
  height: number
  /** Of the circle, and px of a length of 1. */
  x: number
  y: number
  unit: number
  radius: number
  /** Where the numbers stand. */
  side: number
  /** The line of positions, and the strip below. */
  ruler: { left: number; right: number; y: number }
  lower: { y: number; height: number }
}

/** @param available the height that is left for the picture @param longest the length of the longer arrow */
export function planTurn(width: number, available: number, longest: number): TurnPlan {
  const isWide = width >= 560
  const lower = isWide ? Math.max(110, Math.min(170, available * 0.24)) : 190
  const least = isWide ? 250 : 170
  const room = Math.max(least, available - (isWide ? lower + 66 : 62))
  const margin = isWide ? 46 : 28
  const side = isWide ? Math.min(330, width * 0.4) : Math.min(170, width * 0.46)
  const radius = Math.max(30, Math.min((width - side) / 2 - margin, room / 2 - margin + 8))
  const y = Math.min(room / 2, radius + margin)
  const line = room + 22
  return {
    width,
    height: line + 44 + lower,
    x: (width - side) / 2,
    y,
    unit: radius / Math.max(longest, 1e-6),
    radius,
    side: width - side,
    ruler: { left: 18, right: width - 18, y: line },
    lower: { y: line + 42, height: lower },
  }
}

/** The largest position of the line: as far as both are, and somewhat more. */
export function spanOf(m: number, n: number): number {
  let span = 12
  while (span < Math.max(m, n)) span *= 2
  return Math.min(span, 511)
}

const placeOf = ({ left, right }: TurnPlan['ruler'], span: number, position: number): number =>
  left + ((right - left) * Math.min(position, span)) / span

export const positionAt = ({ left, right }: TurnPlan['ruler'], span: number, x: number): number =>
  Math.max(0, Math.min(span, Math.round(((x - left) / (right - left)) * span)))

/** Handles at one place stand side by side. */
export function handlesOf(plan: TurnPlan, { m, n }: Pick<Arrows, 'm' | 'n'>): { query: number; key: number } {
  const at = (position: number) => placeOf(plan.ruler, spanOf(m, n), position)
  const gap = Math.max(0, 28 - Math.abs(at(m) - at(n))) / 2
  const side = m < n ? -1 : 1
  return { query: at(m) + side * gap, key: at(n) - side * gap }
}

type At = Pick<TurnPlan, 'x' | 'y'>

/** An arc that widens by a little each turn, so that a second turn is seen. */
function spiral(at: At, radius: number, from: number, turn: number): string {
  const count = Math.max(2, Math.ceil(Math.abs(turn) / 0.07))
  return Array.from({ length: count + 1 }, (_, index) => {
    const angle = (turn * index) / count
    const { x, y } = pointOn(at, radius + (3.5 * Math.abs(angle)) / (2 * Math.PI), from + angle)
    return `${index === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`
  }).join('')
}

/** A filled sector; of a turn and more the disc. */
function sand(at: At, radius: number, from: number, turn: number): Mark[] {
  if (Math.abs(turn) < 1e-3 || radius < 1) return []
  if (Math.abs(turn) >= 2 * Math.PI)
    return [{ kind: 'circle', x: at.x, y: at.y, r: radius, fill: 'token', stroke: 'edge' }]
  const count = Math.max(2, Math.ceil(Math.abs(turn) / 0.05))
  const points = Array.from({ length: count + 1 }, (_, index) => pointOn(at, radius, from + (turn * index) / count))
  const d = `M${px(at.x)} ${px(at.y)}${points.map(({ x, y }) => `L${px(x)} ${px(y)}`).join('')}Z`
  return [{ kind: 'path', d, fill: 'token', stroke: 'edge', weight: 0.8 }]
}

/** Texts that stand clear of each other and within the picture. */
class Labels {
  readonly marks: Text[] = []
  readonly #boxes: { x1: number; x2: number; y1: number; y2: number }[] = []

  constructor(readonly right: number) {}

  /** Keeps texts off a place. */
  block(x: number, y: number, half: number): void {
    this.#boxes.push({ x1: x - half, x2: x + half, y1: y - half, y2: y + half })
  }

  blockHand(at: At, length: number, angle: number): void {
    for (let along = 6; along < length; along += 6) {
      const { x, y } = pointOn(at, along, angle)
      this.block(x, y, 3)
    }
  }

  blockArc(at: At, radius: number, from: number, turn: number): void {
    const count = Math.max(1, Math.ceil((turn * radius) / 6))
    for (let index = 0; index <= count; index++) {
      const { x, y } = pointOn(at, radius, from + (turn * index) / count)
      this.block(x, y, 3)
    }
  }

  add(
    text: string,
    places: readonly { x: number; y: number; centred?: boolean }[],
    middle: number,
    look: Partial<Text>,
  ): void {
    const size = look.size ?? 11
    const width = widthOfText(text) * (size / 10.5) * 1.08
    const boxes = places.map(({ x, y, centred }) => {
      const outward = x < middle - 12 ? x - width : x > middle + 12 ? x : x - width / 2
      const left = Math.max(0, Math.min(this.right - width, centred ? x - width / 2 : outward))
      const base = Math.max(size, y + size / 3)
      return { x1: left, x2: left + width, y1: base - size, y2: base + 3 }
    })
    const overlap = (one: (typeof boxes)[number]) =>
      this.#boxes.reduce((sum, other) => {
        const [across, along] = [
          Math.min(one.x2, other.x2) - Math.max(one.x1, other.x1),
          Math.min(one.y2, other.y2) - Math.max(one.y1, other.y1),
        ]
        return sum + (across > 0 && along > 0 ? across * along : 0)
      }, 0)
    const [first] = boxes
    if (!first) return
    const best = boxes.reduce((best, box) => (overlap(box) < overlap(best) ? box : best), first)
    this.#boxes.push(best)
    this.marks.push({ kind: 'text', x: best.x1, y: best.y2 - 3, text, ...look })
  }
}

const angleText = (radians: number) => t().degrees(degrees(radians))

export function drawDial(plan: TurnPlan, arrows: Arrows, names: { query: string; key: string }): Mark[] {
  const { x, y, unit, radius, side } = plan
  const { query, key, m, n, theta } = arrows
  // Beside the small dial of a phone the table alone gives the numbers.
  const isSmall = radius < 90
  const labels = new Labels(side - (isSmall ? 12 : 4))
  const sizes = { query: unit * lengthOf(query.before), key: unit * lengthOf(key.before) }
  const inner = Math.min(sizes.query, sizes.key)
  const marks: Mark[] = [
    { kind: 'circle', x, y, r: radius, stroke: 'rule' },
    ...(radius - inner > 8 && inner > 4 ? [{ kind: 'circle', x, y, r: inner, stroke: 'rule' } as const] : []),
    ...sand(plan, sizes.query, angleOf(query.before) + n * theta, (m - n) * theta),
  ]
  if (m !== n && n > 0) {
    const ghost = pointOn(plan, sizes.query, angleOf(query.before) + n * theta)
    marks.push({ kind: 'line', x1: x, y1: y, x2: ghost.x, y2: ghost.y, stroke: 'query', dash: '1.5 2.5' })
  }
  const close = Math.abs(sizes.query - sizes.key) < 14
  const bands = { query: sizes.query + (close ? 20 : 10), key: sizes.key + 10 }
  for (const [who, arrow, position] of [
    ['key', key, n],
    ['query', query, m],
  ] as const) {
    if (position === 0) continue
    // More turns than these lie on each other.
    const turn = Math.min(position * theta, 6 * Math.PI)
    const from = angleOf(arrow.before)
    marks.push({ kind: 'path', d: spiral(plan, bands[who], from, turn), stroke: who, weight: 2 })
    labels.blockArc(plan, bands[who], from, turn)
  }
  const size = isSmall ? 12 : 13
  for (const [who, arrow, position, weight] of [
    ['key', key, n, 5],
    ['query', query, m, 3],
  ] as const) {
    const length = sizes[who]
    const [from, turn] = [angleOf(arrow.before), position * theta]
    const start = pointOn(plan, length, from)
    marks.push(
      { kind: 'line', x1: x, y1: y, x2: start.x, y2: start.y, stroke: who, weight: 1.6, dash: '2 3' },
      { kind: 'circle', x: start.x, y: start.y, r: 5, fill: 'card', stroke: who, weight: 1.6 },
    )
    labels.block(start.x, start.y, 6)
    const angle = angleOf(arrow.after)
    marks.push(...arrowTo(plan, length, angle, who, weight))
    const tip = pointOn(plan, length, angle)
    labels.block(tip.x, tip.y, 7)
    labels.blockHand(plan, length, from)
    labels.blockHand(plan, length, angle)
    const [beyond, past] = [bands[who] + 10, length + 12]
    const outside = Math.max(bands.query, bands.key) + 12
    if (position > 0) {
      const on = [beyond, outside].flatMap((distance) =>
        [0.5, 0.35, 0.65, 0.8, 0.2, 0.95].map((part) => pointOn(plan, distance, from + turn * part)),
      )
      const name = t().turns[who]
      const look = { tone: who, bold: true, face: 'serif', size } as const
      labels.add(isSmall ? name : `${name} = ${angleText(turn)}`, on, x, look)
    }
    const at = [past, outside].flatMap((distance) =>
      [0, 0.2, -0.2, 0.35, -0.35].map((by) => pointOn(plan, distance, angle + by)),
    )
    labels.add(t().at(names[who], position), at, x, { tone: who, bold: true, face: 'mono', size: 10.5 })
    const beginning = [past, outside].flatMap((distance) =>
      [0, -0.25, 0.25, -0.45].map((by) => pointOn(plan, distance, from + by)),
    )
    if (position > 0) labels.add(t().at(names[who], 0), beginning, x, { tone: who, face: 'mono', size: 10.5 })
  }
  marks.push({ kind: 'circle', x, y, r: 3.5, fill: 'ink' })
  const gap = (m - n) * theta
  if (m !== n) {
    const middle = angleOf(query.before) + n * theta + Math.max(-Math.PI, Math.min(Math.PI, gap)) / 2
    const inside = [0.62, 0.5, 0.4].map((part) => pointOn(plan, sizes.query * part, middle))
    const opposite = pointOn(plan, radius * 0.45, middle + Math.PI)
    const places = [...inside, opposite].map((place) => ({ ...place, centred: true }))
    const text = isSmall ? '(m − n)θ' : `(m − n)θ = ${angleText(gap)}`
    labels.add(text, places, x, {
      tone: 'ink',
      bold: true,
      face: 'serif',
      size,
    })
  }
  return [...marks, ...labels.marks]
}

/** The line of positions with both handles, and how far they are from each other. */
export function drawRuler(plan: TurnPlan, arrows: Arrows): Mark[] {
  const { ruler } = plan
  const { m, n } = arrows
  const span = spanOf(m, n)
  const handles = handlesOf(plan, arrows)
  const marks: Mark[] = [{ kind: 'line', x1: ruler.left, x2: ruler.right, y1: ruler.y, y2: ruler.y, stroke: 'edge' }]
  const every = (ruler.right - ruler.left) / 12 < 30 ? 4 : 12
  for (let tick = 0; tick <= every; tick++) {
    const position = Math.round((tick * span) / every)
    const x = placeOf(ruler, span, position)
    marks.push(
      { kind: 'line', x1: x, x2: x, y1: ruler.y - 3, y2: ruler.y + 3, stroke: 'edge' },
      { kind: 'text', x, y: ruler.y + 26, text: String(position), anchor: 'middle', size: 10.5, face: 'mono' },
    )
  }
  marks.push({ kind: 'line', x1: handles.key, x2: handles.query, y1: ruler.y, y2: ruler.y, stroke: 'ink', weight: 3 })
  for (const [who, position] of [
    ['key', n],
    ['query', m],
  ] as const)
    marks.push(
      { kind: 'circle', x: handles[who], y: ruler.y, r: 12.5, fill: who },
      {
        kind: 'text',
        x: handles[who],
        y: ruler.y + 4,
        text: String(position),
        anchor: 'middle',
        size: 11,
        tone: 'card',
        face: 'mono',
        bold: true,
      },
    )
  return marks
}

/** The vector under a point, no longer than the circle. */
export function vectorAt({ x, y, unit, radius }: TurnPlan, px: number, py: number): Vector {
  const [a, b] = [(px - x) / unit, (y - py) / unit]
  const over = Math.max(1, (Math.hypot(a, b) * unit) / radius)
  const round = (value: number) => Math.round((100 * value) / over) / 100
  return [round(a), round(b)]
}

/** A vector turned by steps of 5 degrees, or made longer. @param most its largest length */
export function moved(vector: Vector, by: { turn?: number; longer?: number }, most: number): Vector {
  const length = Math.min(most, Math.max(0.05 * most, lengthOf(vector) + (by.longer ?? 0) * most))
  const angle = angleOf(vector) + ((by.turn ?? 0) * Math.PI) / 180
  const round = (value: number) => Math.round(1000 * value) / 1000
  return [round(length * Math.cos(angle)), round(length * Math.sin(angle))]
}
