// Numbers, plurals and lists by the visitor's language.

let language = 'en'
let plurals = new Intl.PluralRules(language)
let lists = new Intl.ListFormat(language, { type: 'conjunction' })

/** From now on numbers, plurals and lists are of this language. */
export function writeIn(other: string): void {
  if (other === language) return
  language = other
  plurals = new Intl.PluralRules(language)
  lists = new Intl.ListFormat(language, { type: 'conjunction' })
}

const cached = new Map<string, Intl.NumberFormat>()

function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options)
  const found = cached.get(key) ?? new Intl.NumberFormat(language, options)
  cached.set(key, found)
  return found
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

/** 0.123 as 12.3 %: no line ends before the sign. */
export function percent(part: number, digits = 1): string {
  return `${decimal(part * 100, digits)}\u00a0%`
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

/** `one` for a count of one, as the language counts, else `other`. */
export function plural(count: number, one: string, other: string): string {
  return plurals.select(count) === 'one' ? one : other
}

/** one, two, and three */
export function list(words: readonly string[]): string {
  return lists.format(words)
}
