import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atOnce } from '../../ui/inParts'
import { headMap, type HeadMap } from './model'
import { seekPattern } from './pattern'

const findPattern = (map: HeadMap, ids: ArrayLike<number>) => atOnce(seekPattern(map, ids))

/** A map whose queries give `weight` to the key told, and share the rest evenly. */
function looking(length: number, key: (query: number) => number, weight = 0.8, causal = false): HeadMap {
  const values = new Float32Array(length * length)
  for (let query = 0; query < length; query++) {
    const keys = causal ? query + 1 : length
    const at = key(query)
    const there = at >= 0 && at < keys
    for (let other = 0; other < keys; other++) {
      values[query * length + other] = there ? (other === at ? weight : (1 - weight) / (keys - 1)) : 1 / keys
    }
  }
  return headMap({ values, names: Array.from({ length }, String), causal })
}

const ids = (length: number) => Uint32Array.from({ length }, (_, index) => index)

test('one token back, by all tokens that have one', () => {
  expect(
    findPattern(
      looking(22, (query) => query - 1),
      ids(22),
    )?.pattern,
  ).toEqual({
    pattern: 'previous',
    of: 21,
    do: 21,
    mean: expect.closeTo(0.8) as number,
  })
})

test('the other patterns', () => {
  const found = (key: (query: number) => number) => findPattern(looking(12, key), ids(12))?.pattern
  expect(found((query) => query + 1)).toMatchObject({ pattern: 'next', of: 11, do: 11 })
  expect(found((query) => query - 2)).toMatchObject({ pattern: 'twoBack', of: 10 })
  expect(found((query) => query + 2)).toMatchObject({ pattern: 'twoAhead', of: 10 })
  expect(found((query) => query)).toMatchObject({ pattern: 'itself', of: 12 })
  expect(found(() => 0)).toMatchObject({ pattern: 'first', of: 11, do: 11 })
})

test('the same token elsewhere, wherever it is', () => {
  const twice = Uint32Array.of(1, 7, 8, 9, 7, 8, 9, 2)
  const map = looking(8, (query) => (query >= 1 && query <= 3 ? query + 3 : query >= 4 && query <= 6 ? query - 3 : -1))
  expect(findPattern(map, twice)?.pattern).toMatchObject({ pattern: 'same', of: 6, do: 6 })
})

test('three quarters are enough, and less is no pattern', () => {
  const some = (count: number) =>
    findPattern(
      looking(9, (query) => (query <= count ? query - 1 : 8)),
      ids(9),
    )
  expect(some(6)?.pattern).toMatchObject({ pattern: 'previous', of: 8, do: 6 })
  expect(some(5)?.pattern).toBeUndefined()
  expect(some(5)?.commonest).toMatchObject({ pattern: 'previous', of: 8, do: 5 })
})

test('even weights are no pattern: nothing is the largest', () => {
  const found = findPattern(
    looking(10, () => -1),
    ids(10),
  )
  expect(found?.pattern).toBeUndefined()
  expect(found?.commonest).toBeUndefined()
  expect(found?.largest).toBeCloseTo(0.1)
})

test('a few tokens make no pattern', () => {
  expect(
    findPattern(
      looking(4, (query) => query - 1),
      ids(4),
    )?.pattern,
  ).toBeUndefined()
  expect(
    findPattern(
      looking(5, (query) => query - 1),
      ids(5),
    )?.pattern,
  ).toMatchObject({ of: 4 })
})

test('of a few tokens nothing is said of where they look', () => {
  const few = (length: number) =>
    findPattern(
      looking(length, (query) => Math.max(0, query - 1)),
      ids(length),
    )?.few
  expect([2, 3, 4, 5, 9].map(few)).toEqual([true, true, true, false, false])
})

test('a token that may look at itself alone has no choice', () => {
  expect(
    findPattern(
      looking(1, () => 0),
      ids(1),
    ),
  ).toBeUndefined()
  expect(
    findPattern(
      looking(10, (query) => query, 0.9, true),
      ids(10),
    )?.pattern,
  ).toMatchObject({ pattern: 'itself', of: 9 })
})

test('keys ahead that the mask forbids are not waited for', () => {
  expect(
    findPattern(
      looking(10, (query) => query - 1, 0.9, true),
      ids(10),
    )?.pattern,
  ).toMatchObject({ of: 9, do: 9 })
})

test('distances are those of the text, though special tokens are left out', () => {
  const { values, names } = looking(10, (query) => query - 1)
  const map = headMap({ values, names, causal: false, hidden: new Set([0, 5, 9]), renormalise: true })
  expect(findPattern(map, ids(10))?.pattern).toMatchObject({ pattern: 'previous', of: 5, do: 5 })
})

test('whatever is said of a head is so', () => {
  const map = fc
    .integer({ min: 1, max: 9 })
    .chain((length) =>
      fc.tuple(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: length ** 2, maxLength: length ** 2 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: length, maxLength: length }),
        fc.boolean(),
      ),
    )
  fc.assert(
    fc.property(map, ([weights, ids, causal]) => {
      const names = ids.map(String)
      const found = findPattern(headMap({ values: Float32Array.from(weights), names, causal }), ids)
      const { pattern, commonest } = found ?? {}
      if (pattern) expect(pattern.do).toBeGreaterThanOrEqual(0.75 * pattern.of)
      if (commonest) expect(commonest.do).toBeLessThan(0.75 * commonest.of)
      expect(pattern && commonest).toBeUndefined()
      expect((pattern ?? commonest)?.of ?? 4).toBeGreaterThanOrEqual(4)
    }),
  )
})

test('rows that weigh nothing are no rows of the head', () => {
  // A source of six tokens, and a text of six that looks at it.
  const length = 12
  const values = new Float32Array(length * length)
  for (let query = 6; query < length; query++) values[query * length + (query === 7 ? 2 : 0)] = 1
  const found = findPattern(headMap({ values, names: Array.from({ length }, String), causal: false }), ids(length))
  expect(found?.largest).toBe(1)
  expect(found?.pattern).toMatchObject({ pattern: 'first', of: 6, do: 5 })
})
