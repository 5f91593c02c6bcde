// What stretching does to a rope: frequencies, scores by distance and the angles that each pair reaches, as numbers and as charts.
import { arc, sector, type Mark, type Scene, type Size } from '../../charts/marks'
import { chart, thinPoints, type ChartAxis } from '../../charts/chart'
import { everyNth } from '../../charts/labels'
import { wavelength } from '../../i18n/numbers'
import { t } from './messages.en'
import { contextExtensions, type ContextExtensionName } from '../../engine/protocol/mathematics'
import type { Params, Result } from '../../engine/protocol/requests'
import { longRopeHead } from '.'

const dashes = [undefined, '6 3', '2 3', '8 3 2 3', '1 4', '10 4', '4 2 1 2']

const lookOf = (index: number) => {
  const dash = dashes[index]
  return { weight: index === 0 ? 2.4 : 1.6, ...(dash === undefined ? {} : { dash }) }
}

/** θ after over θ before, by pair. */
export function drawRatios(stretched: Stretched, room: Size): Scene {
  const { factor, ways } = stretched
  const least = Math.min(1 / Math.max(factor, 2), ...ways.flatMap(({ ratio }) => ratio.filter((part) => part > 0)))
  return byPair(
    ways.map(({ way, ratio }) => ({ name: t().ways[way], values: ratio.map((part) => (part > 0 ? part : NaN)) })),
    stretched,
    {
      from: least * 0.9,
      to: 1.15,
      name: t().ratio,
      log: true,
      ticks: factor > 1 ? [1, 1 / factor] : [1],
      format: (value) => (isNear(value, 1) ? '1' : `1/${Math.round(1 / value)}`),
    },
    room,
  )
}

/** Tokens for one turn of each pair, before and after. A pair above the line of a length completes no turn within it. */
export function drawWavelengths(stretched: Stretched, room: Size): Scene {
  const { context, factor, theta, ways } = stretched
  const before = Array.from(theta, (speed) => (2 * Math.PI) / speed)
  const after = ways.map(({ way, ratio }) => ({
    name: t().ways[way],
    values: ratio.map((part, pair) => (part > 0 ? (before[pair] ?? NaN) / part : NaN)),
  }))
  const finite = after.flatMap(({ values }) => values.filter(Number.isFinite))
  const longest = Math.max(context * factor, ...before, ...finite)
  const lines = [...new Set([context, context * factor])]
  return byPair(
    [{ name: t().ways.trained, values: before }, ...after],
    stretched,
    { from: 2 * Math.PI, to: longest * 1.3, name: t().wavelength, log: true, ticks: lines, format: wavelength },
    room,
  )
}

function byPair(
  curves: readonly { name: string; values: readonly number[] }[],
  { theta, context }: Stretched,
  up: ChartAxis,
  { width, height }: Size,
): Scene {
  const pairs = theta.length
  const unturnedPairs = unturned(theta, context)
  const format = (pair: number) =>
    Number.isInteger(pair) ? `${pair} · ${wavelength((2 * Math.PI) / (theta[pair] ?? NaN))}` : ''
  const step = Math.max(1, Math.round(pairs / Math.max(2, Math.floor(width / 110))))
  const ticks = Array.from({ length: Math.ceil(pairs / step) }, (_, index) => index * step)
  const plan = chart(
    { x: 0, y: 0, width, height },
    { from: 0, to: Math.max(1, pairs - 1), name: t().pair, ticks, format },
    up,
    curves.map(({ name, values }, index) => ({
      points: values.map((value, pair) => [pair, value] as const),
      ...lookOf(index),
      label: name,
    })),
    'clear',
  )
  const marks = [...plan.marks]
  if (unturnedPairs > 0 && unturnedPairs < pairs) {
    const from = plan.x(pairs - unturnedPairs - 0.5)
    marks.unshift({
      kind: 'rect',
      x: from,
      y: plan.top,
      width: plan.right - from,
      height: plan.bottom - plan.top,
      fill: 'token',
    })
  }
  return { width, height, marks }
}

/** The score of equal rows by distance, as trained and in each way. */
export function drawScores({ context, factor, scores, ways }: Stretched, { width, height }: Size): Scene {
  const curves = [{ way: 'trained' as const, scores }, ...ways]
  let [least, most] = [0, 0]
  for (const { scores } of curves)
    for (const value of scores) [least, most] = [Math.min(least, value), Math.max(most, value)]
  const length = context * factor
  const plan = chart(
    { x: 0, y: 0, width, height },
    { from: 0, to: length, name: t().distance },
    { from: least, to: Math.max(most * 1.04, least + 0.1), name: t().score },
    curves.map(({ way, scores }, index) => {
      const step = length / Math.max(scores.length - 1, 1)
      return {
        points: thinPoints(scores, width).map(([at, value]) => [at * step, value] as const),
        ...lookOf(index),
        label: t().ways[way],
      }
    }),
  )
  const marks = [...plan.marks]
  if (factor > 1) {
    const at = plan.x(context)
    marks.push({ kind: 'line', x1: at, x2: at, y1: plan.top, y2: plan.bottom, stroke: 'edge', dash: '3 3' })
    marks.push({ kind: 'text', x: at + 4, y: plan.top + 10, text: t().context, size: 10.5 })
  }
  return { width, height, marks }
}

const largestDial = 56

