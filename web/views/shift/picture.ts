// The dials of four pairs, and below them the differences of each measured offset: both axes are logarithmic. The lower one is the slider.
import { integer, difference, wavelength } from '../../i18n/numbers'
import { gridLines } from '../../charts/chart'
import { rotationText } from '../../charts/dials/dials'
import { thinTicks, widthOf } from '../../charts/labels'
import { px, sector, type Look, type Mark, type Scene, type Size } from '../../charts/marks'
import type { Run } from '../../session/runs.svelte'
import { angleBetween, largestOffset, offsetAt, placeOf, rounding, type Dial, type OffsetDifferences } from './data'
import { t } from './messages.en'

/** The query and the key of the largest change. */
export function placeName({ reading }: Pick<Run, 'reading'>, { query, key }: OffsetDifferences): string {
  const name = (position: number) => tokenAt(reading.display[position] ?? '', position)
  return `${name(query)} → ${name(key)}`
}

const tokenAt = (token: string, position: number) => `${token} ${integer(position)}`

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** A power of ten: 10⁻⁸. */
function power(exponent: number): string {
  if (exponent === 0) return '1'
  const digits = [...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)] ?? '')
  return `10${exponent < 0 ? '⁻' : ''}${digits.join('')}`
}

export interface ShiftPicture {
  dials: readonly Dial[]
  measured: readonly OffsetDifferences[]
  /** Of the run on show; undefined: not measured. */
  current: OffsetDifferences | undefined
  /** Where the handle is. */
  offset: number
  /** The selected tokens, with their shifted positions. */
  query: { token: string; position: number }
  key: { token: string; position: number }
}

export interface Axis {
  left: number
  right: number
  top: number
  bottom: number
}

/** From 10^−8, for weights, to 10^−2, and to 10^2, for logits, where a shift changes so much. */
const lowest = -8
const tops = [-2, 0, 2]
const highest = 2
/** Above the dials are the two tokens, below them three lines, or four where they are narrow. */
const headline = 22
const line = 14
/** Px that the longest line takes: pair 127, λ 999,999. */
const narrowDial = 124
const largestDial = 320
/** Above the chart: the legend. */
const legendRoom = 52

/** On a phone the page scrolls: the picture may be higher than its room. */
export const roomOf = ({ width, height, phone }: Size & { phone: boolean }): Size => ({
  width,
  height: Math.max(height, phone ? 460 : 280),
})

/** The chart's axes: below the dials, or beside them where there is width. */
export function axisIn(room: Size): Axis {
  const { width, height } = room
  const { rows, side, lines, width: dialsWidth } = dialsIn(room)
  const below = headline + rows * (side + lines * line + 8) - 6
  const right = width - 14
  return isWide(room)
    ? { left: dialsWidth + 70, right, top: legendRoom, bottom: height - 42 }
    : { left: 46, right, top: below + legendRoom, bottom: height - 42 }
}

/** In a high room the chart would be higher than it has points for. */
const isWide = ({ width, height }: Size) => width >= 600 && height < 0.75 * width

/** The dials, and the chart with its legend. */
export function anchorsOf(room: Size) {
  const { rows, side, lines, width } = dialsIn(room)
  const { left, right, top, bottom } = axisIn(room)
  return {
    dials: { x: 0, y: 0, width, height: headline + rows * (side + lines * line + 8) },
    // With the numbers at its axes.
    chart: { x: left - 44, y: top - legendRoom + 4, width: right - left + 56, height: bottom - top + legendRoom + 24 },
  }
}

/** Four dials in a row, or two above two: beside the chart, and above it where the room is high or narrow. */
function dialsIn(room: Size) {
  const { width, height } = room
  if (isWide(room)) {
    const rows = 2
    const free = (height - headline) / rows - 3 * line - 8
    const side = Math.max(48, Math.min(width * 0.2 - 16, free, largestDial))
    return { rows, columns: 2, width: 2 * Math.max(side + 16, narrowDial), side, lines: 3 }
  }
  if (width >= 600 && height >= 1.1 * width) {
    const side = Math.min(width / 2 - 16, 0.26 * height - line * 3, largestDial)
    return { rows: 2, columns: 2, width, side, lines: 3 }
  }
  // A column of a phone has no room for four lines beside three others.
  if (width / 4 < 100 && height >= 440) {
    const side = Math.min(width / 2 - 16, 0.18 * height)
    return { rows: 2, columns: 2, width, side, lines: 3 }
  }
  const side = Math.max(48, Math.min(width / 4 - 12, height * (height < 380 ? 0.2 : 0.27)))
  return { rows: 1, columns: 4, width, side, lines: width / 4 < narrowDial ? 4 : 3 }
}

