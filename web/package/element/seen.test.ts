import { expect, it } from 'vitest'
import { firstSeen } from './seen'

const map = { values: Float32Array.of(1, 0, 0, 0.2, 0.1, 0.7, 0.1, 0.8, 0.1), names: ['a', 'b', 'c'], causal: false }

it('the cursor begins where it is wanted, else at what the second token looks at most', () => {
  expect(firstSeen(map, {})).toEqual({ query: 1, key: 2 })
  expect(firstSeen(map, { query: 2 })).toEqual({ query: 2, key: 1 })
  expect(firstSeen(map, { query: 0, key: 1 })).toEqual({ query: 0, key: 1 })
  expect(firstSeen(map, { query: 9, key: 9 })).toEqual({ query: 2, key: 2 })
})

it('what the mask forbids is not looked at', () => {
  expect(firstSeen({ ...map, causal: true }, {})).toEqual({ query: 1, key: 0 })
  expect(firstSeen({ values: Float32Array.of(1), names: ['a'], causal: true }, {})).toEqual({ query: 0, key: 0 })
})
