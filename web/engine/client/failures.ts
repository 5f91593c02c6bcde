import type { Failure } from '../protocol/protocol'
import { t } from './failures.en'

/** A crash that says nothing of itself. */
export const noWorker = () => t().noWorker

/** A failure with a message for people: the engine's cross as a code with parameters, all others bring their message along. */
export function withMessage(failure: Failure): Failure {
  const { code, parameters } = failure
  const failures = t()
  const write = Object.hasOwn(failures, code) ? failures[code as keyof typeof failures] : undefined
  return typeof write === 'function' && parameters ? { ...failure, message: write(parameters as never) } : failure
}
