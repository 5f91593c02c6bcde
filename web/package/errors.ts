import { isFailure, textOf } from '../engine/protocol/failure'
import type { Failure } from '../engine/protocol/protocol'
import { withMessage } from '../engine/client/words'

/** A failure: a sentence for people, a code for programs. */
export class RopescopeError extends Error implements Failure {
  override readonly name = 'RopescopeError'
  /** The kind of failure: "config", "tokenizer", "missing-file", "fetch-failed", "too-long", "disposed", … */
  readonly code: string
  /** Whether trying again, unchanged, can help. */
  readonly retryable: boolean
  /** The values in the message, by name. */
  readonly parameters: Readonly<Record<string, unknown>>

  constructor({ code, message, retryable, parameters = {} }: Failure) {
    super(message)
    this.code = code
    this.retryable = retryable
    this.parameters = parameters
  }
}

/** A thrown value as an error. An error of another kind, as an abort's reason, stays as it is. */
export function asError(reason: unknown): Error {
  if (reason instanceof Error) return reason
  if (isFailure(reason)) return new RopescopeError(withMessage(reason))
  return new RopescopeError({ code: 'internal', message: textOf(reason), retryable: false })
}

export function error(code: string, message: string, retryable = false): RopescopeError {
  return new RopescopeError({ code, message, retryable })
}
