import { afterEach, expect, test, it } from 'vitest'
import {
  atMost,
  degrees,
  difference,
  exact,
  percent,
  plain,
  score,
  signed,
  turns,
  wavelength,
  weight,
  the,
} from './numbers'
import { switchLanguage } from './messages.svelte'

afterEach(() => switchLanguage('en'))

test('weights keep two digits that say something', () => {
  expect([0, 0.00004, 0.0042, 0.0823, 0.41, 1].map(weight)).toEqual(['0', '< 0.001', '0.004', '0.082', '0.41', '1.00'])
})

test('scores carry a true minus and never a signed zero', () => {
  expect([3.104, -0.2, 0.001, -0.001].map(signed)).toEqual(['+3.10', '−0.20', '0.00', '0.00'])
  expect([11.04, -0.001].map(score)).toEqual(['11.04', '0.00'])
})

test('wavelengths shorten as they grow', () => {
  expect([6.2832, 62.83, 99.96, 1117.3, 16_100_000, Infinity].map(wavelength)).toEqual([
    '6.3',
    '62.8',
    '100',
    '1,117',
    '16.1M',
    '∞',
  ])
})

test('angles in degrees and turns', () => {
  expect(degrees(Math.PI)).toBe('180.0°')
  expect(turns(9)).toBe('1.43')
  expect(turns(1500)).toBe('238.7')
})

test('ticks and table numbers', () => {
  expect([0, 0.5, 8192, -32].map(plain)).toEqual(['0', '0.5', '8,192', '−32'])
  expect(exact(Math.fround(0.1))).toBe('0.1')
})

test('a share and its sign stay on one line', () => {
  expect([0, 0.0001, 0.1234, 0.9994, 0.9996, 1].map((share) => percent(share))).toEqual([
    '0\u00a0%',
    '< 0.1\u00a0%',
    '12.3\u00a0%',
    '99.9\u00a0%',
    '100\u00a0%',
    '100\u00a0%',
  ])
})

test.each([
  ['ko', '< 0.001', '12.3%'],
  ['hu', '< 0,001', '12,3%'],
] as const)(
  'in %s a small weight has the decimal mark of the language, and % no space',
  async (language, small, share) => {
    await switchLanguage(language)
    expect([weight(0.0004), percent(0.1234)]).toEqual([small, share])
  },
)

test('a bound has one digit and stays true, a difference two', () => {
  expect([3.4e-7, 4e-7, 0, 9.5e-7].map(atMost)).toEqual(['0.0000004', '0.0000004', '0', '0.000001'])
  expect([3.44e-7, 0.312].map(difference)).toEqual(['0.00000034', '0.31'])
})

it('the article of a number is that of its first sound', () => {
  const long = [1, 5, 50, 59, 512, 1000, 1984, 5000, 1_000_000]
  const short = [0, 2, 3, 4, 6, 10, 12, 15, 40, 100, 128, 10_000, 16_384, 100_000]
  expect(long.map(the)).toEqual(long.map(() => 'az'))
  expect(short.map(the)).toEqual(short.map(() => 'a'))
})
