// What a shift of all positions changes, and what it does not.
import { longestForAllHeads } from '../../engine/protocol/byDistance'
import type { Differences, ModelInfo } from '../../engine/protocol/protocol'
import { clamp } from '../../engine/protocol/range'
import { requestKey } from '../../session/answers'
import { interventionsText, parseInterventions, type Interventions } from '../../session/interventions'
import { runOf } from '../../session/reading'
import { newest, resource } from '../../session/resource.svelte'
import { series } from '../../session/series.svelte'
import { layerTheta, type Run } from '../../session/runs.svelte'
import type { Action } from '../../ui/keys'
import { ranges } from '../../viewstate/codec'
import type { Inputs } from '../module'

/** The most that rounding to a 32-bit float moves a number below 1: 2⁻²⁴. */
export const rounding = 2 ** -24

/** Differences of weights and logits up to these are rounding, summed over a model's layers. */
const tolerance = { weight: 1e-4, logit: 1e-2 }

export const largestOffset = ranges.offset.most

/** Where an offset stands on the axis, 0 … 1: even steps at first, then even ratios. */
export function placeOf(offset: number): number {
  return Math.log1p(offset) / Math.log1p(largestOffset)
}

/** The whole offset nearest to a place on the axis. */
export function offsetAt(place: number): number {
  return Math.round(Math.expm1(clamp(place, 0, 1) * Math.log1p(largestOffset)))
}

/** Arrow keys walk so many places, each at least one position. */
const steps = 120

/** Where a key moves the offset; undefined: not such a key. */
export function moveOffset(offset: number, action: Action | undefined): number | undefined {
  const within = (value: number) => clamp(value, 0, largestOffset)
  const next = (by: 1 | -1) => {
    const walked = offsetAt(placeOf(offset) + by / steps)
    return within(walked === offset ? offset + by : walked)
  }
  switch (action) {
    case 'right':
    case 'up':
      return next(1)
    case 'left':
    case 'down':
      return next(-1)
    case 'pageUp':
      return within(offset === 0 ? 10 : offset * 10)
    case 'pageDown':
      return Math.floor(offset / 10)
    case 'first':
      return 0
    case 'last':
      return largestOffset
    default:
      return undefined
  }
}

/** An offset, and the largest differences of any weight of any head and of any logit from those without it. */
export interface OffsetDifferences extends Differences {
  offset: number
}

/** Values as they are, rotated by their position, or rotated and rotated back by the query's. */
export type Values = 'unrotated' | 'rotated' | 'rotatedBack'

/** `rotary_value`: the model's own. */
export function valuesOf(
  { rotaryValue, rotatesValues }: Pick<Interventions, 'rotaryValue' | 'rotatesValues'>,
  { rotary_value }: Pick<ModelInfo, 'rotary_value'>,
): Values {
  if (rotatesValues) return 'rotatedBack'
  return rotaryValue || rotary_value ? 'rotated' : 'unrotated'
}

/** Whether a shift changed nothing beyond rounding. */
export function isInvariant({ weight, logit }: OffsetDifferences): boolean {
  return weight <= tolerance.weight && logit <= tolerance.logit
}

const mostMeasured = 200

/** With one more, in the order of the offsets; of equal offsets the newest stays. */
export function withMeasured(measured: readonly OffsetDifferences[], one: OffsetDifferences): OffsetDifferences[] {
  const others = measured.filter(({ offset }) => offset !== one.offset).slice(-mostMeasured + 1)
  return [...others, one].sort((a, b) => a.offset - b.offset)
}

/** Four pairs from the fastest to the slowest that turns; the selected one replaces its neighbour. */
export function fourPairs(theta: ArrayLike<number>, selected: number | null): number[] {
  const turning = Array.from(theta).flatMap((angle, pair) => (angle > 0 ? [pair] : []))
  const last = turning.length - 1
  const spread = new Set([0, 1, 2, 3].map((part) => turning[Math.round((part * last) / 3)] ?? -1))
  const pairs = [...spread].filter((pair) => pair >= 0)
  if (selected === null || pairs.includes(selected) || !turning.includes(selected) || pairs.length === 0) return pairs
  const nearest = pairs.reduce((best, pair) => (Math.abs(pair - selected) < Math.abs(best - selected) ? pair : best))
  return pairs.map((pair) => (pair === nearest ? selected : pair))
}

/** The hands of one pair: angles in radians, 0 … 2π. */
export interface Dial {
  pair: number
  wavelength: number
  query: number
  key: number
  /** The query's and the key's angle without the offset. */
  unshifted: { query: number; key: number }
  /** Full turns of the query's hand since position 0. */
  turns: number
}

