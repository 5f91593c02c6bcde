// The curve over distances as marks: key behind on the left, as one reads; and the handle below it.
import { integer, plain } from '../../i18n/numbers'
import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { gridLines, roundTicks } from '../chart'
import { roundStep, thinTicks, widthOf } from '../labels'
import type { Box, Mark, Tone } from '../marks'
import { fine, scoreAt, type ScoreCurve } from './model'

/** A curve, the first one drawn last. */
export interface Curve {
  scores: ScoreCurve
  tone: Tone
  weight: number
  dash?: string
}

export interface SweepPicture {
  curves: readonly Curve[]
  reach: number
  /** Whether there are no keys ahead. */
  causal: boolean
  /** The true distance, on the first curve. */
  marker: { distance: number; label: string }
  /** The highest point, if it is another one. */
  peak?: number | undefined
  /** The distance below the pointer. */
  pointed?: { distance: number; label: string } | undefined
  /** The marker's place on other curves, as a ring. */
  rings?: readonly ScoreCurve[]
  /** Legends of the curves. */
  notes: readonly string[]
  /** Distances at which the text has a token: dots on the first curve. */
  tokens?: readonly number[]
  /** The distances, the first one farthest behind, of the only scores that there are: each is a stem, and they fill the axis. */
  stems?: readonly number[] | undefined
  /** The part of the curves that is drawn: from one distance to a smaller one. All of them by default. */
  span?: readonly [from: number, to: number] | undefined
  ends: { behind: string; ahead: string; shortBehind: string; shortAhead: string }
}

export interface SweepPlan {
  left: number
  right: number
  top: number
  bottom: number
  /** Of the key's position relative to the query, −reach … reach (or 0). */
  x: ScaleLinear<number, number>
  y: ScaleLinear<number, number>
}

const size = 10.5
/** A smaller range is rounding, which no axis enlarges. */
export const nothing = 1e-9
/** Of the axis with the names of its ends. */
const below = 32

/** The distances at the left and the right end of the axis. */
export function endsOf({ reach, causal, stems }: Pick<SweepPicture, 'reach' | 'causal' | 'stems'>): [number, number] {
  return stems ? [stems[0] ?? 0, stems.at(-1) ?? 0] : [reach, causal ? 0 : -reach]
}

/** @param edges where the curve begins and ends, if another picture shares them */
export function planSweep(box: Box, picture: SweepPicture, edges?: { left: number; right: number }): SweepPlan {
  const { curves, causal, notes } = picture
  let [least, most] = [0, 0]
  for (const { scores } of curves) {
    for (let index = causal ? scores.reach * fine : 0; index < scores.values.length; index++) {
      const value = scores.values[index] ?? NaN
      if (value < least) least = value
      if (value > most) most = value
    }
  }
  if (most - least < nothing) [least, most] = [-1, 1]
  const top = box.y + (notes.length > 1 ? 32 : 20)
  const bottom = box.y + box.height - below
  const y = scaleLinear([least, most], [bottom, top])
  const texts = roundTicks(y, tickCount(bottom - top)).map(plain)
  const left = edges?.left ?? box.x + Math.ceil(Math.max(...texts.map((text) => widthOf(text, size)), 0)) + 7
  const right = edges?.right ?? box.x + box.width - 4
  const [first, last] = endsOf(picture)
  return { left, right, top, bottom, y, x: scaleLinear([-first, -last], [left, right]) }
}

const tickCount = (height: number) => Math.max(2, Math.min(5, Math.floor(height / 32)))

/** The distance under x px: query − key. */
export function distanceAt(px: number, { x, left, right }: SweepPlan): number {
  return 0 - Math.round(x.invert(Math.min(Math.max(px, left), right)))
}

export const drawSweep = (plan: SweepPlan, picture: SweepPicture): Mark[] => [
  ...drawAxis(plan, picture),
  ...drawCurves(plan, picture),
]

