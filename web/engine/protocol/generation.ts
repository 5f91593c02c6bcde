// Types of the generation.

import type { Pair } from './parts'
import type { WritingRules } from './generationConfig'

/** Sampling settings, named and applied as by Hugging Face: repetition penalty, temperature, top-k, top-p, min-p. */
export interface Sampling {
  /** Divides the logits; 0: always the likeliest token. */
  temperature: number
  /** Only the k likeliest tokens, at most 64. */
  topK: number
  /** Of those, the likeliest that together have this probability. */
  topP: number
  /** Of those, the ones with at least this share of the likeliest one's probability. */
  minP: number
  /** Reduces the logits of tokens that occur in the text; 1: no change. */
  repetitionPenalty: number
  /** The same seed draws the same text. */
  seed: number
}

export interface GenerationSettings extends Sampling {
  maxNewTokens: number
  stopIds: number[]
  /** Whether the text may exceed the model's `max_position_embeddings`. */
  beyondLength: boolean
  /** Of an encoder–decoder. With more than one beam the best text is searched instead of sampled. */
  source?: number[]
  beams?: number
  lengthPenalty?: number
  stopping?: WritingRules['stopping']
  badWords?: number[][]
  noRepeat?: number
  minLength?: number
  forcedFirst?: number[]
  forcedLast?: number[]
}

/** A token that may come next, with its probability before and after the sampling settings. */
export interface Candidate {
  id: number
  before: number
  after: number
}

export interface GeneratedToken {
  id: number
  /** The tokens that it was sampled from, best first. */
  candidates: Candidate[]
  /** Set with the last token. */
  ended: GenerationEnd | null
}

/** A step of a beam search. */
export interface SearchedToken {
  /** The best text so far, with its start token. */
  ids: number[]
  ended: GenerationEnd | null
}

/** The last token is one of `stopIds`, or the text has its full length. */
export type GenerationEnd = 'end' | 'length'

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
