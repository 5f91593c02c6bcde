// What each pair alone adds to the loss, under the switches of the same pairs.
import { scaleLog } from 'd3-scale'
import type { Mark } from '../../charts/marks'
import type { LossWords } from '../../i18n/en/views/loss'
import { widthOf } from '../../charts/pair-axis/axis'
import type { Box } from '../../charts/sweep/draw'
import type { PartsPlan } from './drawParts'
import { fates, needNotTurn, tokensOf, type PairLoss } from './loss'

const size = 10.5
/** Room for the axis's words. */
const below = 18
const line = 16
/** Less is drawn as nothing. */
const least = 0.001

export interface LossShown {
  /** By rank, the fastest first. */
  losses: readonly PairLoss[]
  heads: number
  book: string
  /** Whether each pair was measured on the whole text. */
  complete: boolean
}

export function drawLoss(
  box: Box,
  { left, right, pitch }: Pick<PartsPlan, 'left' | 'right' | 'pitch'>,
  { losses, heads, book, complete }: LossShown,
  words: LossWords,
): Mark[] {
  const legend = legendWidth(words)
  const titles = [words.title(heads), words.shortTitle(heads)]
  const fits = (title: string) => widthOf(title, 12.5) + 12 + legend <= right - box.x
  const title = titles.find(fits)
  const [top, bottom] = [box.y + 30 + (title === undefined ? line : 0), box.y + box.height - below]
  const values = losses.flatMap(({ cut, stop }) => [cut?.added ?? 0, stop?.added ?? 0])
  const greatest = Math.max(...values, 1)
  const y = scaleLog([least, greatest], [bottom, top]).clamp(true)
  const ticks = [0.001, 0.01, 0.1, 1].map((value): Mark[] => [
    {
      kind: 'line',
      x1: left,
      x2: right,
      y1: y(value),
      y2: y(value),
      stroke: value === least ? 'edge' : 'rule',
    },
    { kind: 'text', x: left - 3, y: y(value) + 3.5, text: words.tick(value), size, anchor: 'end' },
  ])
  const free = Math.min(6, pitch * 0.25)
  const width = (pitch - free) / 2
  const bars = losses.flatMap((losses, rank) =>
    fates.flatMap((fate, side): Mark[] => {
      const loss = losses[fate]
      if (!loss) return []
      const x = left + rank * pitch + free / 2 + side * width
      const high = bottom - y(Math.max(loss.added, least))
      // Nothing, or less than it was: measured, and so marked.
      if (high < 1) return [{ kind: 'rect', x: x + 0.5, y: bottom - 1, width: width - 1, height: 2, fill: 'ink' }]
      const bar = { x: x + 0.5, y: bottom - high, width: width - 1, height: high }
      return fate === 'cut'
        ? [{ kind: 'rect', ...bar, fill: 'bar' }]
        : [{ kind: 'rect', ...bar, fill: 'card', stroke: 'ink', weight: 1 }]
    }),
  )
  const plan = { left, right, pitch, top, bottom, width: right - left }
  return [
    titleMark(box, title ?? words.shortTitle(heads)),
    ...(title === undefined
      ? legendMarks(left, box.y + 12 + line, words)
      : legendMarks(right - legend, box.y + 12, words)),
    ...ticks.flat(),
    ...bars,
    ...greatestLabel(plan, losses, y, words),
    ...(complete ? note(plan, losses, words) : []),
    ...axisWords(plan, box.y + box.height - 4, tokensOf(losses), book, words),
  ]
}

interface Plan {
  left: number
  right: number
  pitch: number
  top: number
  bottom: number
  width: number
}

const square = 9
const legendWidth = ({ fates }: LossWords) => widthOf(fates.cut, 11) + widthOf(fates.stop, 11) + 2 * (square + 5) + 14

function titleMark({ x, y, width }: Box, text: string): Mark {
  return { kind: 'text', x, y: y + 12, text, size: 12.5, face: 'serif', bold: true, tone: 'ink', room: width }
}

function legendMarks(x: number, y: number, { fates }: LossWords): Mark[] {
  const second = x + square + 5 + widthOf(fates.cut, 11) + 14
  const box = { y: y - square, width: square, height: square }
  return [
    { kind: 'rect', x, ...box, fill: 'bar' },
    { kind: 'text', x: x + square + 5, y, text: fates.cut },
    { kind: 'rect', x: second, ...box, fill: 'card', stroke: 'ink' },
    { kind: 'text', x: second + square + 5, y, text: fates.stop },
  ]
}

/** The number of the highest bar, above it. */
function greatestLabel(
  { left, right, pitch }: Plan,
  losses: readonly PairLoss[],
  y: (value: number) => number,
  words: LossWords,
): Mark[] {
  const means = losses.map(({ cut, stop }) => Math.max(cut?.added ?? 0, stop?.added ?? 0))
  const value = Math.max(...means, 0)
  if (value < least) return []
  const text = words.added(value)
  const half = widthOf(text, size, 'mono') / 2
  const x = Math.min(Math.max(left + (means.indexOf(value) + 0.5) * pitch, left + half), right - half)
  return [{ kind: 'text', x, y: y(value) - 3, text, size, face: 'mono', bold: true, tone: 'ink', anchor: 'middle' }]
}

/** Over the slow pairs whose turning nobody misses, where their bars leave room. */
function note({ left, right, pitch, top }: Plan, losses: readonly PairLoss[], words: LossWords): Mark[] {
  const slow = needNotTurn(losses, least)
  const [first, last] = [slow[0], slow.at(-1)]
  if (first === undefined || last === undefined) return []
  const from = left + (losses.length - slow.length) * pitch
  const lines = words.needNotTurn(first, last)
  const high = losses.slice(-slow.length).some(({ cut }) => (cut?.added ?? 0) > 0.2)
  if (high || from + 6 + Math.max(...lines.map((line) => widthOf(line, 11))) > right) return []
  return [
    { kind: 'line', x1: from, x2: from, y1: top, y2: top + 30, stroke: 'quiet', dash: '2 2' },
    ...lines.map((text, line): Mark => ({ kind: 'text', x: from + 6, y: top + 10 + 14 * line, text, tone: 'ink' })),
  ]
}

function axisWords({ left, right, width }: Plan, y: number, tokens: number, book: string, words: LossWords): Mark[] {
  const room = width - widthOf(words.fast, size) - widthOf(words.slow, size) - 24
  const texts = [words.scale(tokens, book), words.scale(tokens, ''), words.shortScale(tokens)]
  const said = texts.find((text) => widthOf(text, size) <= room)
  return [
    { kind: 'text', x: left, y, text: words.fast, size },
    ...(said && tokens > 0
      ? [{ kind: 'text', x: (left + right) / 2, y, text: said, size, anchor: 'middle' } as const]
      : []),
    { kind: 'text', x: right, y, text: words.slow, size, anchor: 'end' },
  ]
}
