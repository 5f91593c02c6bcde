// Frequency pairs of a query and a key as dials: how far rotation turns the key away from the query, and what that adds to the score. Where
// nothing rotates, the hands of a pair of components as they are.
import { decimal, signed, wavelength } from '../../i18n/numbers'
import type { PairHands } from '../../engine/protocol/mathematics'
import { ellipsis, sector, type Box, type Mark, type Text } from '../marks'
import type { Point } from '../../ui/pointer'
import { t } from './messages.en'

const turn = 2 * Math.PI

/** A pair's two components of a query and of a key, as hands. Its angle is the one from the query to the key before rotation, counterclockwise. */
export interface Hands extends PairHands {
  pair: number
  /** θ_i: radians a token; 0: it does not rotate. */
  theta: number
}

type DialRole = 'fastest' | 'strongest' | 'second' | 'slowest' | 'selected'

export interface Dial extends Hands {
  /** What it stands out by. */
  role?: DialRole | undefined
}

/** All pairs that rotate, the fastest first. @param theta by pair */
export function handsOf(pairs: readonly PairHands[], theta: ArrayLike<number>): Hands[] {
  return pairs
    .map((pair, index): Hands => ({ ...pair, pair: index, theta: theta[index] ?? 0 }))
    .filter(({ theta }) => theta > 0)
    .sort((one, other) => other.theta - one.theta)
}

export const longestHand = (all: readonly Hands[]): number =>
  Math.max(0, ...all.flatMap(({ query, key }) => [query, key]))

/**
 * At most three: the fastest pair, the one with the largest part between, or the selected one, and the slowest.
 *
 * @param all the fastest first @param parts by pair
 */
export function chooseDials(all: readonly Hands[], parts: ArrayLike<number>, selected: number | null): Dial[] {
  const [fastest, slowest] = [all[0], all.at(-1)]
  if (!fastest || !slowest) return []
  if (fastest === slowest) return [{ ...fastest, role: 'fastest' }]
  const size = ({ pair }: Hands) => Math.abs(parts[pair] ?? 0)
  const between = all.slice(1, -1)
  const strongest = between.reduce<Hands | undefined>(
    (most, hands) => (most && size(most) >= size(hands) ? most : hands),
    undefined,
  )
  const picked = between.find(({ pair }) => pair === selected)
  const middle = picked ?? strongest
  // Of all pairs, those that do not rotate among them.
  const stronger = middle ? Array.from(parts).filter((part) => Math.abs(part) > size(middle)).length : 0
  const role = picked ? 'selected' : (['strongest', 'second'] as const)[stronger]
  return [
    { ...fastest, role: 'fastest' },
    ...(middle ? [{ ...middle, role } as const] : []),
    { ...slowest, role: 'slowest' },
  ]
}

/**
 * Of a model that does not rotate: the three pairs with the largest parts, the largest first, the selected one among them.
 *
 * @param parts by pair
 */
export function largestDials(all: readonly Hands[], parts: ArrayLike<number>, selected: number | null): Dial[] {
  const size = ({ pair }: Hands) => Math.abs(parts[pair] ?? 0)
  const largest = [...all].sort((one, other) => size(other) - size(one)).slice(0, 3)
  const picked = largest.some(({ pair }) => pair === selected) ? undefined : all.find(({ pair }) => pair === selected)
  const dials = picked ? [...largest.slice(0, 2), picked] : largest
  return dials.map((hands) => ({ ...hands, role: hands.pair === selected ? 'selected' : undefined }))
}

/** The angle from the query's hand to the key's, where the key is `distance` tokens behind: both turned by their positions. */
export const angleAt = ({ angle, theta }: Hands, distance: number): number => angle - distance * theta

/** How far a pair turns from the key's position to the query's: in degrees, from a full turn on in turns. */
export function rotationText(radians: number): string {
  const angle = Math.abs(radians)
  if (angle >= turn) return t().turns(angle / turn)
  const degrees = (angle * 360) / turn
  return `${decimal(degrees, degrees === 0 || degrees >= 9.95 ? 0 : degrees >= 0.095 ? 1 : 2)}°`
}

const size = 11
const lineHeight = 14
/** Radii, and the room at a dial's sides, of a few dials beside other charts and of all pairs. The angle of a dial fits into the least of many. */
const few = { least: 14, largest: 64, side: 14 }
const many = { least: 26, largest: 110, side: 6 }
/** Below this radius a dial has its name and its part alone. */
const small = 30
const edge = 3
/** Of the largest radius that fits: still large enough where all rows are of the same length. */
const tidy = 0.8

export interface DialsPlan {
  radius: number
  /** Lines of text under each dial. */
  lines: 2 | 3
  /** Of each dial's column. */
  width: number
  /** From the top of the box to the end of the texts. */
  height: number
  middle: (index: number) => Point
  /** The dial under a place, with its texts. */
  at: (x: number, y: number) => number | undefined
}

