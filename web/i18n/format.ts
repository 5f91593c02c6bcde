// How numbers are written, by the language: a true minus, digit groups, and no more digits than the number deserves.
import { compact, decimal, integer, signedDecimal, significant } from './numbers'
import { percent as percentOf } from './numbers'

/** An attention weight or probability, 0 … 1. */
export function weight(value: number): string {
  if (value === 0) return '0'
  if (value < 0.001) return `< ${decimal(0.001, 3)}`
  return decimal(value, value < 0.0995 ? 3 : 2)
}

/** A score or a part of one, with its sign always shown. */
export function signed(value: number): string {
  return Math.abs(value) < 0.005 ? decimal(0, 2) : signedDecimal(value, 2)
}

/** A score or a bound. */
export function score(value: number): string {
  return decimal(Math.abs(value) < 0.005 ? 0 : value, 2)
}

/** A wavelength in positions: 6.3, 62.8, 1,117, 16.1M; ∞ where nothing turns. */
export function wavelength(value: number): string {
  if (value === Infinity) return '∞'
  if (value < 99.95) return decimal(value, 1)
  return value < 999_999.5 ? integer(value) : compact(value, 3)
}

/** A count or position. */
export function count(value: number): string {
  return integer(value)
}

/** A number of no particular kind, such as an axis tick. */
export function plain(value: number): string {
  return significant(value, 4)
}

/** An angle in degrees. */
export function degrees(radians: number): string {
  return `${decimal((radians * 180) / Math.PI, 1)}°`
}

/** Full turns of an angle in radians. */
export function turns(radians: number): string {
  const turns = radians / (2 * Math.PI)
  return decimal(turns, Math.abs(turns) < 10 ? 2 : 1)
}

/** A number for a table or a CSV file: every digit a 32-bit float holds, without digit groups. */
export function exact(value: number): string {
  return String(Number(value.toPrecision(7)))
}

/** A probability as 12.3 %. */
export const percent = (probability: number) => percentOf(probability)

/** A token with its position. */
export const tokenName = (token: string, position: number): string => `${token} ${position}`

/** A head as "L2·H6", wherever a person reads it. Links, command lines and files have 2.6. */
export const headName = ({ layer, head }: { layer: number; head: number }): string => `L${layer}·H${head}`

/** An upper bound of a small number, with one digit: 3.4e-7 is at most 0.0000004. */
export function atMost(value: number): string {
  if (value <= 0) return '0'
  const exponent = Math.floor(Math.log10(value))
  // A number of one digit is its own bound: only rounding is subtracted.
  const digit = Math.ceil(value / 10 ** exponent - 1e-9)
  const [first, place] = digit === 10 ? [1, exponent + 1] : [digit, exponent]
  return decimal(first * 10 ** place, Math.max(0, -place))
}

/** A small difference, with two significant digits. */
export function difference(value: number): string {
  if (value === 0) return '0'
  return decimal(value, Math.min(12, Math.max(2, 1 - Math.floor(Math.log10(value)))))
}

/** With a capital at its beginning. */
export const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** ± and an error, with as many digits as its difference. */
export const margin = (error: number | undefined, difference: number): string =>
  error === undefined ? '' : ` ± ${decimal(error, Math.abs(difference) < 0.0995 ? 3 : 2)}`
