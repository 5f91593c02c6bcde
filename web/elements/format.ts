// How numbers are written: a true minus, digit groups, and no more digits than the number deserves.
import { format } from 'd3-format'
import { percent as percentOf } from '../words/numbers'

const twoDigits = format(',.2f')
const threeDigits = format(',.3f')
const oneDigit = format(',.1f')
const whole = format(',.0f')
const signedTwoDigits = format('+,.2f')
const millions = format(',.3~s')
const general = format(',.4~r')

/** An attention weight or probability, 0 … 1. */
export function weight(value: number): string {
  if (value === 0) return '0'
  if (value < 0.001) return '< 0.001'
  return value < 0.0995 ? threeDigits(value) : twoDigits(value)
}

/** A score or a part of one, with its sign always shown. */
export function signed(value: number): string {
  return Math.abs(value) < 0.005 ? '0.00' : signedTwoDigits(value)
}

/** A score or a bound. */
export function score(value: number): string {
  return twoDigits(Math.abs(value) < 0.005 ? 0 : value)
}

/** A wavelength in positions: 6.3, 62.8, 1,117, 16.1M; ∞ where nothing turns. */
export function wavelength(value: number): string {
  if (value === Infinity) return '∞'
  if (value < 99.95) return oneDigit(value)
  return value < 999_999.5 ? whole(value) : millions(value)
}

/** A count or position. */
export function count(value: number): string {
  return whole(value)
}

/** A number of no particular kind, such as an axis tick. */
export function plain(value: number): string {
  return general(value)
}

/** An angle in degrees. */
export function degrees(radians: number): string {
  return `${oneDigit((radians * 180) / Math.PI)}°`
}

/** Full turns made by an angle in radians. */
export function turns(radians: number): string {
  const made = radians / (2 * Math.PI)
  return Math.abs(made) < 10 ? twoDigits(made) : oneDigit(made)
}

/** A number for a table or a CSV file: every digit a 32-bit float holds, without digit groups. */
export function exact(value: number): string {
  return String(Number(value.toPrecision(7)))
}

/** A probability as 12.3 %. */
export const percent = (probability: number) => percentOf(probability)
