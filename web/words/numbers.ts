// Numbers, plurals and lists by the visitor's language.

const language = 'en'

const cached = new Map<string, Intl.NumberFormat>()

function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options)
  const found = cached.get(key) ?? new Intl.NumberFormat(language, options)
  cached.set(key, found)
  return found
}

/** With so many digits behind the point, always. */
export function decimal(value: number, digits: number): string {
  return formatter({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
}

/** 0.123 as 12.3 %: no line ends before the sign. */
export function percent(part: number, digits = 1): string {
  return `${decimal(part * 100, digits)}\u00a0%`
}

export function integer(value: number): string {
  return formatter({ maximumFractionDigits: 0 }).format(value)
}

const plurals = new Intl.PluralRules(language)

/** `one` for a count of one, as the language counts, else `other`. */
export function plural(count: number, one: string, other: string): string {
  return plurals.select(count) === 'one' ? one : other
}

const lists = new Intl.ListFormat(language, { type: 'conjunction' })

/** one, two, and three */
export function list(words: readonly string[]): string {
  return lists.format(words)
}
