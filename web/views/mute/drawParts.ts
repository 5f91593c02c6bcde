// The parts of one score before and after, above the switches of their pairs.
import { mute } from '../../i18n/en/views/mute'
import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { plain } from '../../i18n/format'
import type { Mark } from '../../charts/marks'
import { decades, placedTicks, widthOf } from '../../charts/pair-axis/axis'
import { nothing, type Box } from '../../charts/sweep/draw'
import { pairsPerSwitch, switches, type PairParts } from './model'

const size = 10.5
/** Room for the title above and for switches and wavelengths below. */
const above = 32
const below = 50
/** Room of the sums, on the title's line. */
const sums = 132
export const switchHeight = 24

export interface PartsPlan {
  left: number
  right: number
  top: number
  bottom: number
  pitch: number
  /** Of the title, beside the sums. */
  room: number
  y: ScaleLinear<number, number>
  /** Pairs by switch, and where it lies. */
  switches: readonly { pairs: readonly number[]; box: Box }[]
}

export function planParts(box: Box, pairs: readonly PairParts[]): PartsPlan {
  const values = [0, ...pairs.flatMap(({ before, after }) => [before, after])]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const [top, bottom] = [box.y + above, box.y + box.height - below]
  // Labels of what is taken away stand below bars that go down.
  const y = scaleLinear(most - least < nothing ? [-1, 1] : [least, most], [bottom - (least < 0 ? 12 : 0), top])
  const texts = y.ticks(tickCount(bottom - top)).map(plain)
  const left = box.x + Math.max(32, Math.ceil(Math.max(...texts.map((text) => widthOf(text, size)), 0)) + 7)
  const right = box.x + box.width - 2
  const pitch = (right - left) / Math.max(pairs.length, 1)
  const each = pairsPerSwitch(pairs.length, right - left)
  const groups = switches(
    pairs.map(({ pair }) => pair),
    each,
  )
  const of = (index: number, count: number): Box => ({
    x: left + index * each * pitch,
    y: bottom + 4,
    width: count * pitch,
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
    switches: groups.map((pairs, index) => ({ pairs, box: of(index, pairs.length) })),
  }
}

const tickCount = (height: number) => Math.max(2, Math.min(5, Math.floor(height / 30)))

export interface PartsShown {
  pairs: readonly PairParts[]
  score: readonly [before: number, after: number]
  /** The pairs that are muted as the switches stand, whatever has run yet, and how. */
  muted: ReadonlyMap<number, 'stop' | 'cut'>
  /** The chosen pair. */
  chosen: number | null
}

export function drawParts(plan: PartsPlan, { pairs, score, muted, chosen }: PartsShown, words: typeof mute): Mark[] {
  const { left, right, top, bottom, pitch, y } = plan
  const marks: Mark[] = []
  for (const value of y.ticks(tickCount(bottom - top))) {
    marks.push({ kind: 'line', x1: left, x2: right, y1: y(value), y2: y(value), stroke: value === 0 ? 'edge' : 'rule' })
    marks.push({ kind: 'text', x: left - 5, y: y(value) + 3.5, text: plain(value), size, anchor: 'end' })
  }
  const free = Math.min(6, pitch * 0.25)
  pairs.forEach(({ before, after, fate }, rank) => {
    const x = left + rank * pitch + free / 2
    const width = pitch - free
    const bar = (value: number) => ({ x, width, y: Math.min(y(value), y(0)), height: Math.abs(y(value) - y(0)) })
    if (after !== 0) marks.push({ kind: 'rect', ...bar(after), fill: after < 0 ? 'negative' : 'positive' })
    if (fate !== 'turns') {
      const stroke = before < 0 ? 'negative' : 'positive'
      marks.push({ kind: 'rect', ...bar(before), stroke, dash: '3 2' })
    } else if (Math.abs(y(before) - y(after)) > 2) {
      marks.push({ kind: 'line', x1: x - 1, x2: x + width + 1, y1: y(before), y2: y(before), stroke: 'ink', weight: 1 })
    }
  })
  return [
    ...marks,
    ...taken(plan, pairs, words),
    ...sum(plan, score, words),
    ...switchMarks(plan, muted, chosen),
    ...axis(plan, pairs, words),
  ]
}

/** What each muted pair lost, where there is room to say it. */
function taken({ left, pitch, y }: PartsPlan, pairs: readonly PairParts[], words: typeof mute): Mark[] {
  const ends = new Map<boolean, number>()
  return pairs.flatMap(({ before, after, fate }, rank): Mark[] => {
    const lost = after - before
    if (fate === 'turns' || Math.abs(lost) < 0.005) return []
    const down = before < 0
    const text = words.change(lost)
    const x = left + (rank + 0.5) * pitch
    const half = widthOf(text, 10, 'mono') / 2
    if (x - half < (ends.get(down) ?? -Infinity)) return []
    ends.set(down, x + half)
    return [
      { kind: 'text', x, y: y(before) + (down ? 11 : -4), text, size: 10, face: 'mono', anchor: 'middle', tone: 'ink' },
    ]
  })
}

/** At the end of the title's line. */
function sum({ right, top }: PartsPlan, [before, after]: readonly [number, number], words: typeof mute): Mark[] {
  const [name, was, is] = words.sum(Math.abs(before - after) < 0.005 ? undefined : before, after)
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

function switchMarks({ switches }: PartsPlan, muted: PartsShown['muted'], chosen: number | null): Mark[] {
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
    const struck = off.some((pair) => muted.get(pair) === 'cut')
    const held = chosen !== null && pairs.includes(chosen)
    const outline = { x: box.x + 1, y: box.y, width: box.width - 2, height: box.height, round: 4 }
    return [
      {
        kind: 'rect',
        ...outline,
        fill: none ? 'token' : 'card',
        stroke: none && !held ? 'edge' : 'ink',
        weight: held ? 2 : none ? 1 : 1.4,
        ...(none ? {} : { dash: all ? '3 2' : '6 2' }),
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

function axis({ left, right, bottom, pitch }: PartsPlan, pairs: readonly PairParts[], words: typeof mute): Mark[] {
  const low = bottom + 4 + switchHeight + 14
  const ticks = placedTicks(decades(pairs.map(({ wavelength }) => wavelength)), (rank) => left + (rank + 0.5) * pitch)
  const end = Math.max(left, ...ticks.map(({ x, text }) => x + widthOf(text, size, 'mono') / 2))
  const name = widthOf(words.turnAxis, size)
  return [
    { kind: 'text', x: left - 5, y: bottom + 20, text: words.pairAxis, size, anchor: 'end' },
    ...ticks.map(({ x, text }): Mark => ({ kind: 'text', x, y: low, text, size, face: 'mono', anchor: 'middle' })),
    ...(end + 10 + name <= right
      ? [{ kind: 'text', x: Math.min(end + 10, right - name), y: low, text: words.turnAxis, size } as const]
      : []),
  ]
}
