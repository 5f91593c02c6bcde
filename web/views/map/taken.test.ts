import { expect, test } from 'vitest'
import { map as words } from '../../i18n/en/map'
import { headMap } from '../../charts/attention-map/model'
import { takenHeadline } from './say'
import { mostTaken } from './taken'

const names = ['[CLS]', 'the', 'cat']
const map = (values: readonly number[], causal = false) => headMap({ values: Float32Array.from(values), names, causal })
const said = { mean: 'head', layer: 2, head: 6, count: 1, withoutSpecial: false } as const

test('the key that most is taken from, of all queries', () => {
  expect(mostTaken(map([1, 0, 2, 1, 0, 4, 0, 1, 1]))).toEqual({ key: 2, share: 0.7 })
  // What the mask forbids is nobody's.
  expect(mostTaken(map([1, 9, 9, 1, 1, 9, 1, 0, 1], true))).toEqual({ key: 0, share: 0.6 })
  expect(mostTaken(map([0, 0, 0, 0, 0, 0, 0, 0, 0]))).toBeUndefined()
})

test('the headline says of what, and what weights alone would say', () => {
  const of = { map: map([]), kind: 'value', said } as const
  const taken = { key: 2, share: 0.7 }
  expect(takenHeadline({ taken, byWeight: { key: 0, share: 0.4 } }, of, words)).toEqual({
    title: 'Head 2.6 takes most from cat 2: 70.0\u00a0% of all weight · ‖v‖.',
    line: 'By its weights alone [CLS] 0 would come first, with 40.0\u00a0%.',
  })
  const mean = { ...of, kind: 'output', said: { ...said, mean: 'all', count: 48, withoutSpecial: true } } as const
  expect(takenHeadline({ taken, byWeight: undefined }, mean, words)).toEqual({
    title: 'The mean of all 48 heads takes most from cat 2: 70.0\u00a0% of all weight · ‖v W‖.',
    line: 'Measured on the mean of 48 maps, which no head need look like. Special tokens are left out.',
  })
  expect(takenHeadline({ taken, byWeight: { key: 2, share: 0.5 } }, of, words).line).toContain('it comes first, too')
})