/** Ticks below the curves, and the names of both ends. */
function drawAxis({ left, right, bottom, x }: SweepPlan, { reach, causal, ends }: SweepPicture): Mark[] {
  const marks: Mark[] = []
  const step = roundStep(((causal ? 1 : 2) * reach * 42) / (right - left))
  for (let away = 0; away <= reach; away += step) {
    for (const place of away === 0 ? [0] : causal ? [-away] : [-away, away]) {
      marks.push({ kind: 'line', x1: x(place), x2: x(place), y1: bottom, y2: bottom + 3, stroke: 'edge' })
      const text = integer(away)
      const half = widthOf(text, size, 'mono') / 2
      const at = Math.min(Math.max(x(place), left + half - 4), right + 4 - half)
      marks.push({ kind: 'text', x: at, y: bottom + 14, text, size, face: 'mono', anchor: 'middle' })
    }
  }
  const low = bottom + 28
  const roomy = widthOf(ends.behind + ends.ahead, size) + 12 < right - left
  const [behind, ahead] = roomy ? [ends.behind, ends.ahead] : [ends.shortBehind, ends.shortAhead]
  marks.push({ kind: 'text', x: left, y: low, text: behind, size, tone: 'key' })
  if (!causal) marks.push({ kind: 'text', x: right + 4, y: low, text: ahead, size, tone: 'key', anchor: 'end' })
  return marks
}

/** The curves with their scores, the marker and what is read. */
export function drawCurves(plan: SweepPlan, picture: SweepPicture): Mark[] {
  const { top, bottom, x, y } = plan
  const { causal, curves, marker, pointed, peak, rings = [], tokens = [], stems, span } = picture
  const marks = gridLines(plan, roundTicks(y, tickCount(bottom - top)), y)
  const [all] = curves
  if (all && stems) marks.push(...drawStems(all.scores, stems, plan))
  // Where the key has not been is seen faintly.
  if (span && all)
    marks.push({ kind: 'path', d: pathOf(all.scores, plan, causal, undefined), stroke: 'edge', weight: 0.8 })
  for (const { scores, tone, weight, dash } of stems ? [] : [...curves].reverse()) {
    marks.push({
      kind: 'path',
      d: pathOf(scores, plan, causal, span),
      stroke: tone,
      weight,
      ...(dash === undefined ? {} : { dash }),
    })
  }
  const [first] = curves
  const scores = first?.scores
  if (scores && peak !== undefined) {
    marks.push({
      kind: 'circle',
      x: x(-peak),
      y: y(scoreAt(scores, peak)),
      r: 4,
      fill: 'card',
      stroke: 'ink',
      weight: 1.3,
    })
  }
  const [start, end] = span ?? [Infinity, -Infinity]
  // Dots that touch are a thick line.
  const isDotted = scores !== undefined && x(1) - x(0) >= 5
  for (const distance of isDotted ? tokens : []) {
    const score = scores ? scoreAt(scores, distance) : NaN
    if (distance > start || distance < end || Number.isNaN(score)) continue
    marks.push({ kind: 'circle', x: x(-distance), y: y(score), r: 2.2, fill: 'ink' })
  }
  const value = scores ? scoreAt(scores, marker.distance) : NaN
  const isFinite = Number.isFinite(value)
  if (isFinite) {
    const at = x(-marker.distance)
    marks.push({ kind: 'line', x1: at, x2: at, y1: top - 4, y2: bottom, stroke: 'key', dash: '2 2' })
    for (const ring of rings) {
      marks.push({
        kind: 'circle',
        x: at,
        y: y(scoreAt(ring, marker.distance)),
        r: 4,
        fill: 'card',
        stroke: 'key',
        weight: 1.3,
      })
    }
    marks.push({ kind: 'circle', x: at, y: y(value), r: 4.5, fill: 'key' })
  }
  if (scores && pointed && pointed.distance !== marker.distance) {
    const at = x(-pointed.distance)
    marks.push({ kind: 'line', x1: at, x2: at, y1: top - 4, y2: bottom, stroke: 'edge', dash: '2 2' })
    marks.push({
      kind: 'circle',
      x: at,
      y: y(scoreAt(scores, pointed.distance)),
      r: 3.5,
      fill: 'card',
      stroke: 'ink',
      weight: 1.2,
    })
  }
  return [...marks, ...labels(plan, picture, isFinite)]
}

