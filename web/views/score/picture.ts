// The waterfall of parts, the curve over distances, and both as one scene.
import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { plain, score as scoreText, tokenName } from '../../i18n/format'
import { gridLines } from '../../charts/chart'
import type { Box, Mark, Scene } from '../../charts/marks'
import { plainText } from '../../i18n/rich'
import { t as headMessages } from '../../charts/head-grid/messages.en'
import { decades, placedTicks, widthOf } from '../../charts/pair-axis/axis'
import { drawSweep, nothing, planSweep, type Curve, type Pictured } from '../../charts/sweep/draw'
import { isFlat, peakOf, scoreAt, spanOf } from '../../charts/sweep/model'
import { rangeOf, type Check, type Explained, type Step, type Waterfall } from './data'
import { t, type ScoreFacts } from './messages.en'

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
/** Room of the total and its t(). */
const totals = 62

export function planWaterfall(box: Box, { steps }: Waterfall): WaterfallPlan {
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
  pointed: number | null
  check: Check
}

export function drawWaterfall(
  plan: WaterfallPlan,
  waterfall: Waterfall,
  { selected, pointed, check }: Highlights,
): Mark[] {
  const { left, right, top, bottom, pitch, y } = plan
  const { steps, total, main, tail } = waterfall
  const marks = gridLines(plan, y.ticks(tickCount(bottom - top)), y)
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
  const outlined = areas[steps.findIndex(({ pair }) => pair === selected)]
  if (outlined) {
    const { x, y, width, height } = outlined
    marks.push({ kind: 'rect', x: x - 1.5, y: y - 2, width: width + 3, height: height + 4, stroke: 'ink', weight: 1.6 })
  }
  marks.push({ kind: 'line', x1: right + 4, x2: right + 4, y1: y(0), y2: y(total), stroke: 'ink', weight: 3 })
  const { note, noteArea } = tailNote(plan, tail, areas)
  return [
    ...marks,
    ...totalLabel(plan, total, check),
    ...note,
    ...alone(plan, waterfall, [...areas, ...noteArea], selected ?? main?.pair),
    ...axis(plan, steps),
  ]
}

/** A step of nothing is still a line. */
function area({ from, to }: Step, x: number, width: number, y: (value: number) => number): Box {
  const [high, low] = [Math.min(y(from), y(to)), Math.max(y(from), y(to))]
  return { x, y: high, width, height: Math.max(low - high, 1) }
}

function totalLabel({ top, bottom, end, y }: WaterfallPlan, total: number, check: Check): Mark[] {
  const lines = { agrees: t().agrees, differs: t().differs(check.by), masked: t().masked, unchecked: [] }[check.state]
  const height = 30 + 12 * lines.length
  const first = Math.min(Math.max(y(total) + 4, top + 4), bottom - height + 24)
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
      const tone = check.state === 'differs' ? 'ink' : 'quiet'
      return { kind: 'text', x: end, y: first + 29 + 12 * line, text, size, tone, anchor: 'end' }
    }),
  ]
}

/** The label of the selected pair, or of the one that adds most: where no bar is. */
function alone(plan: WaterfallPlan, { steps }: Waterfall, areas: readonly Box[], pair: number | undefined): Mark[] {
  const rank = steps.findIndex((step) => step.pair === pair)
  const [step, bar] = [steps[rank], areas[rank]]
  if (!step || !bar) return []
  const text = t().alone(step.pair, step.part)
  const [width, height] = [widthOf(text, 11) * 1.06, 14]
  const middle = bar.y + bar.height / 2 - height / 2
  const [over, under] = [bar.y - height - 6, bar.y + bar.height + 6]
  const heights = [middle, bar.y + bar.height - height, bar.y, under, over]
  const places = [
    ...[bar.x + bar.width + 6, bar.x - 6 - width].flatMap((x) => heights.map((y) => ({ x, y, width, height }))),
    ...[under, over].map((y) => ({ x: bar.x + bar.width / 2 - width / 2, y, width, height })),
  ]
  const place = places.find((place) => isFree(place, plan, areas))
  if (!place) return []
  return [{ kind: 'text', x: place.x, y: place.y + 11, text, size: 11, tone: 'ink', bold: true }]
}

function isFree(place: Box, { left, right, top, bottom }: WaterfallPlan, areas: readonly Box[]): boolean {
  const inside =
    place.x >= left && place.x + place.width <= right && place.y >= top - 6 && place.y + place.height <= bottom
  return inside && areas.every((area) => separate(area, place))
}