/** What dials show: pairs of a rope at the positions of a query and a key. */
interface DialsOf {
  theta: Float64Array
  pairs: readonly number[]
  /** With the offset. */
  query: number
  key: number
  offset: number
}

/** The angle at position p of θ is that at position 1 of p·θ. Queries first, then keys; then both without the offset. */
export function angleParams({ theta, pairs, query, key, offset }: DialsOf) {
  const at = (position: number) => pairs.map((pair) => position * (theta[pair] ?? 0))
  return { theta: Float64Array.from([query, key, query - offset, key - offset].flatMap(at)), length: 2 }
}

/** @param angles (2, 4 · pairs), of which the second row counts */
export function dialsOf({ theta, pairs, query }: DialsOf, angles: ArrayLike<number>): Dial[] {
  const count = pairs.length
  const angle = (row: number, index: number) => angles[(4 + row) * count + index] ?? 0
  return pairs.map((pair, index) => ({
    pair,
    wavelength: (2 * Math.PI) / (theta[pair] ?? 0),
    query: angle(0, index),
    key: angle(1, index),
    unshifted: { query: angle(2, index), key: angle(3, index) },
    turns: (query * (theta[pair] ?? 0)) / (2 * Math.PI),
  }))
}

/** The angle from the key's hand to the query's, −π … π. */
export function angleBetween({ query, key }: Dial): number {
  const turn = 2 * Math.PI
  const difference = (((query - key) % turn) + turn) % turn
  return difference > Math.PI ? difference - turn : difference
}

/** The offset that is measured of a text without one. */
export const sampleOffset = 100

/** Those that are measured one after the other of a text that is not too long, so that the chart has a course. */
export const trailOffsets = [1, 10, 100, 1000, 10_000, largestOffset]

/** The offset that is measured of this run: its own, or the sample. */
const measuredOffset = ({ interventions }: Pick<Run, 'interventions'>): number =>
  parseInterventions(interventions).offset || sampleOffset

/** The request for what an offset changes in the text of this run. */
export function differencesOf(run: Run, offset: number) {
  const params = {
    ...runOf({ ...run, interventions: interventionsText({ ...parseInterventions(run.interventions), offset }) }),
    of: 'shift' as const,
  }
  return { model: run.model, params }
}

/** The text and its interventions without the offset: what the offset's differences are of. */
const subjectOf = (run: Run) => requestKey('differences', differencesOf(run, 0))

export type ShiftData = ReturnType<typeof shiftData>

export function shiftData(inputs: Inputs<unknown>) {
  const { engine, choice } = inputs.bench
  const angles = resource(engine, 'angles', () => {
    const { run, cursor } = inputs
    if (!run) return undefined
    const { offset } = choice
    const theta = layerTheta(run)
    const pairs = fourPairs(theta, cursor.pair)
    const dials: DialsOf = { theta, pairs, query: cursor.query + offset, key: cursor.key + offset, offset }
    return pairs.length === 0 ? undefined : { params: angleParams(dials), dials }
  })
  const differences = resource(engine, 'differences', () => {
    const { run } = inputs
    if (!run) return undefined
    const offset = measuredOffset(run)
    return { ...differencesOf(run, offset), subject: subjectOf(run), offset }
  })
  const history = newest((before: { subject: string; measured: readonly OffsetDifferences[] } | undefined) => {
    if (!differences.latest) return undefined
    const { request, value } = differences.latest
    const { subject, offset } = request
    return { subject, measured: withMeasured(before?.subject === subject ? before.measured : [], { offset, ...value }) }
  })
  // The run's own offset comes first.
  const trail = series(
    engine,
    'shiftTrail',
    () => {
      const { run } = inputs
      if (!run || run.head.length > longestForAllHeads || history.value?.subject !== subjectOf(run)) return undefined
      return { ...differencesOf(run, 0), subject: history.value.subject, run }
    },
    async function* ({ run }, step, before: readonly OffsetDifferences[] = []) {
      let measured = before
      for (const offset of trailOffsets.slice(before.length)) {
        measured = [...measured, { offset, ...(await step('differences', differencesOf(run, offset))) }]
        yield measured
      }
    },
  )
  return { angles, differences, history, trail }
}

/** What is measured of the run on show: its own offset or the sample, and all offsets of its text. */
export function measuredOf(run: Run, { differences, history, trail }: ShiftData) {
  const { current } = differences
  const { value } = history
  const subject = subjectOf(run)
  const ofTrail = trail.latest?.request.subject === subject ? trail.latest.value : []
  return {
    current: current && { offset: measuredOffset(run), ...current },
    measured: (value?.subject === subject ? value.measured : []).reduce<readonly OffsetDifferences[]>(
      withMeasured,
      ofTrail,
    ),
  }
}
