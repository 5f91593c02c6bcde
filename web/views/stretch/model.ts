// Frequencies before and after they are stretched, and which pairs that keeps, blends and divides.
import { wavelength } from '../../elements/format'
import { chart } from '../../marks/chart'
import type { Scene } from '../../marks/marks'
import type { ReadWords } from '../../words/en/read'

type Said = ReadWords['figures']['stretch']

/** As src/rope/stretched.rs numbers them, with their names in the link. */
export const wayIds = [
  'trained',
  'interpolation',
  'ntk',
  'dynamic',
  'yarn',
  'yarnCode',
  'llama',
  'partial',
  'proportional',
] as const
export const usualWays: readonly string[] = ['interpolation', 'ntk', 'yarn', 'llama']

/** The numbers of the ways that are named; what is no way is left out. */
export const numbersOf = (named: readonly string[]): number[] =>
  wayIds.flatMap((id, index) => (index > 0 && named.includes(id) ? [index] : []))

export interface Stretched {
  way: number
  /** (pairs) */
  ratio: number[]
  magnitude: number
  kept: number
  divided: number
  still: number
}

const near = (one: number, other: number) => Math.abs(one - other) < 1e-9

/** Answers of the engine, the first as it was trained. */
export function compared(answers: readonly Float64Array[], ways: readonly number[], factor: number): Stretched[] {
  const [before] = answers
  if (!before) return []
  return ways.map((way, index) => {
    const after = answers[index + 1] ?? before
    const pairs = before.length - 1
    const ratio = Array.from({ length: pairs }, (_, pair) => (after[pair] ?? NaN) / (before[pair] ?? NaN))
    return {
      way,
      ratio,
      magnitude: after[pairs] ?? NaN,
      kept: ratio.filter((part) => near(part, 1)).length,
      divided: factor > 1 ? ratio.filter((part) => near(part * factor, 1)).length : 0,
      still: ratio.filter((part) => part === 0).length,
    }
  })
}

/** What is said of one: how many pairs stay, are blended, are divided. */
export function countsOf({ ratio, kept, divided, still }: Stretched, said: Said): string {
  if (still > 0) return said.stands(still)
  return said.counts(kept, ratio.length - kept - divided, divided)
}

/** Pairs that do not turn once within the context. */
export const unseen = (theta: Float64Array | undefined, context: number): number =>
  theta ? theta.slice(0, -1).filter((speed) => speed * context < 2 * Math.PI).length : 0

const dashes = [undefined, '6 3', '2 3', '8 3 2 3', '1 4', '10 4']

export function drawStretch(
  all: readonly Stretched[],
  theta: Float64Array,
  unseenPairs: number,
  factor: number,
  { width, height }: { width: number; height: number },
  said: Said,
): Scene {
  const pairs = theta.length - 1
  const least = Math.min(1 / Math.max(factor, 2), ...all.flatMap(({ ratio }) => ratio.filter((part) => part > 0)))
  const written = (pair: number) =>
    Number.isInteger(pair) ? `${pair} · λ ${wavelength((2 * Math.PI) / (theta[pair] ?? NaN))}` : ''
  const step = Math.max(1, Math.round(pairs / Math.max(2, Math.floor(width / 110))))
  const ticks = Array.from({ length: Math.ceil(pairs / step) }, (_, index) => index * step)
  const plan = chart(
    { x: 0, y: 0, width, height },
    { from: 0, to: Math.max(1, pairs - 1), name: said.pairs, ticks, written },
    {
      from: least * 0.9,
      to: 1.15,
      name: said.ratio,
      log: true,
      ticks: factor > 1 ? [1, 1 / factor] : [1],
      written: (value) => (near(value, 1) ? '1' : `1/${Math.round(1 / value)}`),
    },
    all.map(({ way, ratio }, index) => {
      const dash = dashes[index]
      const points = ratio.map((part, pair) => [pair, part > 0 ? part : NaN] as const)
      return {
        points,
        weight: index === 0 ? 2.4 : 1.6,
        label: said.ways[way] ?? '',
        ...(dash === undefined ? {} : { dash }),
      }
    }),
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
