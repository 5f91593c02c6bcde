// A rope before and after it is stretched: frequencies, wavelengths, scores by distance, and which pairs are kept, blended, divided.
import { wavelength } from '../../i18n/format'
import { contextExtensions, type ContextExtensionName } from '../../engine/protocol/mathematics'
import type { Result } from '../../engine/protocol/requests'
import { chart, thinned, type ChartAxis } from '../../charts/chart'
import type { Scene } from '../../charts/marks'
import type { ReadWords } from '../../i18n/en/read'

type Said = ReadWords['figures']['stretch']

/** LongRoPE's factors are found for a model: these are of heads of so many dimensions. */
export const longRopeHead = 96
/** Distances whose score is drawn. */
export const distances = 1025
export const usualWays: readonly string[] = ['interpolation', 'ntk', 'yarn', 'llama']

/** The numbers of the ways that are named and fit a head; what is no way is left out. */
export const numbersOf = (named: readonly string[], headSize: number): number[] =>
  contextExtensions.flatMap((id, index) =>
    index > 0 && named.includes(id) && (id !== 'longrope' || headSize === longRopeHead) ? [index] : [],
  )

/** Their names, as the engine is asked; the first is as it was trained. */
export const namesOf = (numbers: readonly number[]): ContextExtensionName[] =>
  [0, ...numbers].flatMap((number) => contextExtensions[number] ?? [])

export interface Stretched {
  way: number
  /** (pairs) */
  ratio: number[]
  /** At distances evenly from 0 to the whole length. */
  scores: Float64Array
  magnitude: number
  kept: number
  divided: number
  still: number
}

const near = (one: number, other: number) => Math.abs(one - other) < 1e-9

/** Answers of the engine, the first as it was trained. */
export function compared(answers: Result<'stretched'>, ways: readonly number[], factor: number): Stretched[] {
  const [first] = answers
  if (!first) return []
  const before = first.theta
  return ways.map((way, index) => {
    const { theta: after, scores } = answers[index + 1] ?? first
    const pairs = before.length - 1
    const ratio = Array.from({ length: pairs }, (_, pair) => (after[pair] ?? NaN) / (before[pair] ?? NaN))
    return {
      way,
      ratio,
      scores,
      magnitude: after[pairs] ?? NaN,
      kept: ratio.filter((part) => near(part, 1)).length,
      divided: factor > 1 ? ratio.filter((part) => near(part * factor, 1)).length : 0,
      still: ratio.filter((part) => part === 0).length,
    }
  })
}

/** What is said of one: how many pairs stay, are blended, are divided. */
export function countsOf({ way, ratio, kept, divided, still }: Stretched, said: Said): string {
  if (still > 0) return said.stands(still)
  const id = contextExtensions[way]
  if (id === 'clamp' || id === 'logn') return said.same
  if (id === 'longrope') return said.searched(1 / Math.max(...ratio), 1 / Math.min(...ratio))
  return said.counts(kept, ratio.length - kept - divided, divided)
}

/** Pairs that do not turn once within the context. */
export const unseen = (theta: Float64Array | undefined, context: number): number =>
  theta ? theta.slice(0, -1).filter((speed) => speed * context < 2 * Math.PI).length : 0

const dashes = [undefined, '6 3', '2 3', '8 3 2 3', '1 4', '10 4', '4 2 1 2']

interface Room {
  width: number
  height: number
}

/** θ after over θ before, pair by pair. */
export function drawStretch(
  all: readonly Stretched[],
  theta: Float64Array,
  unseenPairs: number,
  factor: number,
  room: Room,
  said: Said,
): Scene {
  const least = Math.min(1 / Math.max(factor, 2), ...all.flatMap(({ ratio }) => ratio.filter((part) => part > 0)))
  return byPair(
    all.map(({ way, ratio }) => ({ name: said.ways[way] ?? '', values: ratio.map((part) => (part > 0 ? part : NaN)) })),
    theta,
    unseenPairs,
    {
      from: least * 0.9,
      to: 1.15,
      name: said.ratio,
      log: true,
      ticks: factor > 1 ? [1, 1 / factor] : [1],
      written: (value) => (near(value, 1) ? '1' : `1/${Math.round(1 / value)}`),
    },
    room,
    said,
  )
}

