// The chart of one score's parts before and after, above the pairs' switches, and the chart of each pair's loss.
import { scaleLinear, scaleLog, type ScaleLinear } from 'd3-scale'
import { gridLines } from '../../charts/chart'
import type { Box, Mark } from '../../charts/marks'
import { decades, placeTicks, widthOf } from '../../charts/labels'
import { nothing } from '../../charts/sweep/draw'
import { plain } from '../../i18n/numbers'
import {
  muteKinds,
  needNotTurn,
  pairsPerSwitch,
  switchRows,
  switches,
  tokensOf,
  type LossChart,
  type PairLoss,
  type PairParts,
} from './data'
import { t, type Messages } from './messages.en'

const size = 10.5
/** Space for the title above, and for wavelengths below the switches. */
const above = 32
const below = 22
/** The least width of the numbers on the left. */
const leastAxis = 32
/** The width of the sums beside the title. */
const sums = 132
export const switchHeight = 24
/** Above each row of switches. */
const switchGap = 4

export interface PartsPlan {
  left: number
  right: number
  top: number
  bottom: number
  pitch: number
  /** The width of the title beside the sums. */
  room: number
  y: ScaleLinear<number, number>
  /** The lower edge of the switches. */
  foot: number
  /** Each switch's pairs and box. */
  switches: readonly { pairs: readonly number[]; box: Box }[]
}

export function planParts(box: Box, pairs: readonly PairParts[]): PartsPlan {
  const values = [0, ...pairs.flatMap(({ before, after }) => [before, after])]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const foot = box.y + box.height - below
  const row = switchGap + switchHeight
  const rows = switchRows(pairs.length, box.width - leastAxis - 2)
  const [top, bottom] = [box.y + above, foot - rows * row]
  // Labels of negative bars stand below them.
  const y = scaleLinear(most - least < nothing ? [-1, 1] : [least, most], [bottom - (least < 0 ? 12 : 0), top])
  const texts = y.ticks(tickCount(bottom - top)).map(plain)
  const left = box.x + Math.max(leastAxis, Math.ceil(Math.max(...texts.map((text) => widthOf(text, size)), 0)) + 7)
  const right = box.x + box.width - 2
  const pitch = (right - left) / Math.max(pairs.length, 1)
  /** Bars above a column of switches. */
  const bars = pairsPerSwitch(pairs.length, right - left)
  const columns = switches(
    pairs.map(({ pair }) => pair),
    bars,
  )
  const boxOf = (column: number, at: number): Box => ({
    x: left + column * bars * pitch,
    y: bottom + switchGap + at * row,
    width: (columns[column]?.length ?? 0) * pitch,
    height: switchHeight,
  })
  return {
    left,
    right,
    top,
    bottom,
    pitch,
    room: box.width - sums,
    y,
    foot,
    switches: columns.flatMap((column, index) =>
      switches(column, Math.ceil(bars / rows)).map((pairs, at) => ({ pairs, box: boxOf(index, at) })),
    ),
  }
}

const tickCount = (height: number) => Math.max(2, Math.min(5, Math.floor(height / 30)))

interface PartsChart {
  pairs: readonly PairParts[]
  score: readonly [before: number, after: number]
  /** The muted pairs by the switches, which may be ahead of the run. */
  muted: ReadonlyMap<number, 'frozen' | 'ablated'>
  /** The selected pair. */
  selected: number | null
}

export function drawParts(plan: PartsPlan, { pairs, score, muted, selected }: PartsChart): Mark[] {
  const { left, top, bottom, pitch, y } = plan
  const marks = gridLines(plan, y.ticks(tickCount(bottom - top)), y)
  const free = Math.min(6, pitch * 0.25)
  pairs.forEach(({ before, after, kind }, rank) => {
    const x = left + rank * pitch + free / 2
    const width = pitch - free
    const bar = (value: number) => ({ x, width, y: Math.min(y(value), y(0)), height: Math.abs(y(value) - y(0)) })
    if (after !== 0) marks.push({ kind: 'rect', ...bar(after), fill: after < 0 ? 'negative' : 'positive' })
    if (kind !== 'turns') {
      const stroke = before < 0 ? 'negative' : 'positive'
      marks.push({ kind: 'rect', ...bar(before), stroke, dash: '3 2' })
    } else if (Math.abs(y(before) - y(after)) > 2) {
      marks.push({ kind: 'line', x1: x - 1, x2: x + width + 1, y1: y(before), y2: y(before), stroke: 'ink', weight: 1 })
    }
  })
  return [
    ...marks,
    ...lostLabels(plan, pairs),
    ...sumLabel(plan, score),
    ...switchMarks(plan, muted, selected),
    ...turnAxis(plan, pairs),
  ]
}