/** The offset at x px. */
export function offsetUnder(x: number, { left, right }: Axis): number {
  return offsetAt((x - left) / Math.max(right - left, 1))
}

export function drawShift(picture: ShiftPicture, room: Size): Scene {
  const axis = axisIn(room)
  return { ...room, marks: [...dialMarks(picture, room), ...chart(picture, axis), ...handle(picture, axis)] }
}

function dialMarks({ dials, query, key, offset }: ShiftPicture, room: Size): Mark[] {
  const { columns: across, side, lines: count, width } = dialsIn(room)
  const column = width / across
  const r = side / 2 - 2
  const half = width / 2 - 8
  const name = { kind: 'text', y: 12, face: 'mono', size: 12, bold: true, room: half } as const
  const names: Mark[] = [
    { ...name, x: half, text: tokenAt(query.token, query.position), tone: 'query', anchor: 'end' },
    { ...name, x: half + 16, text: tokenAt(key.token, key.position), tone: 'key' },
  ]
  const faces = dials.flatMap((dial, index): Mark[] => {
    const top = headline + Math.floor(index / across) * (side + count * line + 8)
    const [x, y] = [column * ((index % across) + 0.5), top + side / 2]
    const end = (angle: number) => ({ x2: x + 0.92 * r * Math.cos(angle), y2: y - 0.92 * r * Math.sin(angle) })
    const [pair, lambda] = [t().pair(dial.pair), `λ ${wavelength(dial.wavelength)}`]
    const lines = [
      ...(count === 4 ? [pair, lambda] : [`${pair}, ${lambda}`]),
      t().turns(dial.turns),
      t().between(rotationText(angleBetween(dial))),
    ]
    return [
      { kind: 'circle', x, y, r, stroke: 'edge' },
      { kind: 'path', d: wedge(x, y, r * 0.42, dial), fill: 'token', stroke: 'edge', weight: 0.75 },
      ...(offset > 0
        ? ([
            { kind: 'line', x1: x, y1: y, ...end(dial.unshifted.key), stroke: 'key', weight: 1.5, dash: '2 3' },
            { kind: 'line', x1: x, y1: y, ...end(dial.unshifted.query), stroke: 'query', weight: 1.5, dash: '2 3' },
          ] as const)
        : []),
      { kind: 'line', x1: x, y1: y, ...end(dial.key), stroke: 'key', weight: 4 },
      { kind: 'line', x1: x, y1: y, ...end(dial.query), stroke: 'query', weight: 2 },
      { kind: 'circle', x, y, r: 2.5, fill: 'ink' },
      ...lines.map((text, row): Mark => {
        const tone = row === count - 2 ? 'quiet' : 'ink'
        return { kind: 'text', x, y: top + side + 12 + row * line, text, tone, anchor: 'middle', room: column - 2 }
      }),
    ]
  })
  return [...names, ...faces]
}

/** The sector between two hands. */
function wedge(x: number, y: number, radius: number, dial: Dial): string {
  const angle = angleBetween(dial)
  if (Math.abs(angle) < 1e-3) return ''
  return sector(x, y, radius, dial.key + Math.min(angle, 0), dial.key + Math.max(angle, 0))
}

const xOf = (offset: number, { left, right }: Axis) => left + placeOf(offset) * (right - left)

/** Differences below the axis lie on it; NaN lies on top. */
export function yOf(change: number, { top, bottom }: Axis, most = highest): number {
  if (Number.isNaN(change)) return top
  const part = change <= 0 ? 0 : Math.min(1, Math.max(0, (Math.log10(change) - lowest) / (most - lowest)))
  return bottom - part * (bottom - top)
}

/** The exponent of the axis's upper end. */
export function topOf(measured: readonly OffsetDifferences[]): number {
  const changes = measured.flatMap(({ weight, logit }) => [weight, logit])
  return tops.find((top) => changes.every((change) => change <= 10 ** top)) ?? highest
}

