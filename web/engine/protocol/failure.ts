import type { PartName } from './parts'
import type { Failure } from './protocol'

/** Memory that the engine allocates: `Allocation` of src/error/parameters.rs, as the unions that follow. */
export type Allocation =
  | 'weights'
  | 'weights-copy'
  | 'rotation-matrices'
  | 'activations'
  | 'activation'
  | 'results'
  | 'cache'
  | 'repetition-penalty'

/** What the self-check compares. */
export type SelfCheckResult = 'fills' | 'attention-map' | 'queries' | 'keys'

/** A list with an entry for each token, each prediction row or each text. */
export type InputList =
  'ids' | 'attention-mask' | 'token-types' | 'position-ids' | 'labels' | 'bans' | 'draws' | 'sources'

/** A JSON text that a caller writes. */
export type JsonText = 'rope-scaling' | 'sampling-settings'

/** What a setting is. */
export type Found =
  | { kind: 'missing' }
  | { kind: 'list'; length: number }
  | { kind: 'object' }
  | { kind: 'key'; key: string }
  | { kind: 'too-large' }
  | { kind: 'value'; value: string }

/** Where a setting does not run that runs elsewhere. */
export type Condition = { kind: 'setting'; key: string; value: string } | { kind: 'sliding-layers' }

/** What a setting must be. */
export type Expected =
  | { kind: 'number' }
  | { kind: 'number-from'; least: number }
  | { kind: 'number-above'; bound: number }
  | { kind: 'number-between'; least: number; most: number }
  | { kind: 'number-above-up-to'; bound: number; most: number }
  | { kind: 'more-than'; key: string }
  | { kind: 'integer-between'; least: number; most: number }
  | { kind: 'even-number-between'; least: number; most: number }
  | { kind: 'even-number' }
  | { kind: 'even-share'; dimensions: number }
  | { kind: 'other-than-one' }
  | { kind: 'flag' }
  | { kind: 'text' }
  | { kind: 'text-list' }
  | { kind: 'id-list' }
  | { kind: 'id-lists' }
  | { kind: 'ids'; most: number }
  | { kind: 'mask-token-id' }
  | { kind: 'object' }
  | { kind: 'object-with-object'; key: string }
  | { kind: 'label-names'; most: number }
  | { kind: 'label-numbers'; last: number }
  | { kind: 'entry-for-each-layer' }
  | { kind: 'factor-for-each-pair' }
  | { kind: 'one-for-each-pair'; pairs: number }
  | { kind: 'setting-of-one-rope' }
  | { kind: 'paired-columns'; before: number; after: number }

/** A form of weights that is not read: `FileForm` of weights/src/error/parameters.rs, as the unions that follow. */
export type FileForm =
  | { kind: 'unknown' }
  | { kind: 'misnamed-pickle' }
  | { kind: 'zip-without-pickle' }
  | { kind: 'torch-script' }
  | { kind: 'big-endian' }
  | { kind: 'overlapping-storages' }
  | { kind: 'conjugated-tensor' }
  | { kind: 'pickle-protocol'; protocol: number }
  | { kind: 'pickle-opcode'; opcode: number; at: number }
  | { kind: 'encrypted-entry'; entry: string }

/** What a pickle would do besides holding data. */
export type PickleAction =
  | { kind: 'use-name'; name: string }
  | { kind: 'make-sparse-tensor'; name: string }
  | { kind: 'make-quantised-tensor'; name: string }
  | { kind: 'make-object'; name: string }
  | { kind: 'make-object-by-opcode'; opcode: number }
  | { kind: 'use-extension' }
  | { kind: 'call-dtype'; dtype: string }
  | { kind: 'call-non-class' }
  | { kind: 'set-state' }

/** Why a tensor is not read. */
export type TensorDefect =
  { kind: 'same-name-twice' } | { kind: 'outside-storage' } | { kind: 'other-order'; shape: string; strides: string }

/** Why a JSON text cannot be read, and where the reader stopped. */
export type JsonDefect =
  | { kind: 'syntax'; line: number; column: number }
  | { kind: 'end-of-text'; line: number; column: number }
  | { kind: 'wrong-value'; line: number; column: number }
  | { kind: 'duplicate-key'; key: string; line: number; column: number }
  | { kind: 'too-large' }