/** Tokens for one turn of each pair, before and after; above a line a pair does not turn once within that length. */
export function drawWavelengths(
  all: readonly Stretched[],
  theta: Float64Array,
  { context, factor }: { context: number; factor: number },
  room: Room,
  said: Said,
): Scene {
  const before = Array.from(theta.slice(0, -1), (speed) => (2 * Math.PI) / speed)
  const after = all.map(({ way, ratio }) => ({
    name: said.ways[way] ?? '',
    values: ratio.map((part, pair) => (part > 0 ? (before[pair] ?? NaN) / part : NaN)),
  }))
  const longest = Math.max(
    context * factor,
    ...before,
    ...after.flatMap(({ values }) => values.filter(Number.isFinite)),
  )
  const lines = [...new Set([context, context * factor])]
  return byPair(
    [{ name: said.ways[0] ?? '', values: before }, ...after],
    theta,
    unseen(theta, context),
    { from: 2 * Math.PI, to: longest * 1.3, name: said.wavelength, log: true, ticks: lines, written: wavelength },
    room,
    said,
  )
}

function byPair(
  curves: readonly { name: string; values: readonly number[] }[],
  theta: Float64Array,
  unseenPairs: number,
  up: ChartAxis,
  { width, height }: Room,
  said: Said,
): Scene {
  const pairs = theta.length - 1
  const written = (pair: number) =>
    Number.isInteger(pair) ? `${pair} · λ ${wavelength((2 * Math.PI) / (theta[pair] ?? NaN))}` : ''
  const step = Math.max(1, Math.round(pairs / Math.max(2, Math.floor(width / 110))))
  const ticks = Array.from({ length: Math.ceil(pairs / step) }, (_, index) => index * step)
  const plan = chart(
    { x: 0, y: 0, width, height },
    { from: 0, to: Math.max(1, pairs - 1), name: said.pairs, ticks, written },
    up,
    curves.map(({ name, values }, index) => ({
      points: values.map((value, pair) => [pair, value] as const),
      ...lookOf(index),
      label: name,
    })),
    'apart',
  )
  const marks = [...plan.marks]
  if (unseenPairs > 0 && unseenPairs < pairs) {
    const from = plan.x(pairs - unseenPairs - 0.5)
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

/** What equal rows score at each distance of the longer text, as trained and each way. */
export function drawScores(
  trained: Float64Array,
  all: readonly Stretched[],
  { context, factor }: { context: number; factor: number },
  { width, height }: Room,
  said: Said,
): Scene {
  const curves = [{ way: 0, scores: trained }, ...all]
  let [least, most] = [0, 0]
  for (const { scores } of curves)
    for (const value of scores) [least, most] = [Math.min(least, value), Math.max(most, value)]
  const length = context * factor
  const plan = chart(
    { x: 0, y: 0, width, height },
    { from: 0, to: length, name: said.distance },
    { from: least, to: Math.max(most * 1.04, least + 0.1), name: said.score },
    curves.map(({ way, scores }, index) => {
      const step = length / Math.max(scores.length - 1, 1)
      return {
        points: thinned(scores, width).map(([at, value]) => [at * step, value] as const),
        ...lookOf(index),
        label: said.ways[way] ?? '',
      }
    }),
  )
  const marks = [...plan.marks]
  if (factor > 1) {
    const at = plan.x(context)
    marks.push({ kind: 'line', x1: at, x2: at, y1: plan.top, y2: plan.bottom, stroke: 'edge', dash: '3 3' })
    marks.push({ kind: 'text', x: at + 4, y: plan.top + 10, text: said.context, size: 10.5 })
  }
  return { width, height, marks }
}

const lookOf = (index: number) => {
  const dash = dashes[index]
  return { weight: index === 0 ? 2.4 : 1.6, ...(dash === undefined ? {} : { dash }) }
}
