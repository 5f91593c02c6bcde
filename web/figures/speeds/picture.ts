// Dials above, the map of angles below, as marks.
import { integer, wavelength } from '../../i18n/numbers'
import { scaleLinear, scaleLog } from 'd3-scale'
import { thinLabels, thinTicks, widthOf } from '../../charts/labels'
import { sector, type Mark, type Scene, type Size } from '../../charts/marks'
import { mapSpan, mostTurns, type AngleMap, type Hand, type Speeds } from './data.svelte'
import type { MapMode } from '.'
import { t } from './messages.en'
import type { Point } from '../../ui/pointer'

interface SpeedsPlan {
  width: number
  height: number
  columns: number
  /** Of a dial's face, and of its place. */
  radius: number
  cell: Size
  map: { left: number; top: number; width: number; height: number; row: number }
}

const captions = 14
const above = 40
const below = 30

export function planSpeeds(width: number, height: number, dials: number, pairs: number): SpeedsPlan {
  const most = Math.max(4, Math.floor(width / 44))
  const rows = Math.ceil(dials / most)
  const columns = Math.ceil(dials / Math.max(rows, 1))
  const room = Math.min(height * 0.48, rows * 96)
  const cell = { width: width / Math.max(columns, 1), height: room / Math.max(rows, 1) }
  const radius = Math.max(8, Math.min(cell.width / 2 - 3, (cell.height - captions) / 2 - 2, 34))
  cell.height = 2 * radius + captions + 4
  const top = rows * cell.height + above
  const row = Math.max(2, Math.min(44, (height - top - below) / Math.max(pairs, 1)))
  return { width, height, columns, radius, cell, map: { ...mapSpan(width), top, height: row * pairs, row } }
}

/** Where a position stands on the map, from its left edge. */
function placeOf({ map }: SpeedsPlan, isLog: boolean, last: number): (position: number) => number {
  const range: [number, number] = [map.left, map.left + map.width]
  const scale = isLog ? scaleLog([1, last], range) : scaleLinear([0, last], range)
  return (position) => scale(isLog ? Math.max(1, position) : position)
}

export function drawSpeeds(plan: SpeedsPlan, speeds: Speeds, hands: readonly Hand[], angles: AngleMap): Scene {
  return {
    width: plan.width,
    height: Math.max(plan.height, plan.map.top + plan.map.height + below),
    marks: [...dials(plan, hands, speeds.pair), ...map(plan, speeds, angles)],
  }
}

/** A dial's middle. */
export function middleOf({ columns, cell, radius }: SpeedsPlan, index: number): Point {
  return {
    x: ((index % columns) + 0.5) * cell.width,
    y: Math.floor(index / columns) * cell.height + radius + 2,
  }
}

function dials(plan: SpeedsPlan, hands: readonly Hand[], selected: number | null): Mark[] {
  const { radius, cell } = plan
  return hands.flatMap((hand, index): Mark[] => {
    const { x, y } = middleOf(plan, index)
    const at = (angle: number, length: number) => ({ x: x + length * Math.cos(angle), y: y - length * Math.sin(angle) })
    const open = hand.reach < 2 * Math.PI - 1e-9
    const tip = ({ angle, length }: Hand['query'], share: number) => at(angle, radius * share * Math.max(length, 0.08))
    const [key, query] = [tip(hand.key, 0.96), tip(hand.query, 0.88)]
    const isSelected = hand.pair === selected
    const text = wavelength(hand.wavelength)
    const size = Math.min(10.5, (cell.width - 2) / Math.max(1, text.length * 0.62))
    return [
      {
        kind: 'circle',
        x,
        y,
        r: radius,
        fill: 'card',
        stroke: isSelected ? 'ink' : 'edge',
        weight: isSelected ? 2 : 1,
      },
      open
        ? { kind: 'path', d: sector(x, y, radius, 0, hand.reach), fill: 'token', stroke: 'rule', weight: 1 }
        : { kind: 'circle', x, y, r: radius - 1, fill: 'token' },
      ...(open && !isSelected
        ? [{ kind: 'path', d: ring(x, y, radius), stroke: 'card', weight: 1.6, dash: '2 3' } satisfies Mark]
        : []),
      { kind: 'line', x1: x, y1: y, x2: key.x, y2: key.y, stroke: 'key', weight: 3.4 },
      { kind: 'line', x1: x, y1: y, x2: query.x, y2: query.y, stroke: 'query', weight: 1.8 },
      { kind: 'circle', x, y, r: 1.8, fill: 'ink' },
      {
        kind: 'text',
        x,
        y: y + radius + 12,
        text,
        size: Math.max(8.5, size),
        anchor: 'middle',
        tone: isSelected ? 'ink' : 'quiet',
        bold: isSelected,
        face: 'mono',
      },
    ]
  })
}

