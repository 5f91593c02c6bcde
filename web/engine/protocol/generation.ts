// What the page and its worker speak of when a text is written on.

import type { WritingRules } from './generationConfig'

/** How the next token is drawn, in Hugging Face's words and order: repetition penalty, temperature, top-k, top-p, min-p. */
export interface Sampling {
  /** Divides the logits; 0: always the likeliest token. */
  temperature: number
  /** Only the k likeliest tokens, at most 64. */
  topK: number
  /** Of those only the likeliest that together have this probability. */
  topP: number
  /** And only those with at least this share of the likeliest one's probability. */
  minP: number
  /** Logits of tokens that were there before are made smaller by this; 1: not at all. */
  repetitionPenalty: number
  seed: number
}

/** How a text is written on. */
export interface GenerationSettings extends Sampling {
  maxNewTokens: number
  stopIds: number[]
  /** Whether to go on beyond the model's `max_position_embeddings`. */
  beyondLength: boolean
  /** What an encoder–decoder writes after, and by. Above one beam the best text is searched, and nothing is drawn. */
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

/** A token that may come next, with its probability among the whole vocabulary and after the sampling settings. */
export interface Candidate {
  id: number
  before: number
  after: number
}

/** One token of a text that is written on. */
export interface GeneratedToken {
  id: number
  /** What it was drawn from, best first. */
  candidates: Candidate[]
  /** Set with the last token: it is one of `stopIds`, or as many as were wanted or have room. */
  ended: GenerationEnd | null
}

/** A step of a beam search. */
export interface SearchedToken {
  /** The best text so far, from its start token on. */
  ids: number[]
  ended: GenerationEnd | null
}

export type GenerationEnd = 'end' | 'length'
