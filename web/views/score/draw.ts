// One score as marks: a step is both the pair's part and the running sum.
import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { plain, score as scoreText } from '../../i18n/format'
import type { Mark } from '../../charts/marks'
import type { Words } from '../../i18n/words'
import { decades, placedTicks, widthOf } from '../../charts/pair-axis/axis'
import { nothing, type Box } from '../../charts/sweep/draw'
import { rangeOf, type Check, type Step, type Waterfall } from './model'

export interface FallPlan {
  left: number
  right: number
  top: number
  bottom: number
  /** From one pair to the next. */
  pitch: number
  y: ScaleLinear<number, number>
  end: number
}

const size = 10.5
/** Room of the total and its words. */
const totals = 62

export function planFall(box: Box, { steps }: Waterfall): FallPlan {
  const [least, most] = rangeOf(steps)
  const top = box.y + 8
  const bottom = box.y + box.height - 33
  const y = scaleLinear(most - least < nothing ? [-1, 1] : [least, most], [bottom, top])
  const texts = y.ticks(tickCount(bottom - top)).map(plain)
  const left = box.x + Math.ceil(Math.max(...texts.map((text) => widthOf(text, size)), 0)) + 7
  const end = box.x + box.width
  const right = Math.max(end - totals, left + 1)
  return { left, right, top, bottom, y, end, pitch: (right - left) / Math.max(steps.length, 1) }
}

const tickCount = (height: number) => Math.max(2, Math.min(5, Math.floor(height / 36)))

/** The step under x px. */
export function stepAt(x: number, { left, right, pitch }: FallPlan, { steps }: Waterfall): Step | undefined {
  return x < left || x >= right ? undefined : steps[Math.floor((x - left) / pitch)]
}

interface Area {
  x: number
  y: number
  width: number
  height: number
}

const apart = (one: Area, other: Area) =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y

export interface Marked {
  chosen: number | null
  pointed: number | null
  check: Check
}

export function drawFall(
  plan: FallPlan,
  fall: Waterfall,
  { chosen, pointed, check }: Marked,
  words: Words['score'],
): Mark[] {
  const { left, right, top, bottom, pitch, y } = plan
  const { steps, total, main, tail } = fall
  const marks: Mark[] = []
  for (const value of y.ticks(tickCount(bottom - top))) {
    marks.push({ kind: 'line', x1: left, x2: right, y1: y(value), y2: y(value), stroke: value === 0 ? 'edge' : 'rule' })
    marks.push({ kind: 'text', x: left - 5, y: y(value) + 3.5, text: plain(value), size, anchor: 'end' })
  }
  const free = pitch > 8 ? 1 : 0
  const areas = steps.map((step, rank) => area(step, left + rank * pitch, pitch - free, y))
  const read = steps.findIndex(({ pair }) => pair === pointed)
  if (read >= 0) {
    marks.push({
      kind: 'rect',
      x: left + read * pitch,
      y: top - 4,
      width: pitch,
      height: bottom - top + 8,
      fill: 'token',
    })
  }
  steps.forEach((step, rank) => {
    const place = areas[rank]
    if (place) marks.push({ kind: 'rect', ...place, fill: step.part < 0 ? 'negative' : 'positive' })
    const next = left + (rank + 1) * pitch
    const to = rank === steps.length - 1 ? right + 4 : next + pitch - free
    marks.push({ kind: 'line', x1: next - pitch, x2: to, y1: y(step.to), y2: y(step.to), stroke: 'ink', weight: 0.9 })
  })
  const held = areas[steps.findIndex(({ pair }) => pair === chosen)]
  if (held) {
    const { x, y, width, height } = held
    marks.push({ kind: 'rect', x: x - 1.5, y: y - 2, width: width + 3, height: height + 4, stroke: 'ink', weight: 1.6 })
  }
  marks.push({ kind: 'line', x1: right + 4, x2: right + 4, y1: y(0), y2: y(total), stroke: 'ink', weight: 3 })
  const { note, taken } = tailNote(plan, tail, areas, words)
  return [
    ...marks,
    ...totalWords(plan, total, check, words),
    ...note,
    ...alone(plan, fall, [...areas, ...taken], chosen ?? main?.pair, words),
    ...axis(plan, steps, words),
  ]
}

/** A step of nothing is still a line. */
function area({ from, to }: Step, x: number, width: number, y: (value: number) => number): Area {
  const [high, low] = [Math.min(y(from), y(to)), Math.max(y(from), y(to))]
  return { x, y: high, width, height: Math.max(low - high, 1) }
}

