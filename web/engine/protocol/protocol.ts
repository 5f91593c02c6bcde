// What the page and its worker speak of: backends, models, requests and results. How they say it: messages.ts and requests.ts.

import type * as wasm from '../../wasm/ropescope.js'
import type { WritingRules } from './generationConfig'
import type { StoredFormat } from './weights'

/** What the visitor asked for; `auto` lets the worker choose (hardware adapter: GPU, else CPU). */
export type BackendChoice = 'auto' | 'gpu' | 'cpu'
export type Backend = 'gpu' | 'cpu'

/** Why a backend runs, as a code; the page turns it into words (`web/engine/client/words.ts`). */
export type BackendReason =
  | 'hardware-adapter' // auto: a real GPU
  | 'asked' // the visitor chose it
  | 'insecure-context' // not https or localhost: no WebGPU
  | 'no-webgpu' // navigator.gpu is missing
  | 'no-adapter' // requestAdapter() gave null
  | 'fallback-adapter' // auto: a software adapter is slower than the CPU backend
  | 'device-refused' // requestDevice() failed
  | 'wrong-numbers' // the adapter computed something else than the CPU kernels
  | 'device-lost' // the GPU was lost again and again

/** Every field but `backend` and `reason` may be missing: browsers hide much of it. */
export interface EngineInfo {
  backend: Backend
  reason: BackendReason
  adapter?: string
  vendor?: string
  architecture?: string
  fallbackAdapter?: boolean
  /** What the browser said when it refused, word for word. */
  detail?: string
}

/** Switches for tests, sent with the first message only: init scripts do not reach workers. */
export type Simulation = 'no-webgpu' | 'no-adapter' | 'fallback-adapter' | 'device-refused' | 'wrong-numbers'

/** A model's files: fetched from the page's own origin, opened by the visitor, or kept after they were fetched from the hub. */
export type ModelSource =
  /** `files`: what lies there, so that nothing else is asked for; undefined: not known, what a model may come without is tried. */
  | { kind: 'url'; base: string; name: string; files?: readonly string[] }
  | { kind: 'files'; files: File[]; name: string }
  /** `name`: owner/name; `revision`: the commit. */
  | { kind: 'hub'; name: string; revision: string; files: readonly { path: string; file: Blob }[] }

/** How a model's first layer turns queries and keys. */
export interface ModelRope {
  /** Radians a token, (pairs); none where nothing turns. */
  theta: readonly number[]
  /** max_position_embeddings */
  context: number
}

/** How heads weigh values, in the words of config.json's `attention`. */
export const attentions = ['softmax', 'linear', 'linear_rotate_first'] as const satisfies readonly wasm.AttentionName[]
export type AttentionKind = (typeof attentions)[number]

/** What can be timed without a model: ways to rotate, and attention; `map`: softmax with one head's map made. */
export const rotationKinds = ['blocks', 'elementwise', 'fused'] as const satisfies readonly wasm.TrialName[]
export const attentionKinds = ['map', 'softmax', 'linear'] as const satisfies readonly wasm.TrialName[]
export type TrialKind = (typeof rotationKinds)[number] | (typeof attentionKinds)[number]

export interface Trial {
  /** Of one run, the mean of several where they are short. */
  milliseconds: number
  /** Of what a rotation is made by; of an attention all that it holds. */
  bytes: number
  /** What it computes of the last token: (heads · head size). */
  numbers: Float64Array
}

/** Architecture and sizes of a loaded model, in the words of its config.json. */
export interface ModelInfo {
  name: string
  architecture: string
  num_hidden_layers: number
  num_attention_heads: number
  /** Fewer than heads: some share their keys and values. */
  num_key_value_heads: number
  hidden_size: number
  embedding_size: number
  intermediate_size: number
  vocab_size: number
  max_position_embeddings: number
  /** Whether its positions go on beyond that, where it is asked for. */
  stretches: boolean
  head_size: number
  /** What a score is multiplied by. */
  scale: number
  is_decoder: boolean
  /** The tokens that end a text, from generation_config.json or config.json; none: only the length ends it. */
  eos_token_ids: number[]
  rotary_value: boolean
  attention: AttentionKind
  parameters: number
  /** How its matrices are kept, and the bytes that all weights take. */
  weights: { format: StoredFormat; bytes: number }
  /** Whether there is a vocabulary head whose fills can be shown. */
  predicts_tokens: boolean
  /** Whether contacts of residues are told from its attention. */
  tells_contacts: boolean
  /** Whether positions are added to the embeddings: no pair of a query or key turns then. */
  adds_positions?: boolean
  /** Of an encoder–decoder: the stack that reads the source, what a text begins with, and how it is meant to write. */
  encoder?: EncoderInfo | null
  decoder_start_token_id?: number | null
  writing?: WritingRules
  labels: string[]
}