/** The change of each muted pair, if the label fits. */
function lostLabels({ left, pitch, y }: PartsPlan, pairs: readonly PairParts[]): Mark[] {
  const ends = new Map<boolean, number>()
  return pairs.flatMap(({ before, after, kind }, rank): Mark[] => {
    const lost = after - before
    if (kind === 'turns' || Math.abs(lost) < 0.005) return []
    const down = before < 0
    const text = t().change(lost)
    const x = left + (rank + 0.5) * pitch
    const half = widthOf(text, 10, 'mono') / 2
    if (x - half < (ends.get(down) ?? -Infinity)) return []
    ends.set(down, x + half)
    return [
      { kind: 'text', x, y: y(before) + (down ? 11 : -4), text, size: 10, face: 'mono', anchor: 'middle', tone: 'ink' },
    ]
  })
}

/** Right-aligned on the title's line. */
function sumLabel({ right, top }: PartsPlan, [before, after]: readonly [number, number]): Mark[] {
  const [name, was, is] = t().sum(Math.abs(before - after) < 0.005 ? undefined : before, after)
  const y = top - above + 13
  const size = 12.5
  const now = right + 2 - widthOf(is, size, 'mono') - 8
  const width = widthOf(was, size, 'mono')
  const from = now - (was === '' ? 0 : width + 8)
  const struck: Mark[] = [
    { kind: 'text', x: now, y, text: was, size, face: 'mono', anchor: 'end' },
    { kind: 'line', x1: now - width, x2: now, y1: y - 4, y2: y - 4, stroke: 'quiet' },
  ]
  return [
    { kind: 'text', x: from, y, text: name, anchor: 'end' },
    ...(was === '' ? [] : struck),
    { kind: 'text', x: right + 2, y, text: is, size, face: 'mono', bold: true, tone: 'ink', anchor: 'end' },
  ]
}

function switchMarks({ switches }: PartsPlan, muted: PartsChart['muted'], selected: number | null): Mark[] {
  return switches.flatMap(({ pairs, box }): Mark[] => {
    const off = pairs.filter((pair) => muted.has(pair))
    const [all, none] = [off.length === pairs.length, off.length === 0]
    const [first = 0] = pairs
    const last = pairs.at(-1) ?? first
    const long = first === last ? `${first}` : `${first}–${last}`
    const text = widthOf(long, size, 'mono') <= box.width - 4 ? long : `${first}`
    const x = box.x + box.width / 2
    const y = box.y + box.height / 2
    const half = widthOf(text, size, 'mono') / 2
    const struck = off.some((pair) => muted.get(pair) === 'ablated')
    const isSelected = selected !== null && pairs.includes(selected)
    const outline = { x: box.x + 1, y: box.y, width: box.width - 2, height: box.height, round: 4 }
    return [
      {
        kind: 'rect',
        ...outline,
        fill: none ? 'token' : 'card',
        stroke: none && !isSelected ? 'edge' : 'ink',
        weight: isSelected ? 2 : none ? 1 : 1.4,
        // What is off says so in print, too.
        ...(none ? { role: 'control' } : { dash: all ? '3 2' : '6 2' }),
      },
      {
        kind: 'text',
        x,
        y: y + 3.5,
        text,
        size,
        face: 'mono',
        anchor: 'middle',
        tone: none ? 'ink' : 'quiet',
        bold: none,
      },
      ...(struck ? [{ kind: 'line', x1: x - half - 2, x2: x + half + 2, y1: y, y2: y, stroke: 'ink' } as const] : []),
    ]
  })
}

function turnAxis({ left, right, bottom, foot, pitch }: PartsPlan, pairs: readonly PairParts[]): Mark[] {
  const low = foot + 14
  const ticks = placeTicks(decades(pairs.map(({ wavelength }) => wavelength)), (rank) => left + (rank + 0.5) * pitch)
  const end = Math.max(left, ...ticks.map(({ x, text }) => x + widthOf(text, size, 'mono') / 2))
  const name = widthOf(t().turnAxis, size)
  return [
    { kind: 'text', x: left - 5, y: bottom + 20, text: t().pairAxis, size, anchor: 'end' },
    ...ticks.map(({ x, text }): Mark => ({ kind: 'text', x, y: low, text, size, face: 'mono', anchor: 'middle' })),
    ...(end + 10 + name <= right
      ? [{ kind: 'text', x: Math.min(end + 10, right - name), y: low, text: t().turnAxis, size } as const]
      : []),
  ]
}

/** Space for the axis and its labels. */
const belowLoss = 18
const line = 16
/** Smaller losses are drawn as 0. */
const leastVisible = 0.001

