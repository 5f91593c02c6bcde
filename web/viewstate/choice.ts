import type { PartName } from '../engine/protocol/parts'
import type { Sampling } from '../engine/protocol/generation'
import type { AttentionKind, BackendChoice, HeadReplacement } from '../engine/protocol/protocol'
import type { Language } from '../i18n/language'
import type { WeightsChoice } from '../engine/protocol/weights'

export type Room = 'explorer' | 'read' | 'models' | 'about'
/** A chapter of Read; `all`: the index of its figures. */
export type Chapter = (typeof chapters)[number] | 'all'
/** What the queries and keys of Read's figures are: drawn at random, the same unit vector in every pair, or the chosen head's. */
export type Vectors = 'random' | 'equal' | 'head'
export type Theme = 'system' | 'light' | 'dark'

/** In the order in which they are read. */
export const chapters = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const

/** A head of a layer, counted from 0. */
export interface HeadPlace {
  layer: number
  head: number
}

/** Frequency pairs of a head, or of all heads of a layer (head: null), or of the model (layer: null, too). */
export interface MutedPairs {
  layer: number | null
  head: number | null
  pairs: readonly number[]
}

/** How wide the grid of all heads is beside the views. */
export type Dock = 'narrow' | 'usual' | 'wide'

/**
 * What is chosen: every view is a function of this, of the run's result and of the model. It lives in location.hash. A value is replaced,
 * never changed in place.
 */
export interface Choice extends Sampling {
  room: Room
  chapter: Chapter
  /** The folder of a model that the page brings along; `hub:owner/name@revision`: one of the hub; empty: one of the visitor's own. */
  model: string
  /** The only text state, with literal [MASK]; of an encoder–decoder the source, and behind a tab the text after it. */
  text: string
  /** Of an encoder–decoder: the part whose heads are looked at. */
  part: PartName
  /** Layers, heads and positions count from 0. */
  layer: number
  head: number
  /** Positions of the chosen query and key token; [CLS] is 0. */
  query: number
  key: number
  /** Frequency pair i of head_size / 2; null: none. */
  pair: number | null
  /** Whether a text may be longer than the model is made for, where the model can go on. */
  beyond: boolean
  /** Added to every position. */
  offset: number
  /** Pairs that do not turn (θ = 0), and pairs whose part of the score is 0. */
  frozen: readonly MutedPairs[]
  ablated: readonly MutedPairs[]
  /** Heads whose output is replaced, and by what: by its mean over the tokens of the text, where it is not zero. */
  ablatedHeads: readonly HeadPlace[]
  headReplacement: HeadReplacement
  /** Another scaling of the ropes: JSON as config.json has it in `rope_parameters`, which the engine checks; empty: the model's own. */
  scaling: string
  /** Values are rotated, too: as RoFormer's `rotary_value` does, or turned back after they were weighed (RoVE). */
  rotaryValue: boolean
  rotatesValues: boolean
  /** n of log-n scaling, and the distance that larger ones are clamped to (ReRoPE); null: none. */
  logN: number | null
  distanceClamp: number | null
  /** How heads weigh values; empty: as the model's own do. */
  attention: AttentionKind | ''
  /** The head that the chosen one is compared with. */
  other: HeadPlace | null
  backend: BackendChoice
  /** How the matrices of the model are kept in memory. */
  weights: WeightsChoice
  /** Views in the stage by their ids, the front one first. */
  open: readonly string[]
  dock: Dock
  /** Of Read's figures: head size, base, the tokens that a model is made for, the largest distance, and what q and k are. */
  headSize: number
  base: number
  context: number
  maxDistance: number
  /** Texts that an encoder–decoder's search keeps; 0: as many as its file says. */
  beams: number
  vectors: Vectors
  language: Language
  /** The most tokens that a causal model writes on at once. */
  maxNewTokens: number
  /** What else the link holds, as it is written there: params of views, as `map.scale`, and what a later page may know. */
  rest: Readonly<Record<string, string>>
}

/** Every view reports what was chosen in it through one of these. */
export type Choose = (change: Partial<Choice>, kind?: string) => void
