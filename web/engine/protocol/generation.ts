// Generation: its settings and its results, and what generation_config.json says of it.

import { objectOf } from './json'

/** Sampling settings, named and applied as by Hugging Face: repetition penalty, temperature, top-k, top-p, min-p. */
export interface Sampling {
  /** Divides the logits; 0: always the likeliest token. */
  temperature: number
  /** Only the k likeliest tokens, and those that are as likely as the last of them; 0, or as many as the vocabulary has: all. */
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

/** The most candidates that come with a token. */
export const mostCandidates = 64

export interface GenerationSettings extends Sampling {
  /** The likeliest tokens that come with each token, to be shown: at most `mostCandidates`, and with 0 one. They change no draw. */
  candidates: number
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

/** What may come next. */
export interface NextTokens {
  /** The likeliest tokens, best first; of a written token also that one, at the end if it is none of them. */
  candidates: Candidate[]
  /** How many tokens of the vocabulary the settings leave, listed or not. */
  left: number
}

export interface GeneratedToken extends NextTokens {
  id: number
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
  { source, text }: { source: Uint32Array; text: Uint32Array },
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

/** Generation settings of an encoder–decoder, from generation_config.json, with Hugging Face's defaults. */
export interface WritingRules {
  beams: number
  lengthPenalty: number
  stopping: 'early' | 'likely' | 'never'
  badWords: number[][]
  noRepeat: number
  minLength: number
  forcedFirst: number[]
  forcedLast: number[]
  /** In tokens, with the start token; undefined: no limit. */
  maxLength: number | undefined
}

export const mostBeams = 8

/** `ends`: the tokens that end a text. Without a file they are forced as the last token. */
export function writingRules(generationConfig: string | undefined, ends: readonly number[]): WritingRules {
  const config = objectOf(generationConfig)
  const number = (name: string, fallback: number) => {
    const value = config[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : fallback
  }
  const count = (name: string, fallback: number) => Math.max(0, Math.round(number(name, fallback)))
  const last = generationConfig === undefined ? [...ends] : ids(config['forced_eos_token_id'])
  const stopping = config['early_stopping']
  const badWords = config['bad_words_ids']
  return {
    beams: Math.min(mostBeams, Math.max(1, count('num_beams', 1))),
    lengthPenalty: number('length_penalty', 1),
    stopping: stopping === true ? 'early' : stopping === 'never' ? 'never' : 'likely',
    badWords: Array.isArray(badWords) ? badWords.map(ids).filter((word) => word.length > 0) : [],
    noRepeat: count('no_repeat_ngram_size', 0),
    minLength: count('min_length', 0),
    forcedFirst: ids(config['forced_bos_token_id']),
    forcedLast: last,
    maxLength: count('max_length', 0) || undefined,
  }
}

/** Reads one id, or a list. */
function ids(value: unknown): number[] {
  const isId = (id: unknown): id is number => typeof id === 'number' && Number.isInteger(id) && id >= 0
  return (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isId)
}

/** `eos_token_id` of generation_config.json, a number or a list; undefined where there is none. */
export function endTokens(generationConfig: string | undefined): number[] | undefined {
  const named = objectOf(generationConfig)['eos_token_id']
  const found = ids(named)
  return Array.isArray(named) || found.length > 0 ? found : undefined
}