/** Dials in rows, as large as their box lets them. */
export function planDials(box: Box, count: number): DialsPlan {
  const below = (lines: number) => lines * lineHeight + 6
  // Names stand beside the first of few dials.
  const { least, largest, side } = count > 3 ? many : few
  const fits = (columns: number, lines: number) =>
    Math.min(box.width / columns / 2 - side, (box.height / Math.ceil(count / columns) - below(lines)) / 2 - edge)
  const counts = Array.from({ length: count }, (_, index) => index + 1)
  const largestOf = (counts: readonly number[]) =>
    counts.reduce((best, columns) => (fits(columns, 3) > fits(best, 3) ? columns : best), 1)
  const [most, even] = [largestOf(counts), largestOf(counts.filter((columns) => count % columns === 0))]
  // Rows of the same length are worth somewhat smaller dials.
  const best = fits(even, 3) >= tidy * Math.min(fits(most, 3), largest) ? even : most
  // Higher than the box rather than too small to be read.
  const narrowest = Math.max(1, Math.min(count, Math.floor(box.width / (2 * (least + side)))))
  // And no last row of one dial, where others can share.
  const rows = Math.ceil(count / Math.min(best, narrowest))
  const columns = Math.ceil(count / rows)
  const lines = fits(columns, 3) < small ? 2 : 3
  const radius = Math.max(least, Math.min(largest, fits(columns, lines)))
  const [width, row] = [box.width / columns, 2 * (radius + edge) + below(lines)]
  return {
    radius,
    lines,
    width,
    height: rows * row,
    middle: (index) => ({
      x: box.x + ((index % columns) + 0.5) * width,
      y: box.y + Math.floor(index / columns) * row + radius + edge,
    }),
    at(x, y) {
      const [column, line] = [Math.floor((x - box.x) / width), Math.floor((y - box.y) / row)]
      const index = line * columns + column
      return column >= 0 && column < columns && line >= 0 && index < count ? index : undefined
    },
  }
}

export interface DialsPicture {
  dials: readonly Dial[]
  /** The longest hand of all pairs, which is as long as a dial's radius. */
  longest: number
  /** query − key, between tokens too. */
  distance: number
  /** The part of each pair at this distance. */
  partOf: (pair: number) => number
  /** The tokens, which are named at the first dial. */
  names?: { query: string; key: string }
}

export function drawDials(plan: DialsPlan, picture: DialsPicture): Mark[] {
  return picture.dials.flatMap((dial, index) => [
    ...face(plan, dial, index, picture),
    ...texts(plan, dial, index, picture.partOf(dial.pair)),
  ])
}

/** The query points up, so that only the key turns, and the angle between the two is what counts. */
const up = Math.PI / 2

function face({ middle, radius, width }: DialsPlan, dial: Dial, index: number, picture: DialsPicture): Mark[] {
  const { x, y } = middle(index)
  const { distance, longest, names } = picture
  const hand = (length: number, angle: number) => {
    const reach = radius * 0.94 * Math.min(1, length / Math.max(longest, Number.MIN_VALUE))
    return { x1: x, y1: y, x2: x + reach * Math.cos(angle), y2: y - reach * Math.sin(angle) }
  }
  const [from, to] = [up + dial.angle, up + angleAt(dial, distance)]
  const angle = Math.abs(distance * dial.theta)
  const rotates = dial.theta > 0
  const marks: Mark[] = [{ kind: 'circle', x, y, r: radius, fill: 'card', stroke: 'edge' }]
  if (angle >= turn) marks.push({ kind: 'circle', x, y, r: radius - 1, fill: 'token' })
  else if (angle > 1e-3)
    marks.push({
      kind: 'path',
      d: sector(x, y, radius - 1, Math.min(from, to), Math.max(from, to)),
      fill: 'token',
      stroke: 'rule',
    })
  marks.push(...distanceTicks(dial, x, y, radius, distance))
  if (rotates) marks.push({ kind: 'line', ...hand(dial.key, from), stroke: 'key', weight: 1.6, dash: '2 2.5' })
  marks.push(
    { kind: 'line', ...hand(dial.key, to), stroke: 'key', weight: 4.5 },
    { kind: 'line', ...hand(dial.query, up), stroke: 'query', weight: 2.2 },
    { kind: 'circle', x, y, r: 2.5, fill: 'ink' },
  )
  if (rotates)
    marks.push({
      kind: 'text',
      ...clearPlace(x, y, radius, [hand(dial.key, from), hand(dial.key, to)]),
      text: rotationText(distance * dial.theta),
      size,
      face: 'mono',
      bold: true,
      tone: 'ink',
      anchor: 'middle',
    })
  if (names && index === 0) marks.push(...handNames(names, { x, y }, radius, from, width))
  return marks
}