/** Sizes of the stack that reads a source. */
export interface EncoderInfo {
  num_hidden_layers: number
  num_attention_heads: number
  head_size: number
  scale: number
  vocab_size: number
}

/** The text of tokenizer.json, or of vocab.txt where there is none. */
export interface TokenizerFiles {
  tokenizer?: string
  vocabulary?: string
  /** tokenizer_config.json and special_tokens_map.json name the mask token, the first before the other; a model may come without. */
  config?: string | undefined
  specialTokens?: string | undefined
}

/** What is changed in a model for one run. What the model has not is an error that says so. */
export interface Change {
  /** Frequency pairs that are not rotated (`frozen`) or leave the scores (`ablated`); head null: in all heads of the layer. */
  muted?: readonly Muted[]
  /** Heads whose output is replaced, */
  ablatedHeads?: readonly { layer: number; head: number }[]
  /** by zero, as unless told, or by its mean over the tokens of the text. */
  headReplacement?: HeadReplacement
  /** For each of the rows an id whose −log p is told (`losses`), or null. */
  labels?: readonly (number | null)[]
  /** Another scaling of the ropes: JSON of an object as config.json has it in `rope_parameters`. */
  ropeScaling?: string
  /** Values are rotated, too: RoFormer's `rotary_value`. */
  rotaryValue?: boolean
  /** Values are rotated by their own position, and what heads give is turned back by the query's (RoVE, arXiv 2606.11275). */
  rotatesValues?: boolean
  /** n of Su's log-n scaling: scores are multiplied by max(1, ln(position + 1) / ln n) of the query. Above 1. */
  logN?: number
  /** The largest distance that a score turns by, in tokens (Su's ReRoPE); not where pairs are muted. */
  distanceClamp?: number
  /** Another attention than the model's own, of a RoFormer. */
  attention?: AttentionKind
}

export type HeadReplacement = 'zero' | 'mean'

export interface Muted {
  layer: number
  head: number | null
  pairs: readonly number[]
  kind: 'frozen' | 'ablated'
}

/**
 * What a map shows of a query and a key: the weight, what it weighs (weight · ‖v‖, and weight · ‖v W_O‖ behind the head's part of the output
 * projection), the score, the score without rotation, or what rotation adds to it.
 */
export type MapKind = 'weight' | 'value' | 'output' | 'score' | 'content' | 'rotation'

/** Scores are of one head: only what is weighed has a mean over several. */
export const weighed = ['weight', 'value', 'output'] as const satisfies readonly wasm.WeighingName[]

export interface MapResult {
  run: number
  kind: MapKind
  length: number
  /** (length, length): query tokens down, key tokens across. */
  numbers: Float32Array
}

/** Means over the run's queries that are not special. */
export interface HeadStatistics {
  run: number
  layers: number
  heads: number
  /**
   * (layers, heads, 10): entropy in nats, distance |query − key| in tokens, weight on the previous, the same, the next and the first token,
   * the largest weight, and weight on the same token elsewhere, on special tokens, and on tokens that follow an earlier occurrence of the
   * query's.
   */
  numbers: Float32Array
}

/** How far a head looks, and what its mean query and its mean key foretell of that. */
export interface HeadByDistance {
  layer: number
  head: number
  /** Distances query − key from −reach to reach: fewer where the text is shorter. */
  reach: number
  /** (2·reach + 1): mean weight at each distance, measured and foretold. */
  measured: Float64Array
  predicted: Float64Array
  /** r̄; NaN where no query has three keys. */
  correlation: number
  /** (pairs): E‖q_i‖·E‖k_i‖, and R_i. */
  strength: Float64Array
  constancy: Float64Array
}

/** How alike the maps of all heads are to one head's. */
export interface AlikeHeads {
  run: number
  /** (layers, heads): correlations over the queries and keys that are not special; NaN where a map is the same everywhere. */
  correlations: Float64Array
}

