// Other scalings of the ropes that B can have, as config.json writes them.
import type { ModelInfo } from '../../engine/protocol/protocol'

const factors = { linear2: 2, linear4: 4, yarn4: 4, yarn8: 8 } as const

export type Preset = keyof typeof factors

export const presets = Object.keys(factors) as Preset[]

/** JSON of `rope_parameters`. The base stays the model's own. */
export function scalingOf(preset: Preset, { max_position_embeddings }: ModelInfo): string {
  const factor = factors[preset]
  return JSON.stringify(
    preset.startsWith('linear')
      ? { rope_type: 'linear', factor }
      : { rope_type: 'yarn', factor, original_max_position_embeddings: max_position_embeddings },
  )
}

export const factorOf = (preset: Preset) => factors[preset]
