// Mean weights by distance on a root scale, in reading order: keys behind on the left.
import { gridLines } from '../../charts/chart'
import { roundStep } from '../../charts/labels'
import { px, type Mark, type Text } from '../../charts/marks'
import { constancyOf, nextTurn, peakOf, weightAt, type Curves, type DistancePicture } from './data'
import { t } from './messages.en'

/** In CSS px. */
export interface ChartPlace {
  left: number
  right: number
  top: number
  bottom: number
  /** The farthest distances, behind and ahead. */
  behind: number
  ahead: number
  /** The weight at the top. */
  most: number
}

const ticks = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 1]
/** Distances on each side where not all fit. */
const nearby = 24
/** Of a letter, in CSS px. */
const letter = 6.1
/** Of the labels of a distance, in CSS px. */
const labelWidth = 90
/** CSS px of a distance that a pointer hits easily. */
const leastStep = 7

export function chartPlace(width: number, bottom: number, curves: Curves, all: boolean): ChartPlace {
  const [left, right] = [36, width - 8]
  const farthest = Math.max(1, curves.length - 1)
  const sides = curves.causal ? 1 : 2
  const fits = Math.max(8, Math.floor((right - left) / leastStep / sides))
  const behind = all ? farthest : Math.min(farthest, fits, nearby * (3 - sides))
  const { measured, predicted } = curves
  let greatest = 0
  for (let distance = -behind; distance <= behind; distance++) {
    greatest = Math.max(greatest, weightAt(curves, measured, distance), weightAt(curves, predicted, distance))
  }
  const most = [0.05, 0.1, 0.25, 0.5].find((most) => greatest <= most) ?? 1
  return { left, right, top: 34, bottom, behind, ahead: curves.causal ? 0 : behind, most }
}

const step = ({ left, right, behind, ahead }: ChartPlace) => (right - left) / (behind + ahead + 1)
const xOf = (distance: number, place: ChartPlace) => place.left + (place.behind - distance + 0.5) * step(place)
const yOf = (weight: number, { top, bottom, most }: ChartPlace) =>
  bottom - (bottom - top) * Math.sqrt(Math.min(Math.max(weight, 0) / most, 1))

export function distanceIn(x: number, place: ChartPlace, { length }: Curves): number {
  const distance = place.behind - Math.floor((x - place.left) / step(place))
  return Math.max(-place.ahead, 1 - length, Math.min(place.behind, length - 1, distance))
}

export function drawChart(picture: DistancePicture, place: ChartPlace): Mark[] {
  const { curves, distance, focus, pairs, correlation } = picture
  const { left, right, bottom, behind, ahead } = place
  const pitch = step(place)
  const distances = Array.from({ length: behind + ahead + 1 }, (_, index) => behind - index)
  const points = (curve: Float64Array) =>
    distances.map((distance) => `${px(xOf(distance, place))},${px(yOf(weightAt(curves, curve, distance), place))}`)
  const numbers = { kind: 'text', y: 12, size: 12, tone: 'ink' } as const
  const marks: Mark[] = [
    { ...numbers, x: left, text: t().correlation(correlation), bold: true },
    { ...numbers, x: left + 62, text: t().constancy(constancyOf(pairs)) },
    ...grid(place),
  ]

  const gap = pitch >= 6 ? 1 : 0
  // Wide steps are bars with gaps, narrow ones a silhouette.
  const bars = distances
    .map((distance) => {
      const [from, y] = [
        xOf(distance, place) - pitch / 2 + gap / 2,
        yOf(weightAt(curves, curves.measured, distance), place),
      ]
      return `M${px(from)},${bottom}V${px(y)}H${px(from + pitch - gap)}V${bottom}Z`
    })
    .join('')
  marks.push({ kind: 'path', d: bars, fill: 'edge', opacity: 0.42 })
  if (distances.includes(focus)) {
    const y = yOf(weightAt(curves, curves.measured, focus), place)
    const wide = Math.max(pitch - gap, 3)
    marks.push({ kind: 'rect', x: xOf(focus, place) - wide / 2, y, width: wide, height: bottom - y, fill: 'bar' })
  }
  marks.push(
    { kind: 'path', d: `M${points(curves.even).join('L')}`, stroke: 'quiet', weight: 1, dash: '1 3' },
    { kind: 'path', d: `M${points(curves.predicted).join('L')}`, stroke: 'ink', weight: 1.6 },
  )
  if (pitch >= 6) {
    for (const distance of distances) {
      const y = yOf(weightAt(curves, curves.predicted, distance), place)
      marks.push({ kind: 'circle', x: xOf(distance, place), y, r: 1.9, fill: 'ink' })
    }
  }
  if (distance <= behind && distance >= -ahead) {
    const x = xOf(distance, place)
    const d = `M${px(x - 5)},${bottom + 7}H${px(x + 5)}L${px(x)},${bottom + 1}Z`
    marks.push({ kind: 'path', d, fill: 'key' })
  }
  const labels = focusLabels(curves, focus, place)
  return [...marks, ...labels, ...nextMatch(picture, place, labels), ...ends(place, left, right)]
}