function chart({ measured, current, offset }: ShiftPicture, axis: Axis): Mark[] {
  const { left, right, top, bottom } = axis
  const most = topOf(measured)
  const exponents = (bottom - top > 150 ? [-8, -6, -4, -2, 0, 2] : [-8, -4, 0]).filter((exponent) => exponent <= most)
  const offsets = [0, 1, 10, 100, 1000, 10_000, largestOffset]
  const fits = thinTicks(
    offsets.map((tick) => xOf(tick, axis)),
    offsets.map((tick) => widthOf(integer(tick), 10.5, 'mono')),
    8,
  )
  const rounded = yOf(rounding, axis, most)
  // Away from the handle.
  const isRight = xOf(offset, axis) > (left + right) / 2
  return [
    ...legend(t().weights, current?.weight, top - 34, axis, { fill: 'ink' }),
    ...legend(t().logits, current?.logit, top - 18, axis, { stroke: 'ink', weight: 1.25 }),
    ...gridLines(axis, exponents, (exponent) => yOf(10 ** exponent, axis, most), {
      format: power,
      base: lowest,
      face: 'mono',
      away: 11,
    }),
    { kind: 'rect', x: left, y: rounded, width: right - left, height: bottom - rounded, fill: 'token' },
    { kind: 'line', x1: left, y1: rounded, x2: right, y2: rounded, stroke: 'quiet', dash: '4 3' },
    {
      kind: 'text',
      x: isRight ? left + 6 : right - 4,
      y: bottom - rounded < 14 ? rounded - 5 : rounded + 12,
      text: t().rounding,
      anchor: isRight ? 'start' : 'end',
      size: 10.5,
    },
    ...offsets.flatMap((tick, index): Mark[] => {
      const x = xOf(tick, axis)
      const anchor = tick === largestOffset ? 'end' : 'middle'
      return [
        { kind: 'line', x1: x, y1: bottom, x2: x, y2: bottom + 4, stroke: 'edge' },
        ...(fits[index] || tick === largestOffset
          ? ([
              {
                kind: 'text',
                x: tick === largestOffset ? x + 10 : x,
                y: bottom + 22,
                text: integer(tick),
                anchor,
                face: 'mono',
                size: 10.5,
              },
            ] as const)
          : []),
      ]
    }),
    { kind: 'text', x: right + 10, y: bottom + 38, text: t().offset, anchor: 'end' },
    course(measured, 'logit', axis, most),
    course(measured, 'weight', axis, most),
    ...measured.flatMap((one) => points(one, axis, most, one.offset === current?.offset)),
  ]
}

/** From one measured offset to the next. */
function course(measured: readonly OffsetDifferences[], of: 'weight' | 'logit', axis: Axis, most: number): Mark {
  const at = (one: OffsetDifferences) => `${px(xOf(one.offset, axis))} ${px(yOf(one[of], axis, most))}`
  const d = measured.map((one, index) => `${index === 0 ? 'M' : 'L'}${at(one)}`).join('')
  return { kind: 'path', d, stroke: 'edge', weight: 1 }
}

function points({ offset, weight, logit }: OffsetDifferences, axis: Axis, most: number, isCurrent: boolean): Mark[] {
  const x = xOf(offset, axis)
  const r = isCurrent ? 5 : 3
  return [
    {
      kind: 'circle',
      x,
      y: yOf(logit, axis, most),
      r,
      fill: 'card',
      stroke: isCurrent ? 'ink' : 'quiet',
      weight: 1.25,
    },
    { kind: 'circle', x, y: yOf(weight, axis, most), r, fill: isCurrent ? 'ink' : 'quiet' },
  ]
}

/** What a point means, and its present value. */
function legend(text: string, value: number | undefined, y: number, { left, right }: Axis, look: Look): Mark[] {
  return [
    { kind: 'circle', x: left + 4, y: y - 4, r: 3.5, ...look },
    { kind: 'text', x: left + 14, y, text, room: right - left - 90 },
    ...(value === undefined
      ? []
      : ([
          {
            kind: 'text',
            x: right,
            y,
            text: difference(value),
            tone: 'ink',
            anchor: 'end',
            face: 'mono',
            bold: true,
          },
        ] as const)),
  ]
}

function handle({ offset }: ShiftPicture, axis: Axis): Mark[] {
  const { top, bottom } = axis
  const x = xOf(offset, axis)
  return [
    { kind: 'line', x1: x, y1: top, x2: x, y2: bottom, stroke: 'ink', weight: 1, opacity: 0.5 },
    { kind: 'circle', x, y: bottom, r: 8, fill: 'ink', stroke: 'card', weight: 2 },
  ]
}