const ring = (x: number, y: number, r: number) =>
  `M${x - r} ${y}A${r} ${r} 0 1 1 ${x + r} ${y}A${r} ${r} 0 1 1 ${x - r} ${y}`

function map(plan: SpeedsPlan, speeds: Speeds, { isLog, last, mode, pixels, colours }: AngleMap): Mark[] {
  const { map } = plan
  const { wavelengths, pair: selected, context, m, n } = speeds
  const place = placeOf(plan, isLog, last)
  const bottom = map.top + map.height
  const right = map.left + map.width
  const marks: Mark[] = [
    { kind: 'raster', x: map.left, y: map.top, width: map.width, height: map.height, ...pixels },
    {
      kind: 'text',
      x: 0,
      y: map.top - above + 14,
      text: t().mapTitle,
      size: 13,
      face: 'serif',
      bold: true,
      tone: 'ink',
    },
    ...legend(mode, colours, right, map.top - above + 4, plan.width < 480),
  ]
  const pinned = selected === null ? [] : [selected]
  for (const pair of thinLabels(wavelengths.length, map.row, 12, pinned)) {
    const y = map.top + (pair + 0.5) * map.row + 3.5
    const text = wavelength(wavelengths[pair] ?? Infinity)
    marks.push({
      kind: 'text',
      x: map.left - 5,
      y,
      text,
      size: 10,
      anchor: 'end',
      face: 'mono',
      tone: pair === selected ? 'ink' : 'quiet',
      bold: pair === selected,
    })
  }
  // One turn: where each pair's wavelength lies on the axis.
  const steps = Array.from(
    wavelengths,
    (length, pair) => [place(Math.min(length, last)), map.top + (pair + 0.5) * map.row, length] as const,
  )
  const inside = steps.filter(([, , length]) => length <= last)
  const d = inside.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  marks.push({ kind: 'path', d, stroke: 'card', weight: 3.5 }, { kind: 'path', d, stroke: 'ink', weight: 1.4 })
  const [from, to] = [inside.at(Math.floor(inside.length * 0.62)), inside.at(-1)]
  if (from && to && to[0] > from[0] + 60) {
    const [x, y] = [from[0] + 12, from[1] - 3]
    const room = widthOf(t().turn, 10.5) + 8
    marks.push({ kind: 'rect', x: x - 4, y: y - 11, width: room, height: 15, fill: 'card', opacity: 0.9 })
    marks.push({ kind: 'text', x, y, text: t().turn, size: 10.5, tone: 'ink' })
  }
  const contextEnd = place(Math.min(context, last))
  if (context < last) {
    marks.push({
      kind: 'rect',
      x: contextEnd,
      y: map.top,
      width: right - contextEnd,
      height: map.height,
      fill: 'card',
      opacity: 0.35,
    })
    marks.push({
      kind: 'line',
      x1: contextEnd,
      x2: contextEnd,
      y1: map.top - 4,
      y2: bottom,
      stroke: 'ink',
      weight: 1.5,
    })
    const text = t().context(context)
    const toLeft = contextEnd + widthOf(text, 10.5) > right
    marks.push({
      kind: 'text',
      x: toLeft ? contextEnd - 3 : contextEnd + 3,
      y: map.top - 6,
      text,
      size: 10.5,
      anchor: toLeft ? 'end' : 'start',
    })
  }
  const distance = Math.abs(m - n)
  if (distance >= 1 && distance <= last) {
    const x = place(distance)
    marks.push({ kind: 'line', x1: x, x2: x, y1: map.top - 4, y2: bottom, stroke: 'card', weight: 3.5 })
    marks.push({ kind: 'line', x1: x, x2: x, y1: map.top - 4, y2: bottom, stroke: 'ink', weight: 1.8 })
    const text = t().distance(distance)
    const toLeft = x > map.left + widthOf(text, 10.5) + 4 && x < contextEnd
    const end = toLeft ? 'end' : 'start'
    marks.push({
      kind: 'text',
      x: toLeft ? x - 3 : x + 3,
      y: map.top - 6,
      text,
      size: 10.5,
      tone: 'ink',
      bold: true,
      anchor: end,
    })
  }
  if (selected !== null) {
    const y = map.top + selected * map.row
    marks.push({ kind: 'rect', x: map.left, y, width: map.width, height: map.row, stroke: 'ink', weight: 1.6 })
  }
  for (const [text, x, y, anchor] of [
    [t().still, map.left + 6, bottom - 8, 'start'],
    [t().blurred, right - 6, map.top + 14, 'end'],
  ] as const) {
    const wide = widthOf(text, 10.5) + 8
    if (!isLog || wide > map.width / 2) continue
    marks.push({
      kind: 'rect',
      x: anchor === 'end' ? x - wide + 4 : x - 4,
      y: y - 11,
      width: wide,
      height: 15,
      fill: 'card',
      opacity: 0.9,
    })
    marks.push({ kind: 'text', x, y, text, size: 10.5, anchor, tone: 'ink' })
  }
  const ticks = isLog
    ? [1, 10, 100, 1000, 10_000, 100_000]
    : [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * last))
  const texts = ticks.map(integer)
  // The last ones move inwards, where they may collide with those before.
  const widths = texts.map((text) => widthOf(text, 10.5, 'mono'))
  const places = ticks.map((tick, index) => {
    const half = (widths[index] ?? 0) / 2
    return Math.min(Math.max(place(tick), map.left + half - 4), right - half)
  })
  const fits = thinTicks(places, widths, 8)
  texts.forEach((text, index) => {
    if (!fits[index]) return
    marks.push({
      kind: 'text',
      x: places[index] ?? 0,
      y: bottom + 13,
      text,
      size: 10.5,
      anchor: 'middle',
      face: 'mono',
    })
  })
  marks.push({ kind: 'text', x: right, y: bottom + 27, text: t().tokens, size: 10.5, anchor: 'end' })
  marks.push({ kind: 'text', x: 0, y: bottom + 27, text: t().wavelength, size: 10.5 })
  return marks
}

