// Two arrows on a circle: where they began, how far each has turned, and the angle that makes their score.
import { widthOf } from '../../charts/labels'
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
export const wrapAngle = (radians: number): number => radians - 2 * Math.PI * Math.round(radians / (2 * Math.PI))

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

/** An arc that widens a little with each turn, so that a second turn is visible. */
function spiral(at: At, radius: number, from: number, turn: number): string {
  const count = Math.max(2, Math.ceil(Math.abs(turn) / 0.07))
  return Array.from({ length: count + 1 }, (_, index) => {
    const angle = (turn * index) / count
    const { x, y } = pointOn(at, radius + (3.5 * Math.abs(angle)) / (2 * Math.PI), from + angle)
    return `${index === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`
  }).join('')
}

/** A filled sector; of a turn and more the disc. */
function sectorMarks(at: At, radius: number, from: number, turn: number): Mark[] {
  if (Math.abs(turn) < 1e-3 || radius < 1) return []
  if (Math.abs(turn) >= 2 * Math.PI)
    return [{ kind: 'circle', x: at.x, y: at.y, r: radius, fill: 'token', stroke: 'edge' }]
  const count = Math.max(2, Math.ceil(Math.abs(turn) / 0.05))
  const points = Array.from({ length: count + 1 }, (_, index) => pointOn(at, radius, from + (turn * index) / count))
  const d = `M${px(at.x)} ${px(at.y)}${points.map(({ x, y }) => `L${px(x)} ${px(y)}`).join('')}Z`
  return [{ kind: 'path', d, fill: 'token', stroke: 'edge', weight: 0.8 }]
}

/** A text over a text is so much worse than one over a line. */
const overText = 100
/** px² that each place after the first counts as. */
const farther = 8

/** Texts that stand clear of each other and within the picture. */
class Labels {
  readonly marks: Text[] = []
  readonly #boxes: { x1: number; x2: number; y1: number; y2: number; cost: number }[] = []

  constructor(
    readonly right: number,
    readonly bottom: number,
  ) {}

  /** Keeps texts away from a place. */
  block(x: number, y: number, half: number): void {
    this.#boxes.push({ x1: x - half, x2: x + half, y1: y - half, y2: y + half, cost: 1 })
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

  /** @param isOptional whether it may be missing where there is no place clear of other texts */
  add(
    text: string,
    places: readonly { x: number; y: number; centred?: boolean }[],
    middle: number,
    look: Partial<Text>,
    isOptional = false,
  ): void {
    const size = look.size ?? 11
    // A serif face in bold is wider.
    const width = 1.12 * widthOf(text, size)
    const boxes = places.map(({ x, y, centred }) => {
      const outward = x < middle - 12 ? x - width : x > middle + 12 ? x : x - width / 2
      const left = Math.max(0, Math.min(this.right - width, centred ? x - width / 2 : outward))
      const base = Math.max(size, Math.min(this.bottom, y + size / 3))
      return { x1: left, x2: left + width, y1: base - size, y2: base + 3, cost: overText }
    })
    const overlap = (one: (typeof boxes)[number]) =>
      this.#boxes.reduce((sum, other) => {
        const [across, along] = [
          Math.min(one.x2, other.x2) - Math.max(one.x1, other.x1),
          Math.min(one.y2, other.y2) - Math.max(one.y1, other.y1),
        ]
        return sum + (across > 0 && along > 0 ? across * along * other.cost : 0)
      }, 0)
    const [first] = boxes
    if (!first) return
    // The first places are the nearest.
    const costs = boxes.map((box, index) => overlap(box) + farther * index)
    const best = boxes[costs.indexOf(Math.min(...costs))] ?? first
    if (isOptional && overlap(best) >= overText) return
    this.#boxes.push(best)
    this.marks.push({ kind: 'text', x: best.x1, y: best.y2 - 3, text, ...look })
  }
}

const angleText = (radians: number) => t().degrees(degrees(radians))

/** The arrows, in the order in which they are drawn: the wide one first. */
const arrowLooks = [
  { who: 'key', weight: 5 },
  { who: 'query', weight: 3 },
] as const

/** More turns than these lie on each other. */
const mostArc = 6 * Math.PI

