// Types of the protocol: backends, models, requests and results. Its messages are in messages.ts and requests.ts.
import type {
  AttentionName as AttentionKind,
  BackendName as Backend,
  MapName,
  TrialName as TrialKind,
  WeighingName,
  FormatName as StoredFormat,
} from '../../wasm/ropescope.js'
import type { WritingRules } from './generation'
import type { NumberIntervention } from './numberIntervention'

/** The visitor's choice; `auto`: the GPU with a hardware adapter, else the CPU. */
export type BackendChoice = 'auto' | Backend
export type { Backend }

/** Why a backend runs; `web/engine/client/words.ts` words it. */
export type BackendReason =
  | 'hardware-adapter' // auto: a real GPU
  | 'choice' // the visitor chose it
  | 'insecure-context' // not https or localhost: no WebGPU
  | 'no-webgpu' // navigator.gpu is missing
  | 'no-adapter' // requestAdapter() gave null
  | 'fallback-adapter' // auto: a software adapter is slower than the CPU backend
  | 'device-refused' // requestDevice() failed
  | 'wrong-numbers' // the adapter failed the check against the CPU kernels
  | 'device-lost' // the GPU was lost twice

/** Browsers hide most of the optional fields. */
export interface EngineInfo {
  backend: Backend
  reason: BackendReason
  adapter?: string
  vendor?: string
  architecture?: string
  fallbackAdapter?: boolean
  /** The browser's own message of a refusal. */
  detail?: string
}

/** For tests, sent with the first message: init scripts do not reach workers. */
export type Simulation = 'no-webgpu' | 'no-adapter' | 'fallback-adapter' | 'device-refused' | 'wrong-numbers'

/** A model's files: of the page's origin, opened by the visitor, or stored from the hub. */
export type ModelSource =
  /** `files`: the only ones to fetch; undefined: unknown, so optional files are tried. */
  | { kind: 'url'; base: string; name: string; files?: readonly string[] }
  | { kind: 'files'; files: File[]; name: string }
  /** `name`: owner/name; `revision`: the commit. */
  | { kind: 'hub'; name: string; revision: string; files: readonly { path: string; file: Blob }[] }

/** The rope of a model's first layer. */
export interface ModelRope {
  /** (pairs), in radians a token; empty where nothing rotates. */
  theta: readonly number[]
  /** max_position_embeddings */
  context: number
}

/** Kinds of attention, by the names of config.json. */
export type { AttentionKind }
export const attentions: readonly AttentionKind[] = ['softmax', 'linear', 'linear_rotate_first']

/** Trials, which need no model: ways to rotate, and kinds of attention. `map`: softmax that writes one head's map. */
export type { TrialKind }
export const rotationKinds: readonly TrialKind[] = ['blocks', 'elementwise', 'fused']
export const attentionKinds: readonly TrialKind[] = ['map', 'softmax', 'linear']

export interface Trial {
  /** Of one run; of short runs a mean. */
  milliseconds: number
  /** Of a rotation its tables, of an attention all its buffers. */
  bytes: number
  /** The result of the last token: (heads · head size). */
  numbers: Float64Array
}

/** Architecture and sizes of a model, by the names of config.json. */
export interface ModelInfo {
  name: string
  architecture: string
  num_hidden_layers: number
  num_attention_heads: number
  /** Fewer than heads where several share keys and values. */
  num_key_value_heads: number
  hidden_size: number
  embedding_size: number
  intermediate_size: number
  vocab_size: number
  max_position_embeddings: number
  /** Whether longer texts can run. */
  stretches: boolean
  head_size: number
  /** The factor of scores. */
  scale: number
  is_decoder: boolean
  /** The tokens that end a text, from generation_config.json or config.json; may be empty. */
  eos_token_ids: number[]
  rotary_value: boolean
  attention: AttentionKind
  parameters: number
  /** The format of the matrices, and the bytes of all weights. */
  weights: { format: StoredFormat; bytes: number }
  /** Whether there is a vocabulary head. */
  predicts_tokens: boolean
  /** Whether it has a contact head. */
  has_contact_head: boolean
  /** Whether positions are added to the embeddings instead of rotations. */
  adds_positions?: boolean
  /** These three of an encoder–decoder only. */
  encoder?: EncoderInfo | null
  decoder_start_token_id?: number | null
  writing?: WritingRules
  labels: string[]
}