/** Why a file is no file of weights. */
export type FileDefect =
  | { kind: 'no-header' }
  | { kind: 'header-not-json'; defect: JsonDefect }
  | { kind: 'tensor-type'; tensor: string }
  | { kind: 'tensor-place'; tensor: string }
  | { kind: 'tensor-size'; tensor: string; bytes: number; shape: readonly number[]; dtype: string }
  | { kind: 'reserved-name' }
  | { kind: 'trailing-bytes'; bytes: number }
  | { kind: 'too-large' }
  | { kind: 'shared-numbers'; most: number }
  | { kind: 'broken-pickle' }
  | { kind: 'zip-directory' }
  | { kind: 'zip-entry'; entry: string }
  | { kind: 'twice'; name: string }
  | { kind: 'missing-storage'; storage: string }
  | { kind: 'storage-length'; storage: string }
  | { kind: 'storage-without-tensor'; storage: string }

/** Why an index of weights is not read. */
export type IndexDefect =
  | { kind: 'not-json'; defect: JsonDefect }
  | { kind: 'too-large' }
  | { kind: 'no-weight-map' }
  | { kind: 'other-name'; name: string }

/** The parameters of each failure of the engine, by its code; of Rust's errors the fields (src/error/mod.rs, weights/src/error.rs). */
export interface FailureParameters {
  // Of the worker and the client.
  wasm: { reason: string }
  restarted: object
  'no-engine': object
  'too-many-angles': { positions: number; pairs: number; limit: number }
  'invalid-distance': { distance: number }

  // A model's files.
  'no-files': object
  'missing-config': object
  /** `marian`: the folder has Marian's own files instead. */
  'missing-tokenizer': { marian: boolean }
  'sharded-weights': { name: string }
  /** `name`: a safetensors file with another name. */
  'missing-weights': { name?: string }
  /** `path`: its address, of a published model. */
  'missing-file': { name: string; path?: string }
  /** Without a name: the module that reads PyTorch's files. `status`: of HTTP. */
  'fetch-failed': { name?: string; status?: number; reason?: string }
  'read-failed': { name: string; reason: string }
  pickle: object
  truncated: { file?: string; expected: number; found: number }
  'malformed-checkpoint': { file?: string; defect: FileDefect }
  'missing-tensor': { name: string }
  'wrong-shape': { name: string; expected: readonly number[]; found: readonly number[] }
  'unsupported-dtype': { name: string; dtype: string }
  'missing-shard': { index: string; name: string; others: number }
  'invalid-index': { index: string; defect: IndexDefect }
  'misplaced-tensor': { index: string; tensor: string; file: string }
  'tensor-twice': { tensor: string; first: string; second: string }
  'several-weights': { names: string }
  'other-weights': { file: string; what: FileForm }
  'compressed-weights': { file: string; entry: string }
  'pickle-call': { file: string; what: PickleAction; under: string | null }
  'invalid-tensor': { file: string; tensor: string; defect: TensorDefect }
  'no-tensors': { file: string; keys: readonly string[] }

  'beyond-format': { name: string; format: string }

  // config.json.
  'config-not-json': { defect: JsonDefect }
  'invalid-config-value': { key: string; found: Found; expected: Expected }
  unsupported: { key: string; found: Found; condition: Condition | null; supported: string }
  'odd-head-size': { hidden_size: number; heads: number; head_size: number }
  'heads-do-not-divide': { hidden_size: number; heads: number }
  'key-heads-do-not-divide': { heads: number; key_heads: number }
  'unsupported-rope': { found: string }
  'invalid-rope-value': { key: string; found: Found; expected: Expected }
  'rope-not-finite': object

