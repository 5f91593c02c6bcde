import type { Failure } from '../protocol/protocol'
import type { FailureCode } from '../protocol/failure'
import { t } from './failures.en'

/** The message of a crash without one. */
export const noWorker = () => t().noWorker

/**
 * A failure with a message for people, in the language of the page when it is read. The engine's failures are a code with parameters; others
 * have a message already.
 */
export function withMessage(failure: Failure): Failure {
  const { code, parameters } = failure
  if (!parameters || !isCode(code)) return failure
  return {
    ...failure,
    get message() {
      try {
        return t()[code](parameters as never)
      } catch {
        // The engine is of another build, and has other parameters: a getter that throws would stop the page.
        return t().unworded(code)
      }
    },
  }
}

const isCode = (code: string): code is FailureCode =>
  code !== 'noWorker' && code !== 'unworded' && Object.hasOwn(t(), code)
