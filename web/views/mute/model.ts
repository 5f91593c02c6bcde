// What muting did: parts, score, weight and fills before (A, the whole model) and after (B).
import type { ScoreParts } from '../../engine/protocol/mathematics'
import { mutedOf, presetOf, type Preset } from '../../session/muted'
import { readChange } from '../../session/change'
import { predictions } from '../../session/predictions'
import { layerTheta, type Shown } from '../../session/runs.svelte'
import { bySpeed, wavelengthsOf } from '../../charts/pair-axis/axis'
import { weightAt } from '../score/data'

/** A pair on the axis, the fastest first. */
export interface PairParts {
  pair: number
  wavelength: number
  /** What it adds in A and in B. */
  before: number
  after: number
  /** What B does with it. */
  fate: 'turns' | 'stop' | 'cut'
}

export function pairParts(whole: Shown, shown: Shown, before: ScoreParts, after: ScoreParts): PairParts[] {
  // The speed of a pair that is stopped is the one that it has in A.
  const wavelengths = wavelengthsOf(layerTheta(whole))
  const { stop, cut } = mutedOf(readChange(shown.changed), shown.head, shown.model.info)
  return bySpeed(wavelengths).map((pair) => ({
    pair,
    wavelength: wavelengths[pair] ?? Infinity,
    before: before.parts[pair] ?? 0,
    after: after.parts[pair] ?? 0,
    fate: cut.includes(pair) ? 'cut' : stop.includes(pair) ? 'stop' : 'turns',
  }))
}

/** The muted pairs as they are named: a preset, or by their numbers. */
export interface NamedPairs {
  pairs: readonly number[]
  preset: Preset | null
}

export function namedPairs(pairs: readonly number[], theta: Float64Array): NamedPairs {
  const sorted = [...pairs].sort((one, other) => one - other)
  return { pairs: sorted, preset: presetOf(sorted, bySpeed(wavelengthsOf(theta))) }
}

/** Whether A and B are the same text, read with the same head of both. */
export function comparable(whole: Shown | undefined, shown: Shown | undefined): boolean {
  return (
    whole !== undefined &&
    shown !== undefined &&
    whole.reading === shown.reading &&
    whole.model === shown.model &&
    whole.head.layer === shown.head.layer &&
    whole.head.head === shown.head.head
  )
}

export const weightsOf = (whole: Shown, shown: Shown, query: number, key: number): [before: number, after: number] => [
  weightAt(whole.head, query, key),
  weightAt(shown.head, query, key),
]

/** A token that A or B puts in a place. Undefined: it is not among the likeliest, so below `least`. */
export interface Fill {
  token: string
  before: number | undefined
  after: number | undefined
}

export interface Fills {
  position: number
  fills: Fill[]
  /** The smallest probability that each tells of. */
  least: [before: number, after: number]
}

/** The likeliest tokens of the first mask, or of what comes next: A's, and B's first where that is another one. */
export function fillsOf(whole: Shown, shown: Shown, most: number): Fills | undefined {
  const token = (id: number) => shown.model.tokenizer.display(id)
  const [before] = predictions(whole.result, token)
  const [after] = predictions(shown.result, token)
  if (!before || !after || before.position !== after.position) return undefined
  const chances = (told: typeof before) => new Map(told.fills.map(({ id, probability }) => [id, probability]))
  const [of, now] = [chances(before), chances(after)]
  const first = after.fills[0]
  const named = before.fills.slice(0, most)
  if (first && !named.some(({ id }) => id === first.id)) named.splice(most - 1, 1, first)
  const least = (told: typeof before) => told.fills.at(-1)?.probability ?? 0
  return {
    position: before.position,
    fills: named.map(({ id, token }) => ({ token, before: of.get(id), after: now.get(id) })),
    least: [least(before), least(after)],
  }
}

/** How many pairs one switch holds, so that each is at least this many px wide. */
export function pairsPerSwitch(pairs: number, width: number, least = 24): number {
  return Math.max(1, Math.ceil((least * pairs) / Math.max(width, 1)))
}

/** Pairs of the axis by switch, the fastest first. */
export function switches(order: readonly number[], each: number): number[][] {
  return Array.from({ length: Math.ceil(order.length / each) }, (_, index) =>
    order.slice(index * each, (index + 1) * each),
  )
}

/** The greatest weight that each cell of a smaller map covers: (cells, cells), query tokens down. */
export function pooled({ attention, length }: Shown['head'], cells: number): Float32Array {
  if (cells >= length) return attention
  const pool = new Float32Array(cells * cells)
  for (let query = 0; query < length; query++) {
    const row = Math.floor((query * cells) / length) * cells
    for (let key = 0; key < length; key++) {
      const cell = row + Math.floor((key * cells) / length)
      pool[cell] = Math.max(pool[cell] ?? 0, attention[query * length + key] ?? 0)
    }
  }
  return pool
}