/** From 0 to each score. */
function drawStems(scores: ScoreCurve, distances: readonly number[], { x, y }: SweepPlan): Mark[] {
  return distances.flatMap((distance): Mark[] => {
    const [at, score] = [x(-distance), y(scoreAt(scores, distance))]
    return [
      { kind: 'line', x1: at, x2: at, y1: y(0), y2: score, stroke: 'edge', weight: 1.6 },
      { kind: 'circle', x: at, y: score, r: 3, fill: 'ink' },
    ]
  })
}

/** Texts above the curves: the label at its marker, and the notes if they do not overlap it. */
function labels(
  { left, right, top, x }: SweepPlan,
  { marker, pointed, notes }: SweepPicture,
  isFinite: boolean,
): Mark[] {
  const read = pointed && pointed.distance !== marker.distance ? pointed : undefined
  const pointer = read ?? marker
  const width = widthOf(pointer.label, size + 0.5)
  const at = x(-pointer.distance)
  const fitsLeft = at - 7 - width >= left - 4
  const start = fitsLeft ? at - 7 - width : Math.min(at + 7, right - width)
  const marks: Mark[] = []
  const line = top - 8
  if (isFinite || read) {
    const tone = read ? 'ink' : 'key'
    marks.push({ kind: 'text', x: start, y: line, text: pointer.label, size: size + 0.5, tone, bold: !read })
  }
  notes.forEach((note, index) => {
    const y = line - 12 * index
    const long = widthOf(note, size)
    const clear = index > 0 || start + width + 10 < right - long
    if (clear) marks.push({ kind: 'text', x: right + 4, y, text: note, size, anchor: 'end' })
    else if (left + long + 10 < start) marks.push({ kind: 'text', x: left, y, text: note, size })
  })
  return marks
}

/** A curve's path; with several points a px their least and greatest. */
function pathOf(
  { values, reach }: ScoreCurve,
  { x, y, left, right }: SweepPlan,
  causal: boolean,
  span: SweepPicture['span'],
): string {
  // Backwards: the key farthest behind is the first.
  const last = causal ? reach * fine : values.length - 1
  const at = (index: number): [number, number] => [index / fine - reach, values[values.length - 1 - index] ?? NaN]
  const buckets = Math.ceil(right - left)
  const points: [number, number][] = []
  const index = (distance: number) => Math.min(last, Math.max(0, Math.round((reach - distance) * fine)))
  if (span) for (let place = index(span[0]); place <= index(span[1]); place++) points.push(at(place))
  else if (last <= 2 * buckets) for (let index = 0; index <= last; index++) points.push(at(index))
  else {
    for (let bucket = 0; bucket < buckets; bucket++) {
      const from = Math.floor((bucket * last) / buckets)
      let [low, high] = [from, from]
      for (let index = from; index <= Math.floor(((bucket + 1) * last) / buckets); index++) {
        if (at(index)[1] < at(low)[1]) low = index
        if (at(index)[1] > at(high)[1]) high = index
      }
      for (const index of new Set([Math.min(low, high), Math.max(low, high)])) points.push(at(index))
    }
  }
  const path = line()
    .x(([place]) => x(place))
    .y(([, score]) => y(score))
  return path(points) ?? ''
}

export interface HandlePicture {
  /** query − key, between tokens too. */
  distance: number
  /** Under the handle. */
  label: string
  /** The distances at the left and the right end. */
  ends: readonly [number, number]
  /** The end of the axis for keys ahead; undefined where the keys are of another text than the query. */
  ahead: string | undefined
  /** What stands at a place, as many as have room; by default its distance. */
  nameAt?: ((distance: number) => string) | undefined
  /** The distances of a walk, while the key walks. */
  path: readonly number[] | undefined
}

