// What the wordings of failures share.

import type { FailureCode, FailureParameters } from '../protocol/failure'
import { integer } from '../../i18n/numbers'

/** The engine’s failures by their codes: what is wrong, and what to do. */
export type Failures = { readonly [C in FailureCode]: (parameters: FailureParameters[C]) => string } & {
  /** The message of a crash without one. */
  noWorker: string
  /** A failure with parameters that its wording does not know. */
  unworded: (code: string) => string
}

/** Words for each kind of a union. */
export type Words<T extends { kind: string }> = {
  readonly [K in T['kind']]: (value: Extract<T, { kind: K }>) => string
}

/** The words of a value. */
export function wordsOf<T extends { kind: string }>(words: Words<T>, value: T): string {
  return words[value.kind as T['kind']](value as never)
}

/** Adds the full stop that messages of browsers and libraries often lack. */
export const withStop = (reason: string) => (/[.!?]$/.test(reason) ? reason : `${reason}.`)

/** A number as text: a large or small one with an exponent. */
export const numeral = (value: number) =>
  value !== 0 && (Math.abs(value) >= 1e9 || Math.abs(value) < 1e-6)
    ? value.toExponential().replace('+', '')
    : String(value)

/** An opcode as Python’s pickletools writes it. */
export const hexadecimal = (opcode: number) => `0x${opcode.toString(16).padStart(2, '0')}`

export const megabytes = (bytes: number) => `${integer(Math.ceil(bytes / 2 ** 20))} MB`