/** Rows of all heads of a layer as they were before they turned. Adjacent numbers are a pair. */
export interface HeadRows {
  run: number
  layer: number
  length: number
  /** (length, num_attention_heads, head_size) */
  queries: Float32Array
  /** (length, num_key_value_heads, head_size) */
  keys: Float32Array
}

/** How unlikely labels are. */
export interface Loss {
  /** Of −log p over all labels, in nats. */
  mean: number
  /** How many there were. */
  labels: number
}

/** What the output head makes of every layer's hidden states, the embeddings' first. */
export interface LensResult {
  /** The model's layers; there is one more of hidden states. */
  layers: number
  /** Positions, as they were asked for. */
  rows: Uint32Array
  /** (layers + 1, rows, k), best first. */
  topIds: Uint32Array
  topProbabilities: Float32Array
}

/** What flows through the layers of a text. */
export interface FlowResult {
  layers: number
  heads: number
  length: number
  /** (length, length): how much of what arrives at each token comes from which, by the attention of all layers. */
  rollout: Float32Array
  /** (layers + 1, length): norms of the hidden states. */
  residual: Float32Array
  /** (layers, length): norms of their differences. */
  change: Float32Array
  /** (layers, heads): mean norm over tokens of what a head writes into the residual stream. */
  outputs: Float32Array
}

/** The largest differences between two runs of a text; NaN where one of them has no number. */
export interface Differences {
  /** Of any attention weight, and where that is. */
  weight: number
  layer: number
  head: number
  query: number
  key: number
  /** Of any logit of any token, or of the last hidden state where there are no logits. */
  logit: number
}

/** The chosen head, read back: what hovering reads. Arrays are row-major. */
export interface HeadResult {
  /** The run that it belongs to. */
  run: number
  layer: number
  head: number
  length: number
  /** (length, length): query tokens down, key tokens across. Each row sums to 1. */
  attention: Float32Array
  /** (length, head_size), rotated to their positions. */
  query: Float32Array
  key: Float32Array
}

export interface RunReport {
  backend: Backend
  /** From submit to result. */
  milliseconds: number
  /** Positions that were computed: a causal model keeps those that the text before began with. */
  computed: number
  dispatches: number
  paintDispatches: number
  /** Buffers, bind groups and pipelines created by this run; 0 from the second run on. */
  created: number
  bytesHeld: number
  bytesReadBack: number
}

export interface RunResult extends HeadResult {
  /** (rows, topK) */
  topIds: Uint32Array
  topProbabilities: Float32Array
  rows: Uint32Array
  /** θ_i in radians per position (layers, head_size / 2): what each layer of this run rotated by. 0: a pair that does not turn. */
  theta: Float64Array
  /** Sequence or token classification and question answering: their logits (shape in `logitsShape`); else empty. */
  logits: Float32Array
  logitsShape: number[]
  /** (rows): −log p of each label in nats, NaN where there is none; empty unless the change had labels. */
  losses: Float32Array
  report: RunReport
}

/** Which residues of a protein touch: its tokens but the first and the last. */
export interface ContactResult {
  run: number
  /** Residues. */
  count: number
  /** (count, count): probabilities. */
  numbers: Float32Array
}

/** The masks of an encoder–decoder's run, 1 where a query may see a key: of the source, of the text, and of the text to the source. */
export interface MasksResult {
  run: number
  /** Tokens of the source, and of the text. */
  source: number
  text: number
  encoder: Float32Array
  decoder: Float32Array
  /** (text, source) */
  cross: Float32Array
}

/** Where the grid of all heads is painted, in device pixels. */
export interface GridLayout {
  cell: number
  gap: number
  /** Palette stops, sRGB bytes (stops × 3), and the ground between the maps (3). */
  stops: Uint8Array
  ground: Uint8Array
  /** The head that stands at each place, (layers, heads); none: as they are numbered. */
  order: Uint32Array
}

/** What can be seen of the grid: layers, and places in them, from the first to one behind the last. */
export interface GridView {
  layers: readonly [number, number]
  places: readonly [number, number]
}

/** The grid of all heads, as RGBA row by row. */
export interface GridPixels {
  width: number
  height: number
  pixels: Uint8Array
}

/** An error from the engine: `code` is its kind, `message` is written for people. */
export interface Failure {
  code: string
  message: string
  /** Whether trying again, unchanged, can help. */
  retryable: boolean
  /** What the message is about, by name: of each code the same names. Only of errors that Rust code made. */
  parameters?: Readonly<Record<string, unknown>>
}