interface EncoderInfo {
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
  /** tokenizer_config.json and special_tokens_map.json, which name the mask token; the first has priority. */
  config?: string | undefined
  specialTokens?: string | undefined
}

/** Interventions and settings of one run. What the model lacks is a failure. */
export interface Change {
  /** `head` null: in all heads of the layer. */
  muted?: readonly PairIntervention[]
  /** Ablated heads. */
  ablatedHeads?: readonly { layer: number; head: number }[]
  /** The replacement of their output: zero (the default), or its mean over the tokens of the text. */
  headReplacement?: HeadReplacement
  /** Neurons that are switched off, in every row. */
  neuronsOff?: readonly NeuronPlace[]
  /** Numbers that are put in the decoder's tensors. */
  numbers?: readonly NumberIntervention[]
  /** For each row an id, whose −log p is in `losses`, or null. */
  labels?: readonly (number | null)[]
  /** Another scaling of the ropes: JSON like `rope_parameters` of config.json. */
  ropeScaling?: string
  /** RoFormer's `rotary_value`: values are rotated, too. */
  rotaryValue?: boolean
  /** RoVE (arXiv 2606.11275): values are rotated by their position, and head outputs back by the query's. */
  rotatesValues?: boolean
  /** n > 1 of Su's log-n scaling: scores are multiplied by max(1, ln(position + 1) / ln n) of the query. */
  logN?: number
  /** Su's ReRoPE: distances above this are clamped to it; not together with muted pairs. */
  distanceClamp?: number
  /** Another kind of attention, of a RoFormer. */
  attention?: AttentionKind
}

/** A neuron of a layer's feed-forward network; null: all of them. */
export interface NeuronPlace {
  layer: number
  neuron: number | null
}

export type HeadReplacement = 'zero' | 'mean'

export interface PairIntervention {
  layer: number
  head: number | null
  pairs: readonly number[]
  kind: 'frozen' | 'ablated'
}

/**
 * The numbers of a map: weight, weight · ‖v‖, weight · ‖v W_O‖, score, score without rotation,
 * or the difference between those two.
 */
export type MapKind = WeighingName | Exclude<MapName, 'mask'>

/** These have a mean over several heads; scores do not. */
const weighingKinds: readonly WeighingName[] = ['weight', 'value', 'output']
export const isWeighing = (kind: MapKind): kind is WeighingName => weighingKinds.some((one) => one === kind)

