// Three tokens with two numbers each for query, key and value.
export const tokens = 3
export const size = 2

/** What the numbers are at first. */
export const usual = '1,0.5,-0.5,1,0.8,-1,0.6,1,1.2,-0.4,-0.8,0.9,1,0,0,1,0.5,0.5'

export type Part = 'query' | 'key' | 'value'
export const parts: readonly Part[] = ['query', 'key', 'value']
export const masks = ['none', 'padding', 'causal', 'cross'] as const
export type Mask = (typeof masks)[number]

const largest = 9
const each = tokens * size

/** The numbers of a link: what is missing or makes no sense is as at first. */
export function readRows(written: string): number[] {
  const numbers = written.split(',').map((number) => (number.trim() === '' ? Number.NaN : Number(number)))
  return usual.split(',').map((usually, at) => {
    const number = numbers[at] ?? Number.NaN
    return Number.isFinite(number) ? Math.max(-largest, Math.min(largest, number)) : Number(usually)
  })
}

/** Where a token's number of a part stands among all; `order`: which token stands at each place. */
export const placeOf = (part: Part, token: number, at: number): number => parts.indexOf(part) * each + token * size + at

/** Which token stands at each place. */
export const orderOf = (written: string): number[] => [...written].map(Number)

/** All rows in the order in which the tokens stand. */
export function ordered(rows: readonly number[], order: readonly number[]): Float64Array {
  return Float64Array.from(
    parts.flatMap((part) => order.flatMap((token) => [0, 1].map((at) => rows[placeOf(part, token, at)] ?? 0))),
  )
}

/** Whether the query at place m sees the key at place n. In a padded row the last token is padding. */
export function visible(mask: Mask): boolean[] {
  return Array.from({ length: tokens * tokens }, (_, at) => {
    const [m, n] = [Math.floor(at / tokens), at % tokens]
    if (mask === 'causal') return n <= m
    return mask === 'none' || n < tokens - 1
  })
}
