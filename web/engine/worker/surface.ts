// What the WASM offers (src/web), as the worker uses it; the generated web/wasm/ropescope.d.ts must fit it.

import type { ContextExtensionName, PositionEncodingName } from '../protocol/mathematics'
import type { PartName } from '../protocol/parts'
import type { AttentionKind, Backend, MapKind, TrialKind, weighed } from '../protocol/protocol'
import type { KeptAs } from '../protocol/weights'
import type { Site } from '../protocol/site'

/** What the engine puts at a site. */
type Replacement = 'zero' | 'mean' | 'frozen' | 'rotated' | `log-n:${number}` | `clamp:${number}`
export type Intervention = `${Site}=${Replacement}`

export interface Surface {
  Engine: {
    /** Rejects with a Failure. `onLost` is called once, when the device is gone. */
    open(backend: Backend, onLost: (message: string) => void): Promise<WasmEngine>
  }
  /** θ_i, (head_size / 2) */
  frequencies(headSize: number, base: number): Float64Array
  /** (length, pairs): mθ_i modulo 2π */
  angles(theta: Float64Array, length: number): Float32Array
  /** (maxDistance + 1) */
  decayBound(theta: Float64Array, maxDistance: number): Float64Array
  explainScore(
    query: Float32Array,
    key: Float32Array,
    m: number,
    n: number,
    theta: Float64Array,
    scale: number,
    maxDistance: number,
  ): WasmScore
  /**
   * The correlation; scores and weights, (2·length − 1) each; of each pair strength, constancy of the query and of the key, phase and the
   * distance it wants; query and key, (length, headSize) each.
   */
  foretold(
    query: Float32Array,
    key: Float32Array,
    headSize: number,
    firstPosition: number,
    theta: Float64Array,
    scale: number,
    counted: Uint8Array,
    causal: boolean,
  ): Float64Array
  // What Read's chapters compute, see src/web/mathematics.rs.
  /** (maxDistance + 1): Σ cos(mθ_i) */
  cosineSums(theta: Float64Array, maxDistance: number): Float64Array
  /** The first distance at which that sum is negative. */
  firstNegative(theta: Float64Array, limit: number): number | undefined
  smallestBase(headSize: number, context: number): number | undefined
  /** θ (headSize / 2), the magnitude, and scores at `count` distances. Throws a Failure. */
  stretched(
    stretch: ContextExtensionName,
    headSize: number,
    base: number,
    context: number,
    factor: number,
    count: number,
  ): Float64Array
  /** A row (2 · pairs), rotated to a position. */
  rotate(row: Float64Array, theta: Float64Array, position: number): Float64Array
  /** Scores and weights (tokens, tokens), outputs (tokens, size). mask: 0 for masked. */
  attentionByHand(
    query: Float64Array,
    key: Float64Array,
    value: Float64Array,
    size: number,
    scale: number,
    mask: Float64Array,
  ): Float64Array
  /** (terms, tokens, tokens) */
  positionTerms(way: PositionEncodingName, first: number): Float64Array
  /** Parameters of a layer and shared by all, numbers in memory of a layer and shared by all. */
  positionCosts(way: PositionEncodingName, heads: number, headSize: number, length: number): Float64Array
  /** A row with each of the rows added: norm and cosine, (rows, 2). */
  addPositions(row: Float64Array, rows: Float64Array): Float64Array
  /** (length, 2 · pairs) */
  sinusoids(theta: Float64Array, length: number): Float64Array
  randomCosines(dimensions: number, count: number, seed: number): Float64Array
  /** Of mean 0 and variance 1. */
  randomNumbers(count: number, seed: number): Float64Array
  /** JSON BeforeWeights: told by a model's config and the header of its weights. Throws a Failure. */
  beforeWeights(configJson: string, header: Uint8Array): string
  /** Bytes of a weights file's header, told by its first eight. Throws a Failure. */
  headerBytes(start: Uint8Array): number
  /** Its memory, where a worker has started it: shared where the page is isolated. */
  memory?: WebAssembly.Memory
  /** Has jobs done by `run_job` of a module on this memory. Gives where what its threads share lies. */
  useKernels(runJob: (job: number) => void): number
  /** 256 × 3 sRGB bytes */
  palette(stops: Uint8Array): Uint8Array
}

