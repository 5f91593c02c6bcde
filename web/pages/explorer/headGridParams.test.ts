import { expect, it } from 'vitest'
import { statisticIds } from '../../session/headStatistics.svelte'
import { byOptionsOf, glyphsOf, gridWidthsOf, isFoldedAt } from './headGrid'

it('cells show distances within one text, and frequency pairs of a model that rotates', () => {
  const usual = { rotates: true, cross: false, isSoftmax: true }
  expect(glyphsOf(usual)).toEqual(['maps', 'distance', 'pairs'])
  expect(glyphsOf({ ...usual, rotates: false })).toEqual(['maps', 'distance'])
  expect(glyphsOf({ ...usual, isSoftmax: false })).toEqual(['maps', 'pairs'])
  expect(glyphsOf({ ...usual, cross: true })).toEqual(['maps'])
})

it('heads of cross-attention have no order by distances', () => {
  expect(byOptionsOf(false)).toEqual(['head', ...statisticIds])
  expect(byOptionsOf(true)).toEqual(['head', 'entropy', 'largest', 'first', 'repeated', 'induction', 'special'])
})

it('on a small screen the grid is folded by itself, and a wider one is open', () => {
  expect([false, true].map((small) => isFoldedAt('auto', small))).toEqual([false, true])
  for (const small of [false, true]) {
    const [, ...wider] = gridWidthsOf(small)
    expect(wider.some((width) => isFoldedAt(width, small))).toBe(false)
  }
})
