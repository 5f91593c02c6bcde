// The state of the page, and the selection in it: within a model and a text, and moved to another text.
import { type PartName, sourceOf, textStart, type Pair } from '../engine/protocol/parts'
import type { Sampling } from '../engine/protocol/generation'
import { clampIndex } from '../engine/protocol/range'
import type {
  AttentionKind,
  BackendChoice,
  HeadReplacement,
  NeuronPlace,
  WeightsChoice,
  ModelInfo,
} from '../engine/protocol/protocol'
import type { NumberIntervention } from '../engine/protocol/numberIntervention'
import type { Language } from '../i18n/language'
import { difference, followPosition } from '../text/edit'
import type { Reading } from '../text/reading'

export type Page = 'explorer' | 'read' | 'models' | 'about'
/** A chapter of Read; `all`: the index of its figures. */
export type Chapter = (typeof chapters)[number] | 'all'
/** Queries and keys of Read's figures: random, the same unit vector in every pair, or the selected head's. */
export type Vectors = 'random' | 'equal' | 'head'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const chapters = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const

/** A head of a layer, counted from 0. */
export interface HeadPlace {
  layer: number
  head: number
}

/** The positions of a query and of a key in a text. */
export interface QueryAndKey {
  query: number
  key: number
}

export const samePlace = (one: HeadPlace, other: HeadPlace) => one.layer === other.layer && one.head === other.head

/** Frequency pairs of a head, or of all heads of a layer (head: null), or of the model (layer: null, too). */
export interface MutedPairs {
  layer: number | null
  head: number | null
  pairs: readonly number[]
}

/** How wide the grid of all heads is beside the views; `auto`: of the usual width, and folded on a small screen. */
export type GridWidth = 'narrow' | 'auto' | 'wide'

/**
 * The state of the page, in location.hash: every view is a function of it, of the run and of the model. A value is replaced, never changed
 * in place.
 */
export interface Choice extends Sampling {
  /** The page that is open. */
  page: Page
  /** A chapter of Read; `all`: its figures, one by one or two side by side. */
  chapter: Chapter
  /** The folder of a bundled model; `hub:owner/name@revision`: one of the hub; `own:name`: one of the visitor's own, by name alone. */
  model: string
  /** With literal [MASK]; of an encoder–decoder the source, and after a tab the text. */
  text: string
  /** The selected part of an encoder–decoder. */
  part: PartName
  /** The selected layer. Layers, heads and positions count from 0. */
  layer: number
  /** The selected head. */
  head: number
  /** The position of the selected query; [CLS] is 0. */
  query: number
  /** The position of the selected key. */
  key: number
  /** The selected frequency pair i of head_size / 2; null: none is selected. */
  pair: number | null
  /** Whether a text may exceed the model's own limit, if the model can read more. */
  beyond: boolean
  /** Added to every position. */
  offset: number
  /** Frozen pairs: they do not turn (θ = 0). */
  frozen: readonly MutedPairs[]
  /** Ablated pairs: their part of the score is 0. */
  ablated: readonly MutedPairs[]
  /** Heads whose output is replaced. */
  ablatedHeads: readonly HeadPlace[]
  /** What replaces it: zero, or its mean over the tokens of the text. */
  headReplacement: HeadReplacement
  /** Neurons of feed-forward networks that are switched off, in every row. */
  neuronsOff: readonly NeuronPlace[]
  /** Numbers that are put in tensors. */
  numbers: readonly NumberIntervention[]
  /** Another scaling of the ropes: JSON as config.json has it in `rope_parameters`, which the engine checks; empty: the model's own. */
  scaling: string
  /** Whether values rotate as by RoFormer's `rotary_value`. */
  rotaryValue: boolean
  /** Whether values rotate, with the inverse rotation of the head's output (RoVE). */
  rotatesValues: boolean
  /** n of log-n scaling; null: scores are not scaled. */
  logN: number | null
  /** The distance that larger ones are clamped to (ReRoPE); null: none is clamped. */
  distanceClamp: number | null
  /** The kind of attention; empty: the model's own. */
  attention: AttentionKind | ''
  /** The head that the selected one is compared with; null: none. */
  other: HeadPlace | null
  /** The device that runs the model. `auto`: the GPU where there is one, else the CPU. */
  backend: BackendChoice
  /** The format of the weights in memory. `auto`: the most exact one that fits. */
  weights: WeightsChoice
  /** Ids of the open views, the front one first. */
  open: readonly string[]
  /** How wide the grid of all heads is beside the views. */
  gridWidth: GridWidth
  /** Of Read's figures: the head size. */
  headSize: number
  /** Of Read's figures: the base of the frequencies. */
  base: number
  /** Of Read's figures: the context in tokens. */
  context: number
  /** Of Read's figures: the largest distance. */
  maxDistance: number
  /** Beams of an encoder–decoder; 0: as many as its file says. */
  beams: number
  /** Of Read's figures: queries and keys, which are random, the same unit vector in every pair, or the selected head's. */
  vectors: Vectors
  /** The language of the page. */
  language: Language
  /** The largest number of tokens of one continuation. */
  maxNewTokens: number
  /** Other values of the link, as they are written there: params of views (`map.scale`), and those of later versions of the page. */
  viewParams: Readonly<Record<string, string>>
}

/** The view that explains a number, and its parameter in the link, which names the number. */
export const explanationView = { id: 'explain', param: 'explain.at' } as const

/** Changes the choice. */
export type Choose = (change: Partial<Choice>, kind?: string) => void

/** The selection, which a smaller model or a shorter text limits. */
export type Cursor = Pick<Choice, 'layer' | 'head' | 'query' | 'key' | 'pair'>

/** The cursor within this model and a text of `length` tokens; without a model unchanged. */
export function clampCursor(cursor: Cursor, model: ModelInfo | undefined, length: number, texts?: Pair): Cursor {
  const { layer, head, query, key, pair } = cursor
  if (!model) return { layer, head, query, key, pair }
  return {
    ...clampHead({ layer, head }, model),
    // In cross-attention queries are of the text, and keys of the source before it.
    query: Math.max(texts ? textStart(texts) : 0, clampIndex(query, length)),
    key: clampIndex(key, sourceOf(texts) ?? length),
    pair: pair === null ? null : clampIndex(pair, model.head_size / 2),
  }
}

export function clampHead({ layer, head }: HeadPlace, model: ModelInfo): HeadPlace {
  return { layer: clampIndex(layer, model.num_hidden_layers), head: clampIndex(head, model.num_attention_heads) }
}

/** The selected query and key of one text as positions of another. */
export function movedTo(
  { query, key }: Partial<Pick<Choice, 'query' | 'key'>>,
  from: string,
  before: Reading,
  to: string,
  now: Reading,
): Partial<Pick<Choice, 'query' | 'key'>> {
  const edit = difference(from, to)
  const move = (position: number) => followPosition(position, before, now, edit)
  return {
    ...(query === undefined ? {} : { query: move(query) }),
    ...(key === undefined ? {} : { key: move(key) }),
  }
}