/** One engine on one backend. Its methods must not overlap: each takes the engine for itself until it settles. */
export interface WasmEngine {
  /** JSON {adapter?, vendor?, architecture?, device?} */
  adapter(): string
  /** Whether the adapter computes what the CPU computes: rejects with code "self-check" where it does not. */
  check(): Promise<void>
  /**
   * Begins to load a model: checks its config and the header of its weights, makes room and compiles pipelines. The model before stays.
   * `fileLength` 0: not known. `weights`: how matrices are kept.
   */
  begin(configJson: string, header: Uint8Array, fileLength: number, weights: KeptAs): Promise<WasmLoading>
  /** Takes over a model whose weights are all there, and uses up its loading, also where it fails. JSON ModelInfo without its name. */
  adopt(loading: WasmLoading): string
  /** `pause` is awaited every few milliseconds; false stops the run, which then rejects with code "cancelled". */
  run(
    ids: Uint32Array,
    rows: Uint32Array,
    topK: number,
    part: PartName,
    layer: number,
    head: number,
    positionOffset: number,
    change: WasmChange,
    pause: () => Promise<boolean>,
  ): Promise<WasmRun>
  /**
   * A change for one run. labels: negative for none. ropeScaling: JSON, empty for the model's own. Throws a Failure where an intervention
   * cannot be read.
   */
  change(
    interventions: Intervention[],
    labels: Int32Array,
    ropeScaling: string,
    rotaryValue: boolean,
    attention: AttentionKind | undefined,
    beyondLength: boolean,
  ): WasmChange
  // Runs of other texts. The questions about the last run still find it afterwards. `change`, `pause` as for a run.
  /** Mean and number of the labels' losses of texts (batch, length). The change has a label for each token. */
  loss(ids: Uint32Array, batch: number, change: WasmChange, pause: () => Promise<boolean>): Promise<Float64Array>
  /** (layers + 1, rows, k) fills of id and probability: the output head on every layer. */
  lens(
    ids: Uint32Array,
    rows: Uint32Array,
    topK: number,
    positionOffset: number,
    change: WasmChange,
    pause: () => Promise<boolean>,
  ): Promise<Float64Array>
  /** Rollout (length, length), residual (layers + 1, length), change (layers, length), outputs (layers, heads). */
  flow(
    ids: Uint32Array,
    part: PartName,
    positionOffset: number,
    change: WasmChange,
    pause: () => Promise<boolean>,
  ): Promise<Float64Array>
  /**
   * From the same text at offset 0, with the same change (`isShift`) or without any: the largest difference of a weight, its layer, head,
   * query and key, and that of a logit.
   */
  differences(
    ids: Uint32Array,
    isShift: boolean,
    positionOffset: number,
    change: WasmChange,
    pause: () => Promise<boolean>,
  ): Promise<Float64Array>
  /** All taps and the result as a safetensors file. */
  tensorFile(
    ids: Uint32Array,
    positionOffset: number,
    change: WasmChange,
    pause: () => Promise<boolean>,
  ): Promise<Uint8Array>
  /** The number of the run of a second text, whose heads are kept until the next second text. */
  secondText(
    ids: Uint32Array,
    positionOffset: number,
    change: WasmChange,
    pause: () => Promise<boolean>,
  ): Promise<number>
  /** Milliseconds of a run, bytes of the rotation's tables and of all buffers, then the result for the last token. */
  trial(what: TrialKind, length: number, headSize: number, pause: () => Promise<boolean>): Promise<Float64Array>
  // Questions about a run by its number: the newest one, the last one in which nothing was changed, or the last second text. Undefined: the
  // run is stale. `pause` as for a run.
  head(
    run: number,
    part: PartName,
    layer: number,
    head: number,
    pause: () => Promise<boolean>,
  ): Promise<WasmHead | undefined>
  /** (queries, keys), or pooled to at most `most` of them, (side, side). "mask": 1 where a query may see a key, else 0. */
  map(
    run: number,
    part: PartName,
    kind: Exclude<MapKind, 'value' | 'output'> | 'mask',
    layer: number,
    head: number,
    most: number | undefined,
    pause: () => Promise<boolean>,
  ): Promise<Float32Array | undefined>
  /** The mean over heads, (count, 2) of layer and number: (queries, keys). */
  meanMap(
    run: number,
    part: PartName,
    weighing: (typeof weighed)[number],
    heads: Uint32Array,
    pause: () => Promise<boolean>,
  ): Promise<Float32Array | undefined>
  /** Of a layer, unrotated: queries (length, heads, head_size), then keys (length, key heads, head_size). */
  headRows(run: number, part: PartName, layer: number, pause: () => Promise<boolean>): Promise<Float32Array | undefined>
  /** Of a layer: (heads, 10). tokens: (length), negative for special ones. */
  statistics(
    run: number,
    part: PartName,
    layer: number,
    tokens: Float32Array,
    pause: () => Promise<boolean>,
  ): Promise<Float32Array | undefined>
  /** (length − 2, length − 2). ids: the run's. */
  contacts(run: number, ids: Uint32Array, pause: () => Promise<boolean>): Promise<Float32Array | undefined>
  /** JSON Candidate[]: what may come after the last row that the last run was asked for; settings: JSON Sampling. */
  candidates(settings: string): Promise<string>
  /** Begins to write on after ids; settings: JSON GenerationSettings. Runs, and reads of what they kept, may go between its tokens. */
  generate(ids: Uint32Array, settings: string): WasmGeneration
  /** A canvas for a GPU to paint on: on the CPU the worker does. */
  attach(canvas: OffscreenCanvas): void
  layout(cell: number, gap: number, stops: Uint8Array, ground: Uint8Array, order: Uint32Array): void
  gridPixels(painter: Backend): Promise<WasmPixels>
  /** The device by itself, which can be lost while the engine is at work. */
  device(): WasmDevice
  panic(): void
  free(): void
}

