// Numbers, plurals and lists by the language of the page: a true minus, digit groups, and no more digits than the number deserves.
import { numberLanguage } from './messages.svelte'

const formatters = new Map<string, Intl.NumberFormat>()
const plurals = new Map<string, Intl.PluralRules>()
const lists = new Map<string, Intl.ListFormat>()

/** What is there under this key, or is made now. */
function cached<T>(all: Map<string, T>, key: string, make: () => T): T {
  const found = all.get(key) ?? make()
  all.set(key, found)
  return found
}

function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const locale = numberLanguage()
  return cached(formatters, locale + JSON.stringify(options), () => new Intl.NumberFormat(locale, options))
}

/** With a true minus, and no sign before a zero. */
function written(value: number, options: Intl.NumberFormatOptions): string {
  return formatter({ signDisplay: 'negative', ...options })
    .format(value)
    .replace('-', '−')
}

/** With so many digits behind the point, always. */
export function decimal(value: number, digits: number): string {
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** The same, with its sign always shown. */
export function signedDecimal(value: number, digits: number): string {
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: 'always' })
}

/** 0.123 as 12.3 %, with at most three digits that count: no line ends before the sign, which Korean and Hungarian set without a space. */
export function percent(part: number, digits = 1): string {
  const sign = `${numberLanguage() === 'en' ? '\u00a0' : ''}%`
  const [amount, least] = [part * 100, 10 ** -digits]
  if (amount > 0 && amount < least / 2) return `< ${decimal(least, digits)}${sign}`
  const isRound = amount === 0 || Math.abs(amount) >= 99.95
  return `${decimal(amount, isRound ? 0 : digits)}${sign}`
}

export function integer(value: number): string {
  return written(value, { maximumFractionDigits: 0 })
}

/** With at most so many digits that count: 0.5, 8,192. */
export function significant(value: number, digits: number): string {
  return written(value, { maximumSignificantDigits: digits })
}

/** Shortened by the language's own word for thousands or millions: 16.1M. */
export function compact(value: number, digits: number): string {
  return written(value, { maximumSignificantDigits: digits, notation: 'compact' })
}

/** The forms of a word by `Intl.PluralRules`' categories. `other` stands for those that are left out. */
type PluralForms = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>

/** The form that a count takes in the language. */
export function plural(count: number, forms: PluralForms): string {
  const locale = numberLanguage()
  const rules = cached(plurals, locale, () => new Intl.PluralRules(locale))
  return forms[rules.select(count)] ?? forms.other
}

/** one, two and three: as the page's English writes it, without a comma before "and". */
export function list(words: readonly string[]): string {
  const locale = numberLanguage() === 'en' ? 'en-GB' : numberLanguage()
  return cached(lists, locale, () => new Intl.ListFormat(locale, { type: 'conjunction' })).format(words)
}

const ordinalRules = new Intl.PluralRules('en', { type: 'ordinal' })
const ordinalEndings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** In English: first, second, third, 4th, … 21st. */
export function ordinal(rank: number): string {
  return (
    ['first', 'second', 'third'][rank - 1] ?? `${integer(rank)}${ordinalEndings[ordinalRules.select(rank)] ?? 'th'}`
  )
}

/** In Hungarian: the definite article before a number in digits, by how it is read: az 1, a 2, az 5, az 1 000 (ezer), a 10 (tíz). */
export function the(number: number): 'a' | 'az' {
  const digits = String(Math.abs(Math.trunc(number)))
  return digits.startsWith('5') || (digits.startsWith('1') && digits.length % 3 === 1) ? 'az' : 'a'
}

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

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes in decimal units: 9.3 MB. */
export function byteCount(bytes: number): string {
  const unit = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** unit
  return `${decimal(value, value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`
}
