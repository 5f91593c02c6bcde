import { expect, test } from 'vitest'
import { map as words } from '../../i18n/en/map'
import { habits } from './headline'
import { headlineOf } from './say'

const of = { mean: 'head', layer: 2, head: 6, count: 1, withoutSpecial: false } as const

test('a habit, with its numbers', () => {
  const habit = { habit: 'previous' as const, of: 21, do: 20, mean: 0.7512 }
  expect(headlineOf({ habit, commonest: undefined, few: false, largest: 0.8 }, of, words)).toEqual({
    title: 'Head 2.6 looks one token back.',
    line: '20 of 21 tokens that have a token before them give it their largest weight: 0.75 on average here.',
  })
  const all = headlineOf({ habit: { ...habit, do: 21 }, commonest: undefined, few: false, largest: 0.8 }, of, words)
  expect(all.line).toMatch(/^All 21 tokens that have/)
})

test('no habit: it spreads its weight, or picks single tokens', () => {
  const commonest = { habit: 'twoBack' as const, of: 20, do: 9, mean: 0.25 }
  const title = (largest: number) => headlineOf({ habit: undefined, commonest, few: false, largest }, of, words).title
  expect(title(0.11)).toBe('Head 2.6 spreads its weight: its largest is 0.11 on average.')
  expect(title(0.83)).toBe('Head 2.6 picks single tokens: its largest weight is 0.83 on average.')
  expect(headlineOf({ habit: undefined, commonest, few: false, largest: 0.1 }, of, words).line).toContain('9 of 20')
})

test('every habit has its words, and what is left out is said', () => {
  for (const habit of habits) {
    const said = headlineOf(
      { habit: { habit, of: 8, do: 7, mean: 0.5 }, commonest: undefined, few: false, largest: 0.5 },
      { ...of, withoutSpecial: true },
      words,
    )
    expect(said.line).toMatch(/7 of 8.*0\.50.*Special tokens are left out\.$/)
  }
})

test('a mean is said to be one', () => {
  const finding = { habit: undefined, commonest: undefined, few: false, largest: 0.1 }
  const layer = headlineOf(finding, { ...of, mean: 'layer', count: 8 }, words)
  expect(layer.title).toBe('The mean of layer 2 spreads its weight: its largest is 0.10 on average.')
  expect(layer.line).toContain('Measured on the mean of 8 maps')
  expect(headlineOf(finding, { ...of, mean: 'some', count: 3 }, words).title).toMatch(/^The mean of 3 heads/)
  const one = headlineOf(finding, { ...of, mean: 'some', count: 1 }, words)
  expect(one.title).toMatch(/^The picked head/)
  expect(one.line).not.toContain('mean')
})

test('of a few tokens no place is denied', () => {
  const { line } = headlineOf({ habit: undefined, commonest: undefined, few: true, largest: 0.9 }, of, words)
  expect(line).toBe('Too few tokens to tell a habit.')
})