export interface MapResult {
  run: number
  kind: MapKind
  length: number
  /** (length, length): queries down, keys across. */
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

/** A head's weights by distance, and their prediction from its mean query and key. */
export interface HeadByDistance {
  layer: number
  head: number
  /** Distances (query − key) go from −reach to reach. */
  reach: number
  /** (2·reach + 1): mean weight at each distance, measured and predicted. */
  measured: Float64Array
  predicted: Float64Array
  /** r̄; NaN where no query has three keys. */
  correlation: number
  /** (pairs): E‖q_i‖·E‖k_i‖, and R_i. */
  strength: Float64Array
  constancy: Float64Array
}

/** How similar the maps of all heads are to one head's. */
export interface SimilarHeads {
  run: number
  /** (layers, heads): correlations over queries and keys that are not special; NaN where a map is constant. */
  correlations: Float64Array
}

/** Rows of all heads of a layer before rotation. Adjacent numbers are a pair. */
export interface HeadRows {
  run: number
  layer: number
  length: number
  /** (length, num_attention_heads, head_size) */
  queries: Float32Array
  /** (length, num_key_value_heads, head_size) */
  keys: Float32Array
}

export interface Loss {
  /** Mean of −log p over all labels, in nats. */
  mean: number
  /** Their number. */
  labels: number
}

/** The logit lens: fills of each layer's hidden states, from the embeddings on. */
export interface LensResult {
  /** The model's layers. */
  layers: number
  /** Positions, as in the request. */
  rows: Uint32Array
  /** (layers + 1, rows, k), best first. */
  topIds: Uint32Array
  topProbabilities: Float32Array
}

/** Attention rollout and norms of the residual stream. */
export interface FlowResult {
  layers: number
  heads: number
  length: number
  /** (length, length): the share of each token in each token's output, by the attention of all layers. */
  rollout: Float32Array
  /** (layers + 1, length): norms of the hidden states. */
  residual: Float32Array
  /** (layers, length): norms of the differences from layer to layer. */
  change: Float32Array
  /** (layers, heads): mean norm over tokens of what a head writes into the residual stream. */
  outputs: Float32Array
}

/** The largest differences between two runs of a text; NaN where a run has a number that is not finite. */
export interface Differences {
  /** Of an attention weight; the next four fields say of which. */
  weight: number
  layer: number
  head: number
  query: number
  key: number
  /** Of a logit; of the last hidden state where there are no logits. */
  logit: number
}

/** The selected head. Arrays are row-major. */
export interface HeadResult {
  run: number
  layer: number
  head: number
  length: number
  /**
   * (length, length): queries down, keys across. Rows of softmax sum to 1; those of linear attention need not, and have signs. Of
   * cross-attention the source's rows are 0.
   */
  attention: Float32Array
  /** (length, head_size), rotated. */
  query: Float32Array
  key: Float32Array
}

export interface RunReport {
  backend: Backend
  /** From submit to result. */
  milliseconds: number
  /** Computed positions: a causal model reuses the prefix of the former text. */
  computed: number
  dispatches: number
  paintDispatches: number
  /** Buffers, bind groups and pipelines that this run created; 0 from the second run on. */
  created: number
  bytesAllocated: number
  bytesReadBack: number
}

export interface RunResult extends HeadResult {
  /** (rows, topK) */
  topIds: Uint32Array
  topProbabilities: Float32Array
  rows: Uint32Array
  /** (layers, head_size / 2): θ_i of this run in radians a position; 0: the pair does not rotate. */
  theta: Float64Array
  /** Of classification and question answering, with their shape; else empty. */
  logits: Float32Array
  logitsShape: number[]
  /** (rows): −log p of each label in nats, NaN without a label; empty where the request had none. */
  losses: Float32Array
  report: RunReport
}

/** Contacts of a protein's residues, which are its tokens but the first and the last. */
export interface ContactResult {
  run: number
  /** Residues. */
  count: number
  /** (count, count): probabilities of contact. */
  numbers: Float32Array
}

/** The masks of an encoder–decoder's run: 1 where a query sees a key. */
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

/** The layout of the grid of all heads, in device pixels. */
export interface GridLayout {
  cell: number
  gap: number
  /** Palette stops, sRGB bytes (stops × 3), and the colour between the maps (3). */
  stops: Uint8Array
  ground: Uint8Array
  /** (layers, heads): the head at each place; empty: in the order of their numbers. */
  order: Uint32Array
}

/** The visible part of the grid: ranges of layers and of places, end exclusive. */
export interface GridView {
  layers: readonly [number, number]
  places: readonly [number, number]
}

/** The grid of all heads, as RGBA. */
export interface GridPixels {
  width: number
  height: number
  pixels: Uint8Array
}

/** An error: `code` is its kind, `message` is for people. */
export interface Failure {
  code: string
  message: string
  /** Whether another try may succeed. */
  retryable: boolean
  /** The values in the message, by name (`FailureParameters`); missing where the page made the message. */
  parameters?: Readonly<Record<string, unknown>>
}

/** Formats of weights in memory: of matrices; vectors are always f32. */
export type WeightFormat = Exclude<StoredFormat, 'stored'>
export const weightFormats: readonly WeightFormat[] = ['f32', 'f16', 'bf16', 'int8', 'int4']

/** `stored`: 16 bits as in the file, all else f32. */
export type { StoredFormat }

/** `auto`: the most exact format that fits. */
export type WeightsChoice = WeightFormat | 'auto'

/** The bytes of a model's weights, by format. */
export type WeightBytes = Readonly<Record<StoredFormat, number>>
