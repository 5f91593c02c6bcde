import type { Failure } from './protocol'

/** The parameters of each failure of the engine, by its code; of Rust's errors the fields (src/error.rs, weights/src/error.rs). */
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
  'file-not-found': { path: string }
  io: { path: string; reason: string }
  pickle: object
  'cut-short': { file?: string; expected: number; found: number }
  'malformed-checkpoint': { file?: string; reason: string }
  'missing-tensor': { name: string }
  'wrong-shape': { name: string; expected: readonly number[]; found: readonly number[] }
  'unsupported-dtype': { name: string; dtype: string }
  'missing-shard': { index: string; name: string; others: number }
  index: { index: string; reason: string }
  'misplaced-tensor': { index: string; tensor: string; file: string }
  'tensor-twice': { tensor: string; first: string; second: string }
  'several-weights': { names: string }
  'other-weights': { file: string; what?: string }
  'compressed-weights': { file: string; entry: string }
  'pickle-call': { file: string; what: string; under: string | null }
  tensor: { file: string; tensor: string; what: string; remedy: string }
  'no-tensors': { file: string; keys: readonly string[] }

  // config.json.
  'beyond-format': { name: string; format: string }
  'config-not-json': { reason: string }
  'config-value': { key: string; found: string; expected: string }
  unsupported: { key: string; found: string; supported: string }
  'odd-head-size': { hidden_size: number; heads: number; head_size: number }
  'heads-do-not-divide': { hidden_size: number; heads: number }
  'key-heads-do-not-divide': { heads: number; key_heads: number }
  'unsupported-rope': { found: string }
  'rope-value': { key: string; found: string; expected: string }
  'rope-not-finite': object

  // Requests.
  'id-out-of-vocabulary': { id: number; row: number; position: number; vocab_size: number }
  'token-type-out-of-range': { id: number; row: number; position: number; type_vocab_size: number }
  'text-too-long': { length: number; longest: number; stretches: boolean }
  'label-out-of-vocabulary': { label: number; row: number; vocab_size: number }
  'invalid-input': { reason: string }
  'empty-text': object
  'offset-too-large': { offset: number; largest: number }
  'source-missing': { architecture: string }
  'source-unexpected': { architecture: string }
  'not-causal': { architecture: string }
  'no-part': { architecture: string; part: string }
  'head-out-of-range': { part: string; layer: number; head: number; layers: number; heads: number }
  'no-rotation': { architecture: string }
  'log-n': { n: string }
  'clamped-pairs': object
  'no-softmax': object
  'setting-of-roformer': { setting: string; architecture: string }
  'positions-from-table': object
  'trial-size': { longest: number; largest: number }
  'trial-too-large': { length: number; head_size: number; needed: number; limit: number }
  'no-mask': { mask_token: string }
  'no-vocabulary-head': { architecture: string }
  tokenizer: { path: string; reason: string }
  'sampling-setting': { key: string; found: string; expected: string }
  'no-candidates': { reason: string }
  cancelled: object
  stale: object
  busy: object

  // Questions about a run.
  'no-model': object
  'nothing-to-continue': object
  'no-heads': object
  'no-contact-head': object
  'rotation-before-feature-map': object
  'changed-pairs': object
  'rotated-values': object
  'comparison-too-large': { needed: number; limit: number }
  'rollout-too-long': { longest: number; batch: number; length: number }

  // The device.
  'no-adapter': { reason: string }
  'device-refused': { reason: string }
  'self-check': { adapter: string; what: string }
  /** Without a reason: while a model was loading. */
  'device-lost': { reason?: string }
  'out-of-memory': { what: string; needed: number; limit: number }
  'device-memory': { what: string; needed: number }
  'memory-refused': { what: string; needed: number }
  'too-many-maps': { needed: number; limit: number }
  'file-too-large': { needed: number; limit: number }
  'row-too-large': { name: string; bytes: number; limit: number }
  gpu: { reason: string }
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

/** A failure of the engine, which `withMessage` (engine/client/failures.ts) words by its code and parameters. */
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