const radius = 8

export function drawHandle(plan: SweepPlan, picture: HandlePicture): Mark[] {
  const { left, right, bottom, x } = plan
  const { distance, label, ends, ahead, path } = picture
  const [line, low, at] = [bottom + 12, bottom + 32, x(-distance)]
  const mark = (place: number, half: number): Mark => ({
    kind: 'line',
    x1: place,
    x2: place,
    y1: line - half,
    y2: line + half,
    stroke: 'edge',
  })
  const marks: Mark[] = [{ kind: 'line', x1: left, x2: right, y1: line, y2: line, stroke: 'edge' }]
  const half = widthOf(label, size + 0.5) / 2
  const middle = Math.min(Math.max(at, left + half), right + 40 - half)
  for (const { place, text, middle: centre, isTick } of placesOf(plan, picture)) {
    if (isTick) marks.push(mark(place, text === undefined ? 2.5 : 4))
    if (text === undefined || Math.abs(centre - middle) < half + widthOf(text, size, 'mono') / 2 + 6) continue
    marks.push({ kind: 'text', x: centre, y: low, text, size, face: 'mono', anchor: 'middle' })
  }
  if (ahead !== undefined && ends[0] > 0)
    marks.push({ kind: 'text', x: left - 4, y: line + 4, text: '←', size, tone: 'key', anchor: 'end' })
  if (ahead !== undefined && ends[1] < 0)
    marks.push({ kind: 'text', x: right + 6, y: line + 4, text: ahead, size, tone: 'key' })
  const [first, last] = [path?.[0], path?.at(-1)]
  if (first !== undefined && last !== undefined) {
    marks.push({ kind: 'line', x1: x(-first), x2: at, y1: line, y2: line, stroke: 'key', weight: 2.5 })
    for (const end of [first, last]) marks.push({ ...mark(x(-end), 6), stroke: 'ink', weight: 1.6 } as Mark)
  }
  const arrows = [-1, 1].map(
    (side) => `M${at + side * 2} ${line - 3}L${at + side * 4.6} ${line}L${at + side * 2} ${line + 3}`,
  )
  marks.push(
    { kind: 'circle', x: at, y: line, r: radius, fill: 'key', stroke: 'card', weight: 1.5 },
    { kind: 'path', d: arrows.join(''), stroke: 'card', weight: 1.4, role: 'control' },
    { kind: 'text', x: middle, y: low, text: label, size: size + 0.5, tone: 'key', bold: true, anchor: 'middle' },
  )
  return marks
}

interface PlaceAtHandle {
  /** In px. */
  place: number
  /** What is written below it, and where its middle is. */
  text: string | undefined
  middle: number
  isTick: boolean
}

function placesOf({ left, right, x }: SweepPlan, { ends: [first, last], nameAt }: HandlePicture): PlaceAtHandle[] {
  const distances = Array.from({ length: first - last + 1 }, (_, index) => first - index)
  const isRoomy = Math.abs(x(1) - x(0)) >= 5
  if (nameAt) {
    const names = distances.map(nameAt)
    const widths = names.map((name) => widthOf(name, size, 'mono'))
    const middles = distances.map((distance, index) => {
      const half = (widths[index] ?? 0) / 2
      return Math.min(Math.max(x(-distance), left - 24 + half), right + 40 - half)
    })
    const fits = thinTicks(middles, widths, 8)
    return distances.map((distance, index) => {
      const place = x(-distance)
      return { place, text: fits[index] ? names[index] : undefined, middle: middles[index] ?? place, isTick: isRoomy }
    })
  }
  const step = roundStep(((first - last) * 42) / (right - left))
  return distances.map((distance) => {
    const [place, isNumbered] = [x(-distance), distance % step === 0]
    const text = isNumbered ? integer(Math.abs(distance)) : undefined
    return { place, text, middle: place, isTick: isRoomy || isNumbered }
  })
}
