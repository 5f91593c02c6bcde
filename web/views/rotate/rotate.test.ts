import { expect, it } from 'vitest'
import { dialsOf } from './view'

it('has a dial for each pair that rotates, the fastest first', () => {
  const hands = [
    { query: 1, key: 2, angle: 0.5 },
    { query: 3, key: 4, angle: -0.5 },
    { query: 5, key: 6, angle: 0 },
  ]
  const dials = dialsOf(hands, [0.01, 1, 0], 0)
  expect(dials.map(({ pair, selected }) => [pair, selected])).toEqual([
    [1, false],
    [0, true],
  ])
  expect(dials[0]).toMatchObject({ query: 3, key: 4, angle: -0.5, theta: 1 })
})
