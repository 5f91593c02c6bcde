// Numbers, plurals and lists by the language of the page.
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

/** 0.123 as 12.3 %: no line ends before the sign, which Korean and Hungarian set without a space. */
export function percent(part: number, digits = 1): string {
  return `${decimal(part * 100, digits)}${numberLanguage() === 'en' ? '\u00a0' : ''}%`
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
export type PluralForms = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>

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
