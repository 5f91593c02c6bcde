import { expect, it } from 'vitest'
import { headOf } from './fakeEngine'
import { KeptHeads } from './keptHeads'

it('keeps the heads that were wanted last, as many as find room', () => {
  // Three tokens: 9 weights, and two rows of 6 numbers.
  const each = 4 * (9 + 6 + 6)
  const kept = new KeptHeads(2 * each)
  const there = (run: number, layer: number, head: number) => kept.get(run, { layer, head }) !== undefined
  kept.add(headOf(1, 0, 0, 3))
  kept.add(headOf(1, 0, 1, 3))
  expect([there(1, 0, 0), there(1, 0, 1), there(2, 0, 0)]).toEqual([true, true, false])
  kept.add(headOf(1, 0, 1, 3))
  expect(there(1, 0, 0)).toBe(true)
  kept.add(headOf(2, 0, 0, 3))
  expect([there(1, 0, 1), there(1, 0, 0), there(2, 0, 0)]).toEqual([false, true, true])
  // One that is too large alone leaves the others.
  kept.add(headOf(3, 0, 0, 30))
  expect([there(3, 0, 0), there(1, 0, 0), there(2, 0, 0)]).toEqual([false, true, true])
})
