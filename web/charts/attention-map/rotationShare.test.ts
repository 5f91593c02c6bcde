import { expect, test } from 'vitest'
import { headMap } from './model'
import { rotationHeadline, rotationShare } from './rotationShare'

const map = (rows: number[][]) =>
  headMap({ values: Float32Array.from(rows.flat()), names: rows.map((_, token) => `${token}`), causal: false })

const oneBack = [
  [-4, -6, -6],
  [1, -4, -6],
  [-8, 0.5, -4],
]

test('rotation favours the distance with the largest mean, of those that half of the queries have', () => {
  expect(rotationShare(map(oneBack))).toEqual({ distance: 1, there: 0.75, elsewhere: -38 / 7, least: -8 })
  // One query alone has its key two back.
  const far = oneBack.map((row) => [...row])
  far[2]![0] = 9
  expect(rotationShare(map(far))?.distance).toBe(1)
  expect(rotationShare(map([[3]]))).toBeUndefined()
  expect(
    rotationShare(
      map([
        [0, 0],
        [0, 0],
      ]),
    ),
  ).toBeUndefined()
})

test('the headline says what it adds there and takes elsewhere', () => {
  const of = { mean: 'head', layer: 2, head: 6, count: 1, withoutSpecial: false } as const
  expect(rotationHeadline(rotationShare(map(oneBack))!, of)).toEqual({
    title: 'Rotation favours one token back: +0.75 there, −5.43 elsewhere on average.',
    line: 'Head L2·H6’s scores with rotation minus those without. The largest loss of a cell is 8.00.',
  })
})
