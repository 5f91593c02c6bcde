// A rope as trained and stretched in several ways: frequencies, scores by distance, and the angles that each pair reaches.
import { contextExtensions, type ContextExtensionName } from '../../engine/protocol/mathematics'
import type { Params, Result } from '../../engine/protocol/requests'
import { resource } from '../../session/resource.svelte'
import type { Inputs } from '../../views/body'
import { distances, longRopeHead, type StretchParams } from '.'
import { t } from './messages.en'

export const stretchData = (inputs: Inputs<StretchParams>) =>
  resource(inputs.bench.engine, 'stretched', () => {
    const { headSize, base, context } = inputs.bench.choice
    if (headSize < 4) return undefined
    const ways = ['trained' as const, ...waysOf(inputs.params.ways, headSize)]
    return { params: { ways, headSize, base, context, factor: inputs.params.factor, distances } }
  })

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

export const isNear = (one: number, other: number) => Math.abs(one - other) < 1e-9

/** The request names the ways of the answers, the first one as trained. */
export function stretchedOf(
  { ways, context, factor }: Pick<Params<'stretched'>, 'ways' | 'context' | 'factor'>,
  answers: Result<'stretched'>,
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
export interface Reach {
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
