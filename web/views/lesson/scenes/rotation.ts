// Pairs of a query and a key as arrows: they turn by the positions of their tokens, and then both tokens move on together.
import { everyNth, widthOf } from '../../../charts/labels'
import { arrowTo, type Mark } from '../../../charts/marks'
import { score, wavelength } from '../../../i18n/numbers'
import { layerTheta } from '../../../session/runs.svelte'
import { parseInterventions } from '../../../session/interventions'
import { t } from '../messages.en'
import { between, title } from '../strips'
import { rowOf, type Subject } from '../subject'
import type { DrawStep } from './scene'
import { drawPositions } from './positions'

/** Dials of the picture, and tokens that both move on in its second half. */
const most = 12
export const shift = 8

/** A pair of two components before rotation, as lengths and angles, and radians a token. */
export interface TurningPair {
  pair: number
  theta: number
  query: { length: number; angle: number }
  key: { length: number; angle: number }
}

interface Turn {
  /** How much of the rotation to their own positions the vectors have made, 0 … 1. */
  rotated: number
  /** Tokens that both have moved on since. */
  moved: number
}

/** The last tokens of the way to their own positions that the picture shows: more would be a flicker. */
const mostTokens = 24

export function turnAt(at: number, { m, n }: { m: number; n: number }): Turn {
  const first = Math.max(0, 1 - mostTokens / Math.max(m, n, 1))
  return { rotated: between(first, 1, Math.min(1, 2 * at)), moved: Math.max(0, 2 * at - 1) * shift }
}

/** The positions by which query and key rotate. */
export function positionsOf(subject: Subject): { m: number; n: number } {
  const { offset } = parseInterventions(subject.run.interventions)
  return { m: offset + rowOf(subject, subject.query), n: offset + rowOf(subject, subject.key) }
}

/** Whether an intervention freezes a pair of the selected head. */
const isFrozen = ({ run, layer, head }: Subject, pair: number): boolean =>
  parseInterventions(run.interventions).frozen.some(
    (muted) =>
      (muted.layer === null || muted.layer === layer) &&
      (muted.head === null || muted.head === head) &&
      muted.pairs.includes(pair),
  )

/** All pairs of the selected query and key, turned back to position 0. */
export function turningPairs(subject: Subject): TurningPair[] {
  const { run, query, key, info } = subject
  const theta = layerTheta(run).map((speed, pair) => (isFrozen(subject, pair) ? 0 : speed))
  const { m, n } = positionsOf(subject)
  const size = info.head_size
  const read = (rows: Float32Array, position: number, pair: number, rotation: number) => {
    const [x, y] = [0, 1].map((at) => rows[position * size + 2 * pair + at] ?? 0) as [number, number]
    return { length: Math.hypot(x, y), angle: Math.atan2(y, x) - rotation }
  }
  return Array.from(theta, (speed, pair) => ({
    pair,
    theta: speed,
    query: read(run.head.query, query, pair, m * speed),
    key: read(run.head.key, key, pair, n * speed),
  }))
}

/** The score of pairs at a place of the movement: of the arrows as they are drawn. */
export function scoreAt(
  pairs: readonly TurningPair[],
  { m, n }: { m: number; n: number },
  { rotated, moved }: Turn,
  scale: number,
): number {
  const placeOf = (position: number) => position * rotated + moved
  const part = ({ theta, query, key }: TurningPair) => {
    const between = query.angle + theta * placeOf(m) - (key.angle + theta * placeOf(n))
    return query.length * key.length * Math.cos(between)
  }
  return scale * pairs.reduce((sum, pair) => sum + part(pair), 0)
}

export const drawRotation: DrawStep = (inputs) => {
  const { subject, at, box } = inputs
  if (!subject.rotates) return drawPositions(inputs)
  const pairs = turningPairs(subject)
  const places = positionsOf(subject)
  const turn = turnAt(at, places)
  const drawn = everyNth(pairs.length, Math.min(most, box.width < 420 ? 6 : most)).flatMap((at) => pairs[at] ?? [])
  const rows = Math.ceil(drawn.length / Math.max(2, Math.floor(box.width / 110)))
  const columns = Math.ceil(drawn.length / rows)
  const top = box.y + 48
  const width = box.width / columns
  const radius = Math.max(20, Math.min(width / 2 - 8, (box.height - 48) / rows / 2 - 18, 58))
  const high = 2 * radius + 34
  const longest = Math.max(...pairs.flatMap(({ query, key }) => [query.length, key.length])) || 1
  const dials = drawn.flatMap(({ pair, theta, query, key }, index): Mark[] => {
    const x = box.x + ((index % columns) + 0.5) * width
    const y = top + Math.floor(index / columns) * high + radius
    // By the root: short arrows are still seen to turn.
    const reach = (length: number) => (length === 0 ? 0 : Math.max(6, Math.sqrt(length / longest) * (radius - 3)))
    const tokensOfTurn = wavelength((2 * Math.PI) / theta)
    const inTokens = t().turnInTokens(tokensOfTurn)
    const angleBy = (position: number) => theta * (position * turn.rotated + turn.moved)
    return [
      { kind: 'circle', x, y, r: radius, fill: 'card', stroke: 'edge' },
      ...arrowTo({ x, y }, reach(key.length), key.angle + angleBy(places.n), 'key', 3),
      ...arrowTo({ x, y }, reach(query.length), query.angle + angleBy(places.m), 'query', 2),
      {
        kind: 'text',
        x,
        y: y + radius + 13,
        text: t().pair(pair),
        anchor: 'middle',
        size: 11,
        bold: true,
        tone: 'ink',
        room: width,
      },
      {
        kind: 'text',
        x,
        y: y + radius + 26,
        text: widthOf(inTokens, 11) <= width - 6 ? inTokens : t().turnEvery(tokensOfTurn),
        anchor: 'middle',
        size: 11,
        room: width,
      },
    ]
  })
  const { display } = subject.run.reading
  const place = (position: number) => Math.round(between(0, position, turn.rotated) + turn.moved)
  const now = scoreAt(pairs, places, turn, subject.info.scale)
  const line = { kind: 'text', size: 12, bold: true } as const
  const third = box.width / 3
  return {
    marks: [
      {
        ...line,
        x: box.x,
        y: box.y + 16,
        text: `${display[subject.query] ?? ''} ${place(places.m)}`,
        tone: 'query',
        room: third - 8,
      },
      {
        ...line,
        x: box.x + third,
        y: box.y + 16,
        text: `${display[subject.key] ?? ''} ${place(places.n)}`,
        tone: 'key',
        room: third - 8,
      },
      {
        ...line,
        x: box.x + 2 * third,
        y: box.y + 16,
        text: t().scoreNow(score(now)),
        tone: 'ink',
        face: 'mono',
        room: third,
      },
      title(box.x, box.y + 20, turn.moved > 0 ? t().movedOn(Math.round(turn.moved), shift) : t().rotating, box.width),
      ...dials,
    ],
    bottom: top + rows * high,
  }
}
