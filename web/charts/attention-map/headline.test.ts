import { expect, test } from 'vitest'
import { patterns } from './pattern'
import { columnHeadline, headlineOf, largestColumn } from './headline'
import { headMap } from './model'

const of = { mean: 'head', layer: 2, head: 6, count: 1, withoutSpecial: false } as const

test('a pattern, with its numbers', () => {
  const pattern = { pattern: 'previous' as const, of: 21, do: 20, mean: 0.7512 }
  expect(headlineOf({ pattern, commonest: undefined, few: false, largest: 0.8 }, of)).toEqual({
    title: 'Head 2.6 looks one token back.',
    line: '20 of 21 tokens that have a token before them give it their largest weight: 0.75 on average here.',
  })
  const all = headlineOf({ pattern: { ...pattern, do: 21 }, commonest: undefined, few: false, largest: 0.8 }, of)
  expect(all.line).toMatch(/^All 21 tokens that have/)
})

test('no pattern: it spreads its weight, or picks single tokens', () => {
  const commonest = { pattern: 'twoBack' as const, of: 20, do: 9, mean: 0.25 }
  const title = (largest: number) => headlineOf({ pattern: undefined, commonest, few: false, largest }, of).title
  expect(title(0.11)).toBe('Head 2.6 spreads its weight: its largest is 0.11 on average.')
  expect(title(0.83)).toBe('Head 2.6 picks single tokens: its largest weight is 0.83 on average.')
  expect(headlineOf({ pattern: undefined, commonest, few: false, largest: 0.1 }, of).line).toContain('9 of 20')
})

test('every pattern has its words, and what is left out is said', () => {
  for (const pattern of patterns) {
    const headline = headlineOf(
      { pattern: { pattern, of: 8, do: 7, mean: 0.5 }, commonest: undefined, few: false, largest: 0.5 },
      { ...of, withoutSpecial: true },
    )
    expect(headline.line).toMatch(/7 of 8.*0\.50.*Special tokens are left out\.$/)
  }
})

test('a mean is said to be one', () => {
  const finding = { pattern: undefined, commonest: undefined, few: false, largest: 0.1 }
  const layer = headlineOf(finding, { ...of, mean: 'layer', count: 8 })
  expect(layer.title).toBe('The mean of layer 2 spreads its weight: its largest is 0.10 on average.')
  expect(layer.line).toContain('Measured on the mean of 8 maps')
  expect(headlineOf(finding, { ...of, mean: 'some', count: 3 }).title).toMatch(/^The mean of 3 heads/)
  const one = headlineOf(finding, { ...of, mean: 'some', count: 1 })
  expect(one.title).toMatch(/^The picked head/)
  expect(one.line).not.toContain('mean')
})

test('of a few tokens no place is denied', () => {
  const { line } = headlineOf({ pattern: undefined, commonest: undefined, few: true, largest: 0.9 }, of)
  expect(line).toBe('Too few tokens for a pattern.')
})

const names = ['[CLS]', 'the', 'cat']
const map = (values: readonly number[], causal = false) => headMap({ values: Float32Array.from(values), names, causal })
const subject = { mean: 'head', layer: 2, head: 6, count: 1, withoutSpecial: false } as const

test('the column with the largest sum', () => {
  expect(largestColumn(map([1, 0, 2, 1, 0, 4, 0, 1, 1]))).toEqual({ key: 2, share: 0.7 })
  // Masked cells do not count.
  expect(largestColumn(map([1, 9, 9, 1, 1, 9, 1, 0, 1], true))).toEqual({ key: 0, share: 0.6 })
  expect(largestColumn(map([0, 0, 0, 0, 0, 0, 0, 0, 0]))).toBeUndefined()
})

test('the headline says of what, and what weights alone would say', () => {
  const input = { map: map([]), kind: 'value', of: subject } as const
  const column = { key: 2, share: 0.7 }
  expect(columnHeadline({ column, byWeight: { key: 0, share: 0.4 } }, input)).toEqual({
    title: 'Head 2.6 takes most from cat 2: 70.0\u00a0% of all weight · ‖v‖.',
    line: 'By its weights alone [CLS] 0 would come first, with 40.0\u00a0%.',
  })
  const mean = { ...input, kind: 'output', of: { ...subject, mean: 'all', count: 48, withoutSpecial: true } } as const
  expect(columnHeadline({ column, byWeight: undefined }, mean)).toEqual({
    title: 'The mean of all 48 heads takes most from cat 2: 70.0\u00a0% of all weight · ‖v W‖.',
    line: 'Measured on the mean of 48 maps, which no head need look like. Special tokens are left out.',
  })
  expect(columnHeadline({ column, byWeight: { key: 2, share: 0.5 } }, input).line).toContain('it comes first, too')
})