/** The names of both tokens beside the dial: the key's on the side of its hand before rotation. Where one has no room there, both are at the right. */
function handNames(
  { query, key }: NonNullable<DialsPicture['names']>,
  { x, y }: Point,
  radius: number,
  before: number,
  width: number,
): Mark[] {
  const side = Math.cos(before) < 0 ? -1 : 1
  const nameAt = (side: number) => ({
    x: x + side * (radius * 0.8 + 4),
    y: y - radius * 0.72,
    anchor: side < 0 ? ('end' as const) : ('start' as const),
    // At the right the next dial begins, at the left the picture ends.
    room: side < 0 ? width / 2 - 0.8 * radius - 6 : width - 1.8 * radius - 10,
  })
  const look = { kind: 'text', size, bold: true } as const
  const marks: Text[] = [
    { ...look, ...nameAt(side), text: key, tone: 'key' },
    { ...look, ...nameAt(-side), text: query, tone: 'query' },
  ]
  // A part of a name says nothing.
  const isUncut = (mark: Text) => ellipsis(mark) === mark.text
  if (marks.every(isUncut)) return marks
  // The dial is narrowest at its top, so the longer name stands there.
  const [long, short] = query.length > key.length ? [...marks].reverse() : marks
  const atRight = (reach: number, below: number) => ({
    x: x + reach * radius + 4,
    y: y - radius + below,
    anchor: 'start' as const,
    room: width - (1 + reach) * radius - 8,
  })
  const rows = [
    ...(long ? [{ ...long, ...atRight(0.68, 8) }] : []),
    ...(short ? [{ ...short, ...atRight(0.9, 20) }] : []),
  ]
  return rows.every(isUncut) ? rows : marks.filter(isUncut)
}

/** Where the angle is written: below the middle unless a hand is there, else beside that, where the hands are farthest. */
function clearPlace(x: number, y: number, radius: number, hands: readonly { x2: number; y2: number }[]) {
  const places = [0, -0.58, 0.58].map((side) => ({
    x: x + side * radius,
    y: y + (0.62 - 0.4 * Math.abs(side)) * radius,
  }))
  const clear = (place: Point) =>
    Math.min(
      ...hands.flatMap(({ x2, y2 }) =>
        [0.4, 0.7, 1].map((part) => Math.hypot(x + part * (x2 - x) - place.x, y + part * (y2 - y) - place.y)),
      ),
    )
  const free = places.find((place) => clear(place) > Math.min(16, 0.55 * radius))
  return free ?? places.reduce((best, place) => (clear(place) > clear(best) ? place : best))
}

/** A tick where the key's hand stands at each whole distance on the way, where these are apart. */
function distanceTicks({ angle: before, theta }: Dial, x: number, y: number, radius: number, distance: number): Mark[] {
  if (theta < 0.15) return []
  const count = Math.min(Math.floor(Math.abs(distance)), 60)
  return Array.from({ length: count }, (_, index): Mark => {
    const angle = up + before - Math.sign(distance) * (index + 1) * theta
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const [inner, outer] = [radius - 4, radius]
    return {
      kind: 'line',
      x1: x + inner * cos,
      y1: y - inner * sin,
      x2: x + outer * cos,
      y2: y - outer * sin,
      stroke: 'edge',
    }
  })
}

function texts(
  { middle, radius, width, lines }: DialsPlan,
  { pair, theta, role }: Dial,
  index: number,
  part: number,
): Mark[] {
  const { x, y } = middle(index)
  const top = y + radius + edge + 12
  const full = role ? t().named(pair, t().roles[role]) : t().pair(pair)
  const line = { kind: 'text', x, anchor: 'middle', size, room: width - 2 } as const
  const fits = full.length * 6.4 < width
  const [long, brief] =
    theta > 0 ? periodTexts(theta) : [t().components(2 * pair, 2 * pair + 1), `${2 * pair}, ${2 * pair + 1}`]
  const adds = lines === 2 ? signed(part) : t().adds(signed(part))
  const tone = part < -0.005 ? 'negative' : 'positive'
  return [
    { ...line, y: top, text: fits ? full : t().pair(pair), tone: 'ink', bold: true },
    ...(lines === 3 ? [{ ...line, y: top + lineHeight, text: long.length * 6.3 < width ? long : brief }] : []),
    { ...line, y: top + (lines - 1) * lineHeight, text: adds, tone, face: 'mono', bold: true },
  ]
}

/** A full turn in a line, and in few letters. */
function periodTexts(theta: number): [string, string] {
  const tokens = wavelength(turn / theta)
  return [t().period(tokens), t().brief(tokens)]
}