/** The label of the slowest pairs' sum, and its place. */
function tailNote(
  plan: WaterfallPlan,
  tail: Waterfall['tail'],
  areas: readonly Box[],
): { note: Mark[]; noteArea: Box[] } {
  if (!tail) return { note: [], noteArea: [] }
  const text = t().slowest(tail.count, tail.sum)
  const ends = areas.slice(-tail.count)
  const high = Math.min(...ends.map(({ y }) => y))
  const low = Math.max(...ends.map(({ y, height }) => y + height))
  const width = widthOf(text, size)
  const place = [low + 6, high - 20]
    .map((y) => ({ x: plan.right - width - 2, y, width, height: 14 }))
    .find((place) => isFree(place, plan, areas))
  if (!place) return { note: [], noteArea: [] }
  return {
    note: [{ kind: 'text', x: plan.right - 2, y: place.y + 11, text, size, anchor: 'end' }],
    noteArea: [place],
  }
}

/** Ticks at decades of the wavelength, and the ends' names. */
function axis({ left, right, bottom, pitch }: WaterfallPlan, steps: readonly Step[]): Mark[] {
  const ticks = placedTicks(decades(steps.map(({ wavelength }) => wavelength)), (rank) => left + (rank + 0.5) * pitch)
  const low = bottom + 29
  const room = right - left
  const named = widthOf(t().axis, size) + widthOf(t().fast, size) + widthOf(t().slow, size) + 24 < room
  return [
    ...ticks.flatMap(({ x, text }): Mark[] => [
      { kind: 'line', x1: x, x2: x, y1: bottom + 2, y2: bottom + 5, stroke: 'edge' },
      { kind: 'text', x, y: bottom + 16, text, size, face: 'mono', anchor: 'middle' },
    ]),
    { kind: 'text', x: left, y: low, text: t().fast, size },
    ...(named
      ? [{ kind: 'text', x: (left + right) / 2, y: low, text: t().axis, size, anchor: 'middle' } as const]
      : []),
    { kind: 'text', x: right, y: low, text: t().slow, size, anchor: 'end' },
  ]
}

/** Smaller differences on the curve are not visible, as a share of its height. */
const invisible = 0.02

export function factsOf({ run, query, key, score, weight, sweep, waterfall }: Explained): ScoreFacts {
  const tokens = run.reading.display
  const peak = peakOf(sweep, run.model.info.is_decoder)
  return {
    query: tokenName(tokens[query] ?? '', query),
    key: tokenName(tokens[key] ?? '', key),
    head: `${run.head.layer}.${run.head.head}`,
    score,
    weight,
    distance: query - key,
    peak: isFlat(sweep) ? 'flat' : peak,
    near: peak.score - scoreAt(sweep, query - key) < invisible * spanOf(sweep),
    pairs: waterfall.steps.length,
    main: waterfall.main,
  }
}

/** The curve of all pairs, that of one pair alone, and the bound. */
export function curvesOf({ run, query, key, score, sweep, pair, pairSweep, bound }: Explained): Pictured {
  const causal = run.model.info.is_decoder
  const distance = query - key
  const curves: Curve[] = [{ swept: sweep, tone: 'ink', weight: 1.7 }]
  if (pairSweep) curves.push({ swept: pairSweep, tone: 'edge', weight: 1, dash: '3 2' })
  if (bound) curves.push({ swept: bound, tone: 'quiet', weight: 1.1, dash: '1 3' })
  const peak = peakOf(sweep, causal)
  return {
    curves,
    reach: sweep.reach,
    causal,
    marker: { distance, label: t().marker(run.reading.display[key] ?? '', distance, score) },
    peak: isFlat(sweep) || peak.distance === distance ? undefined : peak.distance,
    notes: [
      ...(pairSweep ? [t().dashed(pair)] : []),
      ...(bound ? [t().dotted(Math.round(scoreAt(bound, distance)))] : []),
    ],
    ends: headMessages().distances,
  }
}

/** The lines of text around the waterfall and the curve, in CSS px. */
const textHeight = 18 + 46

/** The heights of the waterfall and of the curve. */
export function heightsOf(height: number): { upper: number; lower: number } {
  const upper = Math.max(130, Math.round((height - textHeight) * 0.5))
  return { upper, lower: Math.max(130, height - textHeight - upper) }
}

/** Waterfall and curve with their text, as they are saved. */
export function drawScore(
  explained: Explained,
  facts: ScoreFacts,
  selected: number | null,
  width: number,
  height: number,
): Scene {
  const { waterfall, check } = explained
  const { upper, lower } = heightsOf(height)
  const curves = curvesOf(explained)
  const above = { x: 0, y: 20, width, height: upper }
  const below = { x: 0, y: 20 + upper + 44, width, height: lower }
  const line = (y: number, text: string): Mark => ({ kind: 'text', x: 0, y, text })
  const title: Mark = {
    kind: 'text',
    x: 0,
    y: below.y - 20,
    text: t().sweepTitle,
    tone: 'ink',
    bold: true,
    size: 13,
    face: 'serif',
  }
  return {
    width,
    height: below.y + lower + 4,
    marks: [
      line(12, plainText(t().both(facts))),
      ...drawWaterfall(planWaterfall(above, waterfall), waterfall, { selected, pointed: null, check }),
      title,
      line(below.y - 4, plainText(t().highest(facts))),
      ...drawSweep(planSweep(below, curves), curves),
    ],
  }
}
