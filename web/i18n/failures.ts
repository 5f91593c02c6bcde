import type { Failure } from '../engine/protocol/protocol'
import { failures, noWorker } from './en/failures'

export { noWorker }

/** A failure with a message for people: the engine's cross as a code with parameters, all others bring their message along. */
export function inWords(failure: Failure): Failure {
  const { code, parameters } = failure
  const say = Object.hasOwn(failures, code) ? failures[code as keyof typeof failures] : undefined
  return say && parameters ? { ...failure, message: say(parameters as never) } : failure
}