  // Requests.
  'id-out-of-vocabulary': { id: number; row: number; position: number; vocab_size: number }
  'token-type-out-of-range': { id: number; row: number; position: number; type_vocab_size: number }
  'text-too-long': { length: number; longest: number; stretches: boolean }
  'label-out-of-vocabulary': { label: number; row: number; vocab_size: number }
  'wrong-count': { list: InputList; found: number; expected: number }
  'invalid-mask': { row: number; position: number }
  'only-padding': { row: number }
  'position-out-of-range': { id: number; length: number }
  'row-out-of-range': { row: number; tokens: number }
  'top-k-out-of-range': { top_k: number; most: number }
  'no-labels': object
  'no-texts': object
  'empty-text': object
  'offset-too-large': { offset: number; largest: number }
  'source-missing': { architecture: string }
  'source-unexpected': { architecture: string }
  'not-causal': { architecture: string }
  'no-part': { architecture: string; part: PartName }
  'head-out-of-range': { part: PartName; layer: number; head: number; layers: number; heads: number }
  'no-rotation': { architecture: string }
  'invalid-intervention': { text: string }
  'wrong-replacement': { site: string; numbers: string }
  'pairs-out-of-range': { first: number; last: number; pairs: number }
  'unknown-site': { text: string }
  'invalid-site-index': { text: string; axes: number }
  'site-out-of-range': { site: string; layers: number }
  'site-row-out-of-range': { site: string; length: number }
  'unsupported-tap': { site: string; taps: string }
  'no-such-tensor': { site: string }
  'invalid-log-n': { n: string }
  'clamped-distances-with-changed-pairs': object
  'no-softmax': object
  'setting-of-roformer': { setting: string; architecture: string }
  'positions-from-table': object
  'trial-size-out-of-range': { longest: number; largest: number }
  'trial-too-large': { length: number; head_size: number; needed: number; limit: number }
  'no-variants': object
  'weights-not-loaded': object
  'invalid-json': { text: JsonText; defect: JsonDefect }
  'no-room-for-tokens': { max_length: number; prompt: number }
  'text-ended': object
  'no-mask': { mask_token: string }
  'no-vocabulary-head': { architecture: string }
  'invalid-sampling-setting': { key: string; found: Found; expected: Expected }
  'no-candidates': object
  'logits-not-finite': object
  cancelled: object
  stale: object
  busy: object

  // Questions about a run.
  'no-model': object
  'nothing-to-continue': object
  'no-heads': object
  'no-contact-head': object
  'rotation-before-feature-map': object
  'rotation-of-changed-pairs': object
  'no-norm-of-rotated-values': object
  'comparison-too-large': { needed: number; limit: number }
  'different-shapes': { name: string; before: readonly number[]; now: readonly number[] }
  'layers-out-of-range': { part: PartName; first: number; last: number; layers: number }
  'mean-of-no-head': object
  'mean-of-several-parts': object
  'rollout-of-cross-attention': object
  'norms-of-several-texts': { batch: number }
  'no-picture': object
  'no-gpu-painter': object
  'unknown-name': { enumeration: string; names: string }
  'rollout-too-long': { longest: number; batch: number; length: number }

  // Explanations.
  'site-of-many-numbers': { site: string; axes: string }
  'site-index-out-of-range': { site: string; axis: string; size: number }
  'not-explained': { site: string }
  'explains-one-text': { texts: number }
  'explanation-too-large': object
  'explains-no-interventions': object

  // The device.
  'no-adapter': { reason: string }
  'software-adapter': { adapter: string }
  'no-f16': { device: string }
  'device-refused': { reason: string }
  'self-check-failed': { adapter: string; what: SelfCheckResult }
  /** Without a reason: while a model was loading. */
  'device-lost': { reason?: string }
  'out-of-memory': { what: Allocation; needed: number; limit: number }
  'device-out-of-memory': { what: Allocation; needed: number }
  'memory-refused': { what: Allocation; needed: number }
  'too-many-maps': { needed: number; limit: number }
  'file-too-large': { needed: number; limit: number }
  'sites-too-large': { needed: number; limit: number }
  'row-too-large': { name: string; bytes: number; limit: number }
  'canvas-refused': object
  gpu: { reason: string }

  // Mistakes of the engine, in English: they are for those who mend it.
  internal: { reason: string }
  'shape-mismatch': { op: string; message: string }
}

export type FailureCode = keyof FailureParameters

export function isFailure(error: unknown): error is Failure {
  return (
    typeof error === 'object' &&
    error !== null &&
    typeof (error as Failure).code === 'string' &&
    typeof (error as Failure).message === 'string' &&
    !(error instanceof DOMException)
  )
}

/** Whether the engine restarted or ended, which the page says once, not of each request. */
export const isOfEngine = ({ code }: Failure): boolean => code === 'restarted' || code === 'no-engine'

/** A failure of the engine, which `withMessage` (engine/client/words.ts) words by its code and parameters. */
export function engineFailure<C extends FailureCode>(
  code: C,
  parameters: FailureParameters[C],
  retryable = false,
): Failure {
  return { code, message: code, retryable, parameters: { ...parameters } }
}

/** A failure with a message of its own. A function is called at each reading: it follows the language of the page. */
export function failure(code: string, message: string | (() => string), retryable = false): Failure {
  if (typeof message === 'string') return { code, message, retryable }
  return {
    code,
    get message() {
      return message()
    },
    retryable,
  }
}

/** Any thrown value as text. */
export function textOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name
  if (isFailure(error)) return error.message
  if (typeof error === 'string') return error
  try {
    return JSON.stringify(error) ?? String(error)
  } catch {
    return String(error)
  }
}
