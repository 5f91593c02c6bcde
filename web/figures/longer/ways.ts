// Ways to read longer texts without training, and what each changes in the model.
import { factors } from '../../../training/results/longrope.json'
import type { ContextExtensionName } from '../../engine/protocol/mathematics'
import type { ModelInfo } from '../../engine/protocol/protocol'
import type { Params, Result } from '../../engine/protocol/requests'
import type { RunInterventions } from '../../session/interventions'

/** Text lengths, in multiples of the model's own. */
export const multiples = [1, 2, 4] as const
export type Multiple = (typeof multiples)[number]
export const greatestMultiple = 4

/** As in the link and in training/measure_lengths.py. */
export const wayIds = [
  'plain',
  'interpolation',
  'dynamic',
  'yarn',
  'yarnCode',
  'llama',
  'longrope',
  'partial',
  'proportional',
  'clamp',
  'logn',
  'both',
] as const
export type WayId = (typeof wayIds)[number]
export const defaultWays: readonly string[] = ['plain', 'clamp', 'logn']

/** The ways among these names, in their own order. */
export const waysOf = (names: readonly string[]): WayId[] => wayIds.filter((id) => names.includes(id))

/** What a way changes in the model, before the engine has computed θ of `stretch`. */
export interface LongChange {
  /** As rope_parameters of config.json. */
  scaling?: object
  /** The engine computes θ of each pair. */
  stretch?: { way: ContextExtensionName; factor: number }
  /** The share of the pairs that rotate, the fastest first. */
  rotating?: number
  distanceClamp?: number
  logN?: number
}

/** The rope base of every RoFormer. */
const base = 10_000

/** At the model's own length no frequency changes, unless only some of the pairs rotate. */
export function changeOf(
  way: WayId,
  multiple: Multiple,
  { max_position_embeddings: context }: Pick<ModelInfo, 'max_position_embeddings'>,
): LongChange {
  const longer = (change: LongChange): LongChange => (multiple === 1 ? {} : change)
  const original = { original_max_position_embeddings: context }
  const clamp = { distanceClamp: Math.floor(context / 4) }
  const logN = longer({ logN: context })
  switch (way) {
    case 'plain':
      return {}
    case 'interpolation':
      return longer({ scaling: { rope_type: 'linear', factor: multiple } })
    case 'dynamic':
      return longer({ scaling: { rope_type: 'dynamic', factor: 1 } })
    case 'yarn':
      return longer({ stretch: { way: 'yarn', factor: multiple } })
    case 'yarnCode':
      return longer({ scaling: { rope_type: 'yarn', factor: multiple, ...original } })
    case 'llama':
      return longer({
        scaling: { rope_type: 'llama3', factor: multiple, low_freq_factor: 1, high_freq_factor: 4, ...original },
      })
    case 'longrope':
      return longer({
        scaling: { rope_type: 'longrope', factor: multiple, short_factor: factors, long_factor: factors, ...original },
      })
    case 'partial':
      return { stretch: { way: 'partial', factor: 1 }, rotating: 1 / 4 }
    case 'proportional':
      return { rotating: 1 / 4 }
    case 'clamp':
      return clamp
    case 'logn':
      return logN
    case 'both':
      return { ...clamp, ...logN }
  }
}

/** Asks for θ as trained and in this way. */
export const stretchParams = (
  { way, factor }: NonNullable<LongChange['stretch']>,
  { max_position_embeddings: context, head_size: headSize }: Pick<ModelInfo, 'max_position_embeddings' | 'head_size'>,
): Params<'contextExtensions'> => ({ ways: ['trained', way], headSize, base, context, factor, distances: 2 })

/** @param stretched the answer to `stretchParams` */
export function runChangeOf(
  { scaling, stretch, rotating = 1, ...others }: LongChange,
  model: Pick<ModelInfo, 'max_position_embeddings' | 'head_size' | 'num_hidden_layers'>,
  stretched: Result<'contextExtensions'> | undefined,
): RunInterventions {
  const count = model.head_size / 2
  const pairs = Array.from({ length: count }, (_, pair) => pair)
  const frozen = pairs.filter((pair) => pair >= count * rotating)
  const [before, after] = stretched ?? []
  // LongRoPE divides each θ by a factor of its own, so it can express any θ.
  const divisors = pairs.map((pair) => {
    const divisor = (before?.theta[pair] ?? NaN) / (after?.theta[pair] ?? NaN)
    return Number.isFinite(divisor) ? divisor : 1
  })
  const rope = stretch
    ? {
        rope_type: 'longrope',
        short_factor: divisors,
        long_factor: divisors,
        attention_factor: after?.theta[count] ?? 1,
        original_max_position_embeddings: model.max_position_embeddings,
      }
    : scaling
  return {
    muted: Array.from({ length: frozen.length > 0 ? model.num_hidden_layers : 0 }, (_, layer) => ({
      layer,
      head: null,
      pairs: frozen,
      kind: 'frozen' as const,
    })),
    ablatedHeads: [],
    ...others,
    ...(rope === undefined ? {} : { ropeScaling: JSON.stringify(rope) }),
  }
}

/** Equal changes at the same length are the same measurement. */
export const measurementKey = (change: LongChange, multiple: Multiple) => `${multiple} ${JSON.stringify(change)}`
