// One pair's queries and keys before rotation. Up is the mean query, left is back: the ring is a ruler of distances.
import { roundStep } from '../../charts/labels'
import type { Mark, Text } from '../../charts/marks'
import type { Cloud, DistanceWords, Shows } from './model'

/** px that a tick's number takes besides its digits, and each digit. */
const tickRoom = 14
const digit = 7
const dot = 1.4
/** Smaller rings have no words beside their hands. */
const named = 55
/** px that the word beside a hand takes. */
const nameRoom = 50

export interface PolarPlace {
  x: number
  y: number
  radius: number
}

interface Place {
  x: number
  y: number
}

export function polar(
  { clouds, theta, pair }: Pick<Shows, 'clouds' | 'theta' | 'pair'>,
  { x, y, radius }: PolarPlace,
  words: DistanceWords,
): Mark[] {
  const speed = theta[pair] ?? 0
  const stretch = clouds.longest > 0 ? (radius * 0.94) / clouds.longest : 0
  const on = (point: Place) => ({ x: x - point.y * stretch, y: y - point.x * stretch })
  const marks: Mark[] = [
    { kind: 'circle', x, y, r: radius, stroke: 'edge', weight: 1 },
    { kind: 'circle', x, y, r: radius / 2, stroke: 'rule', weight: 1 },
    ...ruler(speed, { x, y, radius }, words),
  ]
  const cloud = ({ x: along, y: across }: Cloud, tone: 'query' | 'key'): Mark => ({
    kind: 'path',
    d: dots(Array.from(along, (x, index) => on({ x, y: across[index] ?? 0 }))),
    fill: tone,
    opacity: 0.42,
  })
  const hand = ({ mean }: Cloud, tone: 'query' | 'key', weight: number): Mark => {
    const end = on(mean)
    return { kind: 'line', x1: x, y1: y, x2: end.x, y2: end.y, stroke: tone, weight }
  }
  marks.push(
    cloud(clouds.key, 'key'),
    cloud(clouds.query, 'query'),
    // The wide one below: both show where they coincide.
    hand(clouds.key, 'key', 4),
    hand(clouds.query, 'query', 2),
    { kind: 'circle', x, y, r: 2, fill: 'ink' },
  )
  if (radius >= named) marks.push(...names(on(clouds.query.mean), on(clouds.key.mean), x - radius, words))
  if (speed !== 0 && radius >= named) {
    const below = y + radius + 13
    marks.push(
      { kind: 'text', x: x - radius - 16, y: below, text: words.back },
      { kind: 'text', x: x + radius + 16, y: below, text: words.forth, anchor: 'end' },
    )
  }
  return marks
}

/** Words beside the ends of the two hands, on the sides that are turned away from each other; below where there is no room. */
function names(query: Place, key: Place, left: number, words: DistanceWords): Mark[] {
  const keysLeft = key.x <= query.x
  const name = ({ x, y }: Place, before: boolean): Pick<Text, 'x' | 'y' | 'anchor'> =>
    before && x - left < nameRoom
      ? { x: Math.min(left + 3, x - 10), y: y + 24, anchor: 'start' }
      : { x: x + (before ? -7 : 7), y: y + 4, anchor: before ? 'end' : 'start' }
  return [
    { kind: 'text', ...name(query, !keysLeft), text: words.queries, tone: 'query', bold: true },
    { kind: 'text', ...name(key, keysLeft), text: words.allKeys, tone: 'key', bold: true },
  ]
}

/** Places on the ring a query comes to when it is moved by so many tokens, up to half a turn. */
function ruler(speed: number, { x, y, radius }: PolarPlace, words: DistanceWords): Mark[] {
  const marks: Mark[] = []
  const tick = (away: number, side: 1 | -1) => {
    const angle = side * away * speed
    const at = (r: number) => ({ x: x - Math.sin(angle) * r, y: y - Math.cos(angle) * r })
    const [inner, outer, text] = [at(radius - 4), at(radius + 4), at(radius + 11)]
    marks.push(
      { kind: 'line', x1: inner.x, y1: inner.y, x2: outer.x, y2: outer.y, stroke: 'ink', weight: 1.3 },
      {
        kind: 'text',
        x: text.x,
        y: text.y + 4,
        text: words.ringTick(away),
        anchor: 'middle',
        face: 'mono',
        size: 10.5,
      },
    )
  }
  tick(0, 1)
  if (!(speed > 0)) return marks
  const fits = (every: number) => tickRoom + digit * words.ringTick(every * 5).length
  const every = roundStep(fits(tickRoom / (radius * speed)) / (radius * speed))
  for (let away = every; away * speed <= Math.PI; away += every) {
    tick(away, 1)
    // Near half a turn the two sides meet.
    if ((2 * Math.PI - 2 * away * speed) * radius >= fits(away)) tick(away, -1)
  }
  return marks
}

/** Small discs, as one path. */
function dots(places: readonly Place[]): string {
  const arc = `a${dot},${dot} 0 1,0 ${2 * dot},0a${dot},${dot} 0 1,0 ${-2 * dot},0`
  return places.map(({ x, y }) => `M${(x - dot).toFixed(1)},${y.toFixed(1)}${arc}`).join('')
}
