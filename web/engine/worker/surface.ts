// What the WASM offers (src/web), as the worker uses it; the generated web/wasm/ropescope.d.ts must fit it.

import type { PartName } from '../protocol/parts'
import type { Backend, MapKind, TrialKind } from '../protocol/protocol'
import type { KeptAs } from '../protocol/weights'

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
  /** What Read's chapters show, by its name: src/web/mathematics.rs says what each takes and gives. Throws a Failure. */
  lesson(what: string, settings: Float64Array, rows: Float64Array): Float64Array
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
    layer: number,
    head: number,
    positionOffset: number,
    change: WasmChange,
    pause: () => Promise<boolean>,
  ): Promise<WasmRun>
  /**
   * A change for one run. muted: (entries, 4) of layer, head or 2³² − 1 for all, pair, and 0 to stop or 1 to cut it. off: (entries, 3) of
   * layer, head, and 0 for zero or 1 for the mean. labels: negative for none.
   */
  change(
    muted: Uint32Array,
    off: Uint32Array,
    labels: Int32Array,
    ropeScaling: string,
    rotaryValue: boolean,
    rotatesValues: boolean,
    logN: number | undefined,
    reach: number | undefined,
    beyondLength: boolean,
    attention: string,
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
  /** Chooses the part of an encoder–decoder whose heads are run, read and painted from now on. */
  part(name: PartName): void
  /** A head of a run, by its number: the newest one, the last one in which nothing was changed, or one beside them. Undefined: it is not there any more. `pause` as for a run. */
  head(run: number, layer: number, head: number, pause: () => Promise<boolean>): Promise<WasmHead | undefined>
  /**
   * Of such a run, of heads (count, 2) of layer and number: "weight", "value", "output", the mean over them, (length, length); other kinds of
   * a map, of the first of them; "mask", 1 where that one's queries may see a key, else 0; "small", that one's weights pooled to at most `given` queries and keys, (side, side); of all heads of its
   * layer: "rows", unrotated, of no run beside: queries (length, heads, head_size), then keys (length, key heads, head_size); "statistics" over
   * the `given` tokens (heads, 10); "contacts" of the `given` ids, (length − 2, length − 2). `pause` as for a run.
   */
  look(
    run: number,
    what: MapKind | 'mask' | 'small' | 'statistics' | 'rows' | 'contacts',
    heads: Uint32Array,
    given: Float32Array,
    pause: () => Promise<boolean>,
  ): Promise<Float32Array | undefined>
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
