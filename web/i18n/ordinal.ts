import { integer } from './numbers'

const rules = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** first, second, third, 4th, … 21st. */
export function ordinal(rank: number): string {
  return ['first', 'second', 'third'][rank - 1] ?? `${integer(rank)}${endings[rules.select(rank)] ?? 'th'}`
}