/** The measured and the predicted weight, beside their distance. */
function focusLabels(curves: Curves, focus: number, place: ChartPlace): Text[] {
  const [measured, predicted] = [weightAt(curves, curves.measured, focus), weightAt(curves, curves.predicted, focus)]
  const x = Math.min(Math.max(xOf(focus, place), place.left), place.right)
  const half = Math.max(step(place) / 2, 4) + 5
  // Towards the side with more room.
  const before =
    x - place.left > 110 && (x > (place.left + place.right) / 2 || peakOf(curves, curves.measured) === focus)
  const at = { x: before ? x - half : x + half, anchor: before ? 'end' : 'start', kind: 'text' } as const
  const lines = [
    { text: t().at(focus), tone: 'quiet' },
    { text: t().predicted(predicted), tone: 'ink' },
    { text: t().measured(measured), tone: 'ink', bold: true },
  ] as const
  // Above the curves behind the labels.
  const end = focus + Math.ceil(labelWidth / step(place)) * (before ? 1 : -1)
  const [from, to] = [Math.min(focus, end), Math.max(focus, end)]
  let free = yOf(Math.max(measured, predicted), place) + 40
  for (let distance = from; distance <= to; distance++) {
    if (distance === focus) continue
    const greatest = Math.max(weightAt(curves, curves.measured, distance), weightAt(curves, curves.predicted, distance))
    free = Math.min(free, yOf(greatest, place) - 5)
  }
  const first = Math.max(free - 36, place.top - 8)
  return lines.map((line, index) => ({ ...at, ...line, y: first + 8 + index * 14, size: 11 }))
}

/** Where the strongest pair matches again, if its label fits. */
function nextMatch({ curves, pairs, theta }: DistancePicture, place: ChartPlace, labels: readonly Text[]): Mark[] {
  const found = nextTurn(pairs, theta)
  const at = found?.distances.find((distance) => distance <= place.behind && distance >= -place.ahead)
  if (!found || at === undefined || step(place) < 5) return []
  const text = t().nextMatch(at, found.pair)
  const x = xOf(at, place)
  // Away from the peak.
  const behind = at > 0
  const [from, to] = behind ? [x + 10 - text.length * letter, x + 10] : [x - 10, x - 10 + text.length * letter]
  const box = { left: from, right: to }
  if (box.left < place.left || box.right > place.right) return []
  let top = place.bottom
  for (
    let distance = distanceIn(box.right, place, curves);
    distance <= distanceIn(box.left, place, curves);
    distance++
  ) {
    const greatest = Math.max(weightAt(curves, curves.measured, distance), weightAt(curves, curves.predicted, distance))
    top = Math.min(top, yOf(greatest, place))
  }
  const y = top - 14
  const overlaps = labels.some((label) => {
    const [from, to] = label.anchor === 'end' ? [label.x - labelWidth, label.x] : [label.x, label.x + labelWidth]
    return from < box.right && to > box.left && Math.abs(label.y - y) < 13
  })
  if (overlaps || y < place.top + 8) return []
  return [
    { kind: 'text', x: behind ? to : from, y, text, anchor: behind ? 'end' : 'start' },
    { kind: 'line', x1: x, x2: x, y1: y + 4, y2: y + 11, stroke: 'edge', weight: 1 },
  ]
}

function grid(place: ChartPlace): Mark[] {
  const { left, right, bottom, behind, ahead, most } = place
  const y = (weight: number) => yOf(weight, place)
  let last = Infinity
  const spaced = ticks.filter((tick) => {
    const fits = tick <= most && last - y(tick) >= 12
    if (fits) last = y(tick)
    return fits
  })
  const marks = gridLines({ left, right }, spaced, y, { face: 'mono' })
  const every = roundStep(36 / step(place))
  for (let away = 0; away <= behind; away += every) {
    for (const distance of away === 0 ? [0] : away <= ahead ? [away, -away] : [away]) {
      const x = xOf(distance, place)
      marks.push(
        { kind: 'line', x1: x, x2: x, y1: bottom, y2: bottom + 4, stroke: 'edge', weight: 1 },
        { kind: 'text', x, y: bottom + 16, text: t().tick(away), anchor: 'middle', face: 'mono', size: 10.5 },
      )
    }
  }
  return marks
}

function ends({ bottom, ahead }: ChartPlace, left: number, right: number): Mark[] {
  const end = { kind: 'text', y: bottom + 31, size: 11 } as const
  return [
    { ...end, x: left, text: t().behind, tone: 'key' },
    ...(ahead > 0 ? [{ ...end, x: right, text: t().ahead, tone: 'key', anchor: 'end' } as const] : []),
    ...(right - left > 380 ? [{ ...end, x: (left + right) / 2, text: t().even, anchor: 'middle' } as const] : []),
  ]
}