/** What the colours mean, from right to left. */
function legend(mode: MapMode, colours: AngleMap['colours'], right: number, y: number, isNarrow: boolean): Mark[] {
  const [from, to] = endsOf(mode)
  const text = { kind: 'text', y: y + 9, size: 10.5 } as const
  const width = isNarrow ? 56 : 96
  const x = right - widthOf(to, 10.5) - 5 - width
  return [
    { ...text, x: right, text: to, anchor: 'end' },
    { kind: 'raster', x, y, width, height: 10, ...colours },
    { kind: 'rect', x, y, width, height: 10, stroke: 'rule' },
    { ...text, x: x - 5, text: isNarrow ? from : `${t().modes[mode]} ${from}`, anchor: 'end' },
  ]
}

/** What the first and the last colour mean. */
const endsOf = (mode: MapMode): readonly [string, string] =>
  mode === 'angle' ? ['0°', '360°'] : mode === 'turns' ? ['0', integer(Math.round(mostTurns))] : ['−1', '1']

/** The pair under a point: of a dial, or of a row of the map. */
export function pairAt(
  plan: SpeedsPlan,
  hands: readonly Hand[],
  pairs: number,
  x: number,
  y: number,
): number | undefined {
  const { map } = plan
  if (y >= map.top && y < map.top + map.height && x >= map.left) {
    return Math.min(pairs - 1, Math.floor((y - map.top) / map.row))
  }
  return hands.find((_, index) => {
    const middle = middleOf(plan, index)
    return Math.hypot(middle.x - x, middle.y - y) <= plan.radius + 2
  })?.pair
}
