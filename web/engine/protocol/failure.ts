import { said } from '../../i18n/worker'
import type { Failure } from './protocol'

export function isFailure(error: unknown): error is Failure {
  return (
    typeof error === 'object' &&
    error !== null &&
    typeof (error as Failure).code === 'string' &&
    typeof (error as Failure).message === 'string' &&
    !(error instanceof DOMException)
  )
}

/** A failure of our own making, with a message for people. */
export function failure(code: string, message: string, retryable = false): Failure {
  return { code, message, retryable }
}

/** What needs an engine where none has started. */
export function noEngine(): Failure {
  return failure('no-engine', said.failures.noEngine, true)
}

/** Whatever was thrown, as text; never "[object Object]". */
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
