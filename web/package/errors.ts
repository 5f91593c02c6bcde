import { isFailure, textOf } from '../engine/protocol/failure'
import type { Failure } from '../engine/protocol/protocol'
import { inWords } from '../i18n/failures'

/** What goes wrong, in words for people, with a code for programs. */
export class RopescopeError extends Error implements Failure {
  override readonly name = 'RopescopeError'
  /** The kind of failure: "config", "tokenizer", "missing-file", "fetch-failed", "too-long", "disposed", … */
  readonly code: string
  /** Whether trying again, unchanged, can help. */
  readonly retryable: boolean
  /** What the message is about, by name, where the engine says it. */
  readonly parameters: Readonly<Record<string, unknown>>

  constructor({ code, message, retryable, parameters = {} }: Failure) {
    super(message)
    this.code = code
    this.retryable = retryable
    this.parameters = parameters
  }
}

/** Whatever was thrown, as an error of this package; errors of others (an abort's reason) stay what they are. */
export function asError(reason: unknown): Error {
  if (reason instanceof Error) return reason
  if (isFailure(reason)) return new RopescopeError(inWords(reason))
  return new RopescopeError({ code: 'internal', message: textOf(reason), retryable: false })
}

export function error(code: string, message: string, retryable = false): RopescopeError {
  return new RopescopeError({ code, message, retryable })
}