function totalWords({ top, bottom, end, y }: FallPlan, total: number, check: Check, words: Words['score']): Mark[] {
  const says = { agrees: words.agrees, differs: words.differs(check.by), masked: words.masked, unchecked: [] }[
    check.state
  ]
  const height = 30 + 12 * says.length
  const first = Math.min(Math.max(y(total) + 4, top + 4), bottom - height + 24)
  return [
    { kind: 'text', x: end, y: first, text: words.total, size, anchor: 'end' },
    {
      kind: 'text',
      x: end,
      y: first + 14,
      text: scoreText(total),
      size: 12,
      face: 'mono',
      bold: true,
      tone: 'ink',
      anchor: 'end',
    },
    ...says.map((text, line): Mark => {
      const tone = check.state === 'differs' ? 'ink' : 'quiet'
      return { kind: 'text', x: end, y: first + 29 + 12 * line, text, size, tone, anchor: 'end' }
    }),
  ]
}

/** The words of the chosen pair, or of the one that does most: beside its bar, where no other bar is. */
function alone(
  plan: FallPlan,
  { steps }: Waterfall,
  areas: readonly Area[],
  pair: number | undefined,
  words: Words['score'],
): Mark[] {
  const rank = steps.findIndex((step) => step.pair === pair)
  const [step, bar] = [steps[rank], areas[rank]]
  if (!step || !bar) return []
  const text = words.alone(step.pair, step.part)
  const [width, height] = [widthOf(text, 11) * 1.06, 14]
  const middle = bar.y + bar.height / 2 - height / 2
  const [over, under] = [bar.y - height - 6, bar.y + bar.height + 6]
  const beside = [middle, bar.y + bar.height - height, bar.y, under, over]
  const places = [
    ...[bar.x + bar.width + 6, bar.x - 6 - width].flatMap((x) => beside.map((y) => ({ x, y, width, height }))),
    ...[under, over].map((y) => ({ x: bar.x + bar.width / 2 - width / 2, y, width, height })),
  ]
  const place = places.find((place) => isFree(place, plan, areas))
  if (!place) return []
  return [{ kind: 'text', x: place.x, y: place.y + 11, text, size: 11, tone: 'ink', bold: true }]
}

function isFree(place: Area, { left, right, top, bottom }: FallPlan, areas: readonly Area[]): boolean {
  const inside =
    place.x >= left && place.x + place.width <= right && place.y >= top - 6 && place.y + place.height <= bottom
  return inside && areas.every((area) => apart(area, place))
}

/** What the slowest pairs add together, and where that is written. */
function tailNote(
  plan: FallPlan,
  tail: Waterfall['tail'],
  areas: readonly Area[],
  words: Words['score'],
): { note: Mark[]; taken: Area[] } {
  if (!tail) return { note: [], taken: [] }
  const text = words.slowest(tail.count, tail.sum)
  const ends = areas.slice(-tail.count)
  const high = Math.min(...ends.map(({ y }) => y))
  const low = Math.max(...ends.map(({ y, height }) => y + height))
  const width = widthOf(text, size)
  const place = [low + 6, high - 20]
    .map((y) => ({ x: plan.right - width - 2, y, width, height: 14 }))
    .find((place) => isFree(place, plan, areas))
  if (!place) return { note: [], taken: [] }
  return {
    note: [{ kind: 'text', x: plan.right - 2, y: place.y + 11, text, size, anchor: 'end' }],
    taken: [place],
  }
}

/** Wavelengths at decades, and which way is slow. */
function axis({ left, right, bottom, pitch }: FallPlan, steps: readonly Step[], words: Words['score']): Mark[] {
  const ticks = placedTicks(decades(steps.map(({ wavelength }) => wavelength)), (rank) => left + (rank + 0.5) * pitch)
  const low = bottom + 29
  const room = right - left
  const named = widthOf(words.axis, size) + widthOf(words.fast, size) + widthOf(words.slow, size) + 24 < room
  return [
    ...ticks.flatMap(({ x, text }): Mark[] => [
      { kind: 'line', x1: x, x2: x, y1: bottom + 2, y2: bottom + 5, stroke: 'edge' },
      { kind: 'text', x, y: bottom + 16, text, size, face: 'mono', anchor: 'middle' },
    ]),
    { kind: 'text', x: left, y: low, text: words.fast, size },
    ...(named
      ? [{ kind: 'text', x: (left + right) / 2, y: low, text: words.axis, size, anchor: 'middle' } as const]
      : []),
    { kind: 'text', x: right, y: low, text: words.slow, size, anchor: 'end' },
  ]
}
