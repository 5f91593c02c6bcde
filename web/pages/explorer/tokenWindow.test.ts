import { expect, it } from 'vitest'
import { examples } from '../../viewstate/examples'
import { longestFull, rowsToCome, windowAround } from './tokenWindow'

it('a short text stands in the bar whole', () => {
  expect(windowAround(3, 22)).toEqual({ first: 0, end: 22 })
  expect(windowAround(0, longestFull)).toEqual({ first: 0, end: longestFull })
})

it('a long one shows a window that holds the token', () => {
  for (const token of [0, 5, 500, 4000, 4095]) {
    const { first, end } = windowAround(token, 4096)
    expect(end - first).toBe(longestFull)
    expect(first >= 0 && end <= 4096 && token >= first && token < end).toBe(true)
  }
})

it('the first example takes three rows of a phone, a long text no more than the bar has', () => {
  expect(rowsToCome(examples[0].text, 390)).toBe(3)
  expect(rowsToCome('a', 390)).toBe(1)
  expect(rowsToCome('the cat sat '.repeat(100), 390)).toBe(5)
})