export interface WasmDevice {
  /** Destroys the device, as a driver's reset would. */
  lose(): void
}

interface Freed {
  free(): void
}

/** Used up by the run that it is given to. */
export interface WasmChange extends Freed {
  /** The run is of a text after this source. */
  after(source: Uint32Array): void
}

/** A model on its way. It can be filled while the engine runs another. */
export interface WasmLoading extends Freed {
  /** The next bytes behind the header. */
  push(chunk: Uint8Array): void
}

export interface WasmHead extends Freed {
  readonly attention: Float32Array
  readonly query: Float32Array
  readonly key: Float32Array
}

export interface WasmGeneration extends Freed {
  /** JSON GeneratedToken. `pause` as for a run. */
  next(pause: () => Promise<boolean>): Promise<string>
}

export interface WasmRun extends WasmHead {
  /** What it is asked about by. */
  readonly number: number
  /** Whether it was of another model than the file's, or shifted. */
  readonly changed: boolean
  readonly topIds: Uint32Array
  readonly topProbabilities: Float32Array
  readonly logits: Float32Array
  readonly logitsShape: Uint32Array
  /** (rows), NaN for none; empty without labels. */
  readonly losses: Float32Array
  /** (head_size / 2) */
  readonly theta: Float64Array
  /** JSON RunReport */
  readonly report: string
}

export interface WasmScore extends Freed {
  readonly parts: Float64Array
  readonly running: Float64Array
  readonly sweep: Float64Array
  readonly score: number
  readonly steepest: number
}

export interface WasmPixels extends Freed {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}
