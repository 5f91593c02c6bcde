// The waterfall: a bar for each pair, from the sum before it to the sum after it.
import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { integer, plain, score as scoreText, signed } from '../../i18n/numbers'
import { gridLines, roundTicks } from '../../charts/chart'
import { thinLabels, widthOf } from '../../charts/labels'
import type { Box, Mark } from '../../charts/marks'
import { nothing } from '../../charts/sweep/draw'
import type { Check, Step, Waterfall } from './parts'
import { t } from './messages.en'

export interface WaterfallPlan {
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
/** Room of the total and of what is said of it. */
const totals = 62

/** @param range the least and the greatest sum on its axis @param least px left of the bars */
export function planWaterfall(
  box: Box,
  pairs: number,
  [low, high]: readonly [number, number],
  least = 0,
): WaterfallPlan {
  const top = box.y + 14
  const bottom = box.y + box.height - 18
  // Sums of places beside the path end at the edge.
  const y = scaleLinear(high - low < nothing ? [-1, 1] : [low, high], [bottom, top]).clamp(true)
  const texts = roundTicks(y, tickCount(bottom - top)).map(plain)
  const left = box.x + Math.max(least, Math.ceil(Math.max(...texts.map((text) => widthOf(text, size)), 0)) + 7)
  const end = box.x + box.width
  const right = Math.max(end - totals, left + 1)
  return { left, right, top, bottom, y, end, pitch: (right - left) / Math.max(pairs, 1) }
}

const tickCount = (height: number) => Math.max(2, Math.min(5, Math.floor(height / 28)))

/** The step under x px. */
export function stepAt(x: number, { left, right, pitch }: WaterfallPlan, { steps }: Waterfall): Step | undefined {
  return x < left || x >= right ? undefined : steps[Math.floor((x - left) / pitch)]
}

const separate = (one: Box, other: Box) =>
  one.x + one.width <= other.x ||
  other.x + other.width <= one.x ||
  one.y + one.height <= other.y ||
  other.y + other.height <= one.y

export interface Highlights {
  selected: number | null
  /** The pair under the pointer. */
  pointed: number | null
  /** Pairs that are named with their parts. */
  named: readonly number[]
  /** undefined: the sum is of a place where the model has no key. */
  check: Check | undefined
}

export function drawWaterfall(plan: WaterfallPlan, waterfall: Waterfall, highlights: Highlights): Mark[] {
  const { left, right, top, bottom, pitch, y } = plan
  const { steps, total, tail } = waterfall
  const { selected, pointed, named, check } = highlights
  const column = (pair: number): Mark[] => {
    const rank = steps.findIndex((step) => step.pair === pair)
    return rank < 0
      ? []
      : [{ kind: 'rect', x: left + rank * pitch, y: top - 12, width: pitch, height: bottom - top + 28, fill: 'token' }]
  }
  const marks = [...new Set([...named, ...(pointed === null ? [] : [pointed])])].flatMap(column)
  marks.push(...gridLines(plan, roundTicks(y, tickCount(bottom - top)), y))
  const free = pitch > 8 ? 1 : 0
  const areas = steps.map((step, rank) => area(step, left + rank * pitch, pitch - free, y))
  steps.forEach((step, rank) => {
    const place = areas[rank]
    if (place) marks.push({ kind: 'rect', ...place, fill: step.part < 0 ? 'negative' : 'positive' })
    const next = left + (rank + 1) * pitch
    const to = rank === steps.length - 1 ? right + 4 : next + pitch - free
    marks.push({ kind: 'line', x1: next - pitch, x2: to, y1: y(step.to), y2: y(step.to), stroke: 'ink', weight: 0.9 })
  })
  const outlined = areas[steps.findIndex(({ pair }) => pair === selected)]
  if (outlined) {
    const { x, y, width, height } = outlined
    marks.push({ kind: 'rect', x: x - 1.5, y: y - 2, width: width + 3, height: height + 4, stroke: 'ink', weight: 1.6 })
  }
  marks.push({ kind: 'line', x1: right + 4, x2: right + 4, y1: y(0), y2: y(total), stroke: 'ink', weight: 3 })
  const parts = partLabels(plan, waterfall, areas, named)
  return [
    ...marks,
    ...totalLabel(plan, total, check),
    ...parts.map(({ mark }) => mark),
    ...tailNote(plan, tail, areas, parts),
    ...axis(plan, steps, named),
  ]
}

/** A step of nothing is still a line. */
function area({ from, to }: Step, x: number, width: number, y: (value: number) => number): Box {
  const [high, low] = [Math.min(y(from), y(to)), Math.max(y(from), y(to))]
  return { x, y: high, width, height: Math.max(low - high, 1) }
}

function totalLabel({ top, bottom, end, y }: WaterfallPlan, total: number, check: Check | undefined): Mark[] {
  const state = check?.state ?? 'unchecked'
  const lines = { agrees: t().agrees, differs: t().differs(check?.by ?? 0), masked: t().masked, unchecked: [] }[state]
  // The lines stay above the axis.
  const first = Math.max(top - 6, Math.min(y(total) + 4, bottom - 17 - 12 * lines.length))
  return [
    { kind: 'text', x: end, y: first, text: t().total, size, anchor: 'end' },
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
    ...lines.map((text, line): Mark => {
      const tone = state === 'differs' ? 'ink' : 'quiet'
      return { kind: 'text', x: end, y: first + 29 + 12 * line, text, size, tone, anchor: 'end' }
    }),
  ]
}

/** The parts of some pairs, each above its bar, or where no bar is. */
function partLabels(
  plan: WaterfallPlan,
  { steps }: Waterfall,
  areas: readonly Box[],
  named: readonly number[],
): { mark: Mark; box: Box }[] {
  const labels: { mark: Mark; box: Box }[] = []
  for (const pair of named) {
    const rank = steps.findIndex((step) => step.pair === pair)
    const [step, bar] = [steps[rank], areas[rank]]
    if (!step || !bar) continue
    const text = signed(step.part)
    const [width, height] = [widthOf(text, size, 'mono'), 13]
    const centre = Math.min(Math.max(bar.x + bar.width / 2 - width / 2, plan.left), plan.right - width)
    const [over, under] = [bar.y - height - 1, bar.y + bar.height + 2]
    const places = [
      { x: centre, y: over },
      { x: bar.x + bar.width + 4, y: Math.max(bar.y, plan.top - 12) },
      { x: bar.x - 4 - width, y: bar.y },
      { x: centre, y: under },
    ].map((place) => ({ ...place, width, height }))
    const box = places.find((place) => isFree(place, plan, [...areas, ...labels.map(({ box }) => box)]))
    if (!box) continue
    const at = { x: box.x, y: box.y + 10, text, size, face: 'mono', tone: 'ink', bold: true } as const
    labels.push({ box, mark: { kind: 'text', ...at } })
  }
  return labels
}

function isFree(place: Box, { left, right, top, bottom }: WaterfallPlan, areas: readonly Box[]): boolean {
  const inside =
    place.x >= left && place.x + place.width <= right && place.y >= top - 14 && place.y + place.height <= bottom
  return inside && areas.every((area) => separate(area, place))
}

/** The sum of the slowest pairs, where there is room for it. */
function tailNote(
  plan: WaterfallPlan,
  tail: Waterfall['tail'],
  areas: readonly Box[],
  parts: readonly { box: Box }[],
): Mark[] {
  if (!tail) return []
  const text = t().slowest(tail.count, tail.sum)
  const ends = areas.slice(-tail.count)
  const high = Math.min(...ends.map(({ y }) => y))
  const low = Math.max(...ends.map(({ y, height }) => y + height))
  const width = widthOf(text, size)
  const zero: Box = { x: plan.left, y: plan.y(0) - 1, width: plan.right - plan.left, height: 2 }
  const place = [low + 6, high - 20]
    .map((y) => ({ x: plan.right - width - 2, y, width, height: 14 }))
    .find((place) => isFree(place, plan, [...areas, ...parts.map(({ box }) => box), zero]))
  return place ? [{ kind: 'text', x: plan.right - 2, y: place.y + 11, text, size, anchor: 'end' }] : []
}

/** The numbers of the pairs, as many as fit, those that are named among them. */
function axis(
  { left, right, bottom, pitch, end }: WaterfallPlan,
  steps: readonly Step[],
  named: readonly number[],
): Mark[] {
  const pinned = named.map((pair) => steps.findIndex((step) => step.pair === pair)).filter((rank) => rank >= 0)
  const y = bottom + 13
  const labels = thinLabels(steps.length, pitch, 18, pinned).map((rank): Mark => {
    const pair = steps[rank]?.pair ?? 0
    const bold = named.includes(pair)
    const at = { x: left + (rank + 0.5) * pitch, y, anchor: 'middle' } as const
    return { kind: 'text', ...at, text: integer(pair), size, face: 'mono', bold, tone: bold ? 'ink' : 'quiet' }
  })
  return [...labels, { kind: 'text', x: end, y, text: t().axis, size, anchor: 'end', room: end - right - 4 }]
}