export function drawLoss(
  box: Box,
  { left, right, pitch }: Pick<PartsPlan, 'left' | 'right' | 'pitch'>,
  { losses, heads, book, complete }: LossChart,
): Mark[] {
  const legend = legendWidth(t().loss)
  const titles = [t().loss.title(heads), t().loss.shortTitle(heads)]
  const fits = (title: string) => widthOf(title, 12.5) + 12 + legend <= right - box.x
  const title = titles.find(fits)
  const [top, bottom] = [box.y + 30 + (title === undefined ? line : 0), box.y + box.height - belowLoss]
  const values = losses.flatMap(({ ablated, frozen }) => [ablated?.added ?? 0, frozen?.added ?? 0])
  const greatest = Math.max(...values, 1)
  const y = scaleLog([leastVisible, greatest], [bottom, top]).clamp(true)
  const free = Math.min(6, pitch * 0.25)
  const width = (pitch - free) / 2
  const bars = losses.flatMap((losses, rank) =>
    muteKinds.flatMap((kind, side): Mark[] => {
      const loss = losses[kind]
      if (!loss) return []
      const x = left + rank * pitch + free / 2 + side * width
      const high = bottom - y(Math.max(loss.added, leastVisible))
      // A loss of 0 or below: a line says that it was measured.
      if (high < 1) return [{ kind: 'rect', x: x + 0.5, y: bottom - 1, width: width - 1, height: 2, fill: 'ink' }]
      const bar = { x: x + 0.5, y: bottom - high, width: width - 1, height: high }
      return kind === 'ablated'
        ? [{ kind: 'rect', ...bar, fill: 'bar' }]
        : [{ kind: 'rect', ...bar, fill: 'card', stroke: 'ink', weight: 1 }]
    }),
  )
  const plan = { left, right, pitch, top, bottom, width: right - left }
  return [
    titleMark(box, title ?? t().loss.shortTitle(heads)),
    ...(title === undefined ? legendMarks(left, box.y + 12 + line) : legendMarks(right - legend, box.y + 12)),
    ...gridLines({ left, right }, [0.001, 0.01, 0.1, 1], y, { format: t().loss.tick, base: leastVisible, away: 3 }),
    ...bars,
    ...greatestLabel(plan, losses, y),
    ...(complete ? slowNote(plan, losses) : []),
    ...lossAxis(plan, box.y + box.height - 4, tokensOf(losses), book),
  ]
}

interface LossPlan {
  left: number
  right: number
  pitch: number
  top: number
  bottom: number
  width: number
}

const square = 9
const legendWidth = ({ kinds }: Messages['loss']) =>
  widthOf(kinds.ablated, 11) + widthOf(kinds.frozen, 11) + 2 * (square + 5) + 14

function titleMark({ x, y, width }: Box, text: string): Mark {
  return { kind: 'text', x, y: y + 12, text, size: 12.5, face: 'serif', bold: true, tone: 'ink', room: width }
}

function legendMarks(x: number, y: number): Mark[] {
  const { kinds } = t().loss
  const second = x + square + 5 + widthOf(kinds.ablated, 11) + 14
  const box = { y: y - square, width: square, height: square }
  return [
    { kind: 'rect', x, ...box, fill: 'bar' },
    { kind: 'text', x: x + square + 5, y, text: kinds.ablated },
    { kind: 'rect', x: second, ...box, fill: 'card', stroke: 'ink' },
    { kind: 'text', x: second + square + 5, y, text: kinds.frozen },
  ]
}

/** The value above the highest bar. */
function greatestLabel(
  { left, right, pitch }: LossPlan,
  losses: readonly PairLoss[],
  y: (value: number) => number,
): Mark[] {
  const means = losses.map(({ ablated, frozen }) => Math.max(ablated?.added ?? 0, frozen?.added ?? 0))
  const value = Math.max(...means, 0)
  if (value < leastVisible) return []
  const text = t().loss.added(value)
  const half = widthOf(text, size, 'mono') / 2
  const x = Math.min(Math.max(left + (means.indexOf(value) + 0.5) * pitch, left + half), right - half)
  return [{ kind: 'text', x, y: y(value) - 3, text, size, face: 'mono', bold: true, tone: 'ink', anchor: 'middle' }]
}

/** A caption over the slow pairs whose freezing adds no loss, if it fits above their bars. */
function slowNote({ left, right, pitch, top }: LossPlan, losses: readonly PairLoss[]): Mark[] {
  const slow = needNotTurn(losses, leastVisible)
  const [first, last] = [slow[0], slow.at(-1)]
  if (first === undefined || last === undefined) return []
  const from = left + (losses.length - slow.length) * pitch
  const lines = t().loss.needNotTurn(first, last)
  const high = losses.slice(-slow.length).some(({ ablated }) => (ablated?.added ?? 0) > 0.2)
  if (high || from + 6 + Math.max(...lines.map((line) => widthOf(line, 11))) > right) return []
  return [
    { kind: 'line', x1: from, x2: from, y1: top, y2: top + 30, stroke: 'quiet', dash: '2 2' },
    ...lines.map((text, line): Mark => ({ kind: 'text', x: from + 6, y: top + 10 + 14 * line, text, tone: 'ink' })),
  ]
}

function lossAxis({ left, right, width }: LossPlan, y: number, tokens: number, book: string): Mark[] {
  const room = width - widthOf(t().loss.fast, size) - widthOf(t().loss.slow, size) - 24
  const texts = [t().loss.scale(tokens, book), t().loss.scale(tokens, ''), t().loss.shortScale(tokens)]
  const caption = texts.find((text) => widthOf(text, size) <= room)
  return [
    { kind: 'text', x: left, y, text: t().loss.fast, size },
    ...(caption && tokens > 0
      ? [{ kind: 'text', x: (left + right) / 2, y, text: caption, size, anchor: 'middle' } as const]
      : []),
    { kind: 'text', x: right, y, text: t().loss.slow, size, anchor: 'end' },
  ]
}