export function drawDial(plan: TurnPlan, arrows: Arrows, names: { query: string; key: string }): Mark[] {
  const { x, y, unit, radius, side } = plan
  const { query, key, m, n, theta } = arrows
  const positions = { query: m, key: n }
  // Beside the small dial of a phone the table alone gives the numbers.
  const isSmall = radius < 90
  const size = isSmall ? 12 : 13
  const labels = new Labels(side - (isSmall ? 12 : 4), plan.ruler.y - 26)
  const lengths = { query: unit * lengthOf(query.before), key: unit * lengthOf(key.before) }
  const inner = Math.min(lengths.query, lengths.key)
  /** The angle of the query, turned as far as the key: from there to the query it is (m − n)θ. */
  const start = angleOf(query.before) + n * theta
  const marks: Mark[] = [
    { kind: 'circle', x, y, r: radius, stroke: 'rule' },
    ...(radius - inner > 8 && inner > 4 ? [{ kind: 'circle', x, y, r: inner, stroke: 'rule' } as const] : []),
    ...sectorMarks(plan, lengths.query, start, (m - n) * theta),
  ]
  if (m !== n && n > 0) {
    const tip = pointOn(plan, lengths.query, start)
    marks.push({ kind: 'line', x1: x, y1: y, x2: tip.x, y2: tip.y, stroke: 'query', dash: '1.5 2.5' })
  }
  const areClose = Math.abs(lengths.query - lengths.key) < 14
  const arcRadius = { query: lengths.query + (areClose ? 20 : 10), key: lengths.key + 10 }
  for (const { who } of arrowLooks) {
    if (positions[who] === 0) continue
    const turn = Math.min(positions[who] * theta, mostArc)
    const from = angleOf(arrows[who].before)
    marks.push({ kind: 'path', d: spiral(plan, arcRadius[who], from, turn), stroke: who, weight: 2 })
    labels.blockArc(plan, arcRadius[who], from, turn)
  }
  const outside = Math.max(arcRadius.query, arcRadius.key) + 12
  for (const { who, weight } of arrowLooks) {
    const length = lengths[who]
    const [before, after] = [angleOf(arrows[who].before), angleOf(arrows[who].after)]
    const origin = pointOn(plan, length, before)
    marks.push(
      { kind: 'line', x1: x, y1: y, x2: origin.x, y2: origin.y, stroke: who, weight: 1.6, dash: '2 3' },
      { kind: 'circle', x: origin.x, y: origin.y, r: 5, fill: 'card', stroke: who, weight: 1.6 },
      ...arrowTo(plan, length, after, who, weight),
    )
    labels.block(origin.x, origin.y, 6)
    const tip = pointOn(plan, length, after)
    labels.block(tip.x, tip.y, 7)
    labels.blockHand(plan, length, before)
    labels.blockHand(plan, length, after)
  }
  const places = (distances: readonly number[], angles: readonly number[]) =>
    distances.flatMap((distance) => angles.map((angle) => pointOn(plan, distance, angle)))
  const around = (length: number, angle: number) => {
    const sides = [0.2, 0.35, ...(isSmall ? [0.6, 0.9, 1.3] : [])].flatMap((by) => [angle + by, angle - by])
    return places([length + 12, outside, ...(isSmall ? [outside + 13] : [])], [angle, ...sides])
  }
  const nameLook = (who: 'query' | 'key') => ({ tone: who, face: 'mono', size: 10.5 }) as const
  for (const { who } of arrowLooks) {
    const at = around(lengths[who], angleOf(arrows[who].after))
    labels.add(t().at(names[who], positions[who]), at, x, { ...nameLook(who), bold: true })
  }
  // Where both began, and what each angle is called, stand in the table, too.
  for (const { who } of arrowLooks) {
    if (positions[who] === 0) continue
    const [before, turn] = [angleOf(arrows[who].before), positions[who] * theta]
    const onArc = [0.5, 0.35, 0.65, 0.8, 0.2, 0.95].map((part) => before + turn * part)
    const text = isSmall ? t().turns[who] : `${t().turns[who]} = ${angleText(turn)}`
    const look = { tone: who, bold: true, face: 'serif', size } as const
    labels.add(text, places([arcRadius[who] + 10, outside], onArc), x, look, isSmall)
  }
  for (const { who } of arrowLooks)
    if (positions[who] > 0) {
      const at = around(lengths[who], angleOf(arrows[who].before))
      labels.add(t().at(names[who], 0), at, x, nameLook(who), isSmall)
    }
  marks.push({ kind: 'circle', x, y, r: 3.5, fill: 'ink' })
  if (m !== n) {
    const gap = (m - n) * theta
    const middle = start + Math.max(-Math.PI, Math.min(Math.PI, gap)) / 2
    const inside = [0.62, 0.5, 0.4].map((part) => pointOn(plan, lengths.query * part, middle))
    const opposite = pointOn(plan, radius * 0.45, middle + Math.PI)
    const places = [...inside, opposite].map((place) => ({ ...place, centred: true }))
    const text = isSmall ? '(m − n)θ' : `(m − n)θ = ${angleText(gap)}`
    labels.add(text, places, x, { tone: 'ink', bold: true, face: 'serif', size }, isSmall)
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
export function vectorAt({ x, y, unit, radius }: TurnPlan, atX: number, atY: number): Vector {
  const [a, b] = [(atX - x) / unit, (y - atY) / unit]
  const over = Math.max(1, (Math.hypot(a, b) * unit) / radius)
  const round = (value: number) => Math.round((100 * value) / over) / 100
  return [round(a), round(b)]
}

/** A vector turned by steps of 5 degrees, or made longer. @param most its largest length */
export function moveVector(vector: Vector, by: { turn?: number; longer?: number }, most: number): Vector {
  const length = Math.min(most, Math.max(0.05 * most, lengthOf(vector) + (by.longer ?? 0) * most))
  const angle = angleOf(vector) + ((by.turn ?? 0) * Math.PI) / 180
  const round = (value: number) => Math.round(1000 * value) / 1000
  return [round(length * Math.cos(angle)), round(length * Math.sin(angle))]
}
