import { expect, it } from 'vitest'
import type { Shown } from '../session/runs.svelte'
import { words } from '../i18n/words'
import { placeSaid } from './said'

const attention = Float32Array.from([0.2, 0.3, 0.5, 0.1, 0.2, 0.7, 0.35, 0.24, 0.41])
const shown = (is_decoder: boolean) =>
  ({
    head: { layer: 2, head: 5, length: 3, attention },
    reading: { shown: ['the', 'cat', 'sat'] },
    model: { info: { is_decoder } },
  }) as unknown as Shown
const seen = { layer: 2, head: 5, query: 2, key: 2, pair: null }

it('says head, query, key, weight and rank', () => {
  expect(placeSaid(shown(false), { ...seen, key: 1 }, words)).toBe(
    "layer 2 head 5, query 'sat' 2, key 'cat' 1: 0.24, third of 3 keys",
  )
  expect(placeSaid(shown(false), seen, words)).toBe("layer 2 head 5, query 'sat' 2, key 'sat' 2: 0.41, first of 3 keys")
})

it('says that a mask forbids a pair, and nothing while the head is on its way', () => {
  expect(placeSaid(shown(true), { ...seen, query: 0 }, words)).toMatch(/: not allowed/)
  expect(placeSaid(shown(false), { ...seen, head: 6 }, words)).toBe('')
})