/** A row of dials for the trained rope and for each way: the angles within the context, and over the longer text. */
export function drawDials(stretched: Stretched, { width, height }: Size): Scene {
  const rows = [undefined, ...stretched.ways]
  const band = height / rows.length
  const marks = rows.flatMap((way, row): Mark[] => {
    const top = row * band
    const reaches = reachesOf(stretched, way)
    const title = t().dials(t().ways[way?.way ?? 'trained'], newAngles(reaches))
    const pairs = everyNth(reaches.length, width < 480 ? 16 : 32)
    const room = Math.max(20, band - 22)
    const sizeWith = (columns: number) =>
      Math.min(largestDial, width / columns, room / Math.ceil(pairs.length / columns))
    const columns = pairs.reduce((best, _, index) => (sizeWith(index + 1) > sizeWith(best) ? index + 1 : best), 1)
    const size = sizeWith(columns)
    const dials = pairs.flatMap((pair, index) => {
      const x = (index % columns) * size + size / 2
      const y = top + 22 + Math.floor(index / columns) * size + size / 2
      const { trained = 0, stretched = 0 } = reaches[pair] ?? {}
      return dial(x, y, size / 2 - 4, trained, stretched)
    })
    return [{ kind: 'text', x: 0, y: top + 14, text: title, size: 10.5, tone: 'ink', room: width }, ...dials]
  })
  return { width, height, marks }
}

/** The sector holds the trained angles, the ring those over the longer text: new ones are bold and coloured. */
function dial(x: number, y: number, r: number, trained: number, stretched: number): Mark[] {
  const fullTurn = 2 * Math.PI - 1e-6
  const ring = (from: number, to: number, stroke: 'ink' | 'negative', weight: number): Mark[] => {
    if (to - from < 1e-4) return []
    if (to - from >= fullTurn) return [{ kind: 'circle', x, y, r, stroke, weight }]
    return [{ kind: 'path', d: arc(x, y, r, from, to), stroke, weight }]
  }
  return [
    { kind: 'circle', x, y, r, stroke: 'rule', weight: 1 },
    trained >= fullTurn
      ? { kind: 'circle', x, y, r: r - 2, fill: 'token' }
      : { kind: 'path', d: sector(x, y, r - 2, 0, trained), fill: 'token' },
    ...ring(0, Math.min(trained, stretched), 'ink', 1.8),
    ...ring(trained, stretched, 'negative', 3),
  ]
}

/** The ways among these names that fit a head. */
export const waysOf = (names: readonly string[], headSize: number): ContextExtensionName[] =>
  contextExtensions.filter(
    (way) => way !== 'trained' && names.includes(way) && (way !== 'longrope' || headSize === longRopeHead),
  )

export interface Stretched {
  /** Tokens that the rope was trained for, and how many times that it is stretched to. */
  context: number
  factor: number
  /** As trained, (pairs). */
  theta: Float64Array
  /** As trained, at even distances from 0 to the stretched length. */
  scores: Float64Array
  ways: readonly StretchedWay[]
}

export interface StretchedWay {
  way: ContextExtensionName
  /** θ after over θ before, (pairs). */
  ratio: number[]
  scores: Float64Array
  magnitude: number
}

const isNear = (one: number, other: number) => Math.abs(one - other) < 1e-9

/** The request names the ways of the answers, the first one as trained. */
export function stretchedOf(
  { ways, context, factor }: Pick<Params<'contextExtensions'>, 'ways' | 'context' | 'factor'>,
  answers: Result<'contextExtensions'>,
): Stretched | undefined {
  const [trained] = answers
  if (!trained) return undefined
  const pairs = trained.theta.length - 1
  const theta = trained.theta.slice(0, pairs)
  return {
    context,
    factor,
    theta,
    scores: trained.scores,
    ways: answers.slice(1).map(({ theta: after, scores }, index) => ({
      way: ways[index + 1] ?? 'trained',
      ratio: Array.from(theta, (before, pair) => (after[pair] ?? NaN) / before),
      scores,
      magnitude: after[pairs] ?? NaN,
    })),
  }
}

/** How many pairs a way leaves unchanged, blends and divides, as a sentence. */
export function countsOf({ way, ratio }: StretchedWay, factor: number): string {
  const still = ratio.filter((part) => part === 0).length
  if (still > 0) return t().still(still)
  if (way === 'clamp' || way === 'logn') return t().unchanged
  if (way === 'longrope') return t().searched(1 / Math.max(...ratio), 1 / Math.min(...ratio))
  const unchanged = ratio.filter((part) => isNear(part, 1)).length
  const divided = factor > 1 ? ratio.filter((part) => isNear(part * factor, 1)).length : 0
  return t().counts(unchanged, ratio.length - unchanged - divided, divided)
}

/** Pairs that do not complete a turn within the context. */
export const unturned = (theta: Float64Array, context: number): number =>
  theta.filter((speed) => speed * context < 2 * Math.PI).length

/** Angles that a pair reaches, in radians, at most a turn. */
interface Reach {
  pair: number
  /** Within the context, as trained. */
  trained: number
  /** Over the longer text. */
  stretched: number
}

/** @param way undefined as trained */
export function reachesOf({ theta, context, factor }: Omit<Stretched, 'ways'>, way: StretchedWay | undefined): Reach[] {
  // Distances are clamped to a quarter of the context.
  const length = way?.way === 'clamp' ? context / 4 : context * factor
  return Array.from(theta, (speed, pair) => ({
    pair,
    trained: Math.min(2 * Math.PI, speed * context),
    stretched: Math.min(2 * Math.PI, speed * (way?.ratio[pair] ?? 1) * length),
  }))
}

/** Pairs that reach angles which they did not reach in training. */
export const newAngles = (reaches: readonly Reach[]): number =>
  reaches.filter(({ trained, stretched }) => stretched > trained * (1 + 1e-9)).length
