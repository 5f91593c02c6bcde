import type { GenerationSettings } from '../engine/protocol/generation'
import type { WritingRules } from '../engine/protocol/generationConfig'
import type { Pair } from '../engine/protocol/parts'

/** How an encoder–decoder writes: by its file unless the choice has a number of beams. One beam samples only if the choice says so. */
export function afterSource(
  { source, text }: Pair,
  rules: WritingRules,
  { beams: requested, temperature, maxNewTokens }: { beams: number; temperature: number; maxNewTokens: number },
): Partial<GenerationSettings> & { maxNewTokens: number } {
  const { maxLength = Infinity, ...others } = rules
  return {
    ...others,
    beams: requested || rules.beams,
    temperature: requested === 1 ? temperature : 0,
    source: Array.from(source),
    maxNewTokens: Math.max(1, Math.min(maxNewTokens, maxLength - text.length)),
  }
}
