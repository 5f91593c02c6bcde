import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atOnce } from '../../ui/slices.svelte'
import { t } from './messages.en'
import { headMap, type HeadMap } from './model'
import {
  seekPattern,
  crossPatterns,
  patterns,
  columnHeadline,
  headlineOf,
  largestColumn,
  rotationHeadline,
  rotationShare,
  scoreHeadline,
  scoreRange,
} from './pattern.svelte'
import { plainHeadline } from '../../testing/outputs'

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
    queries: 21,
    matches: 21,
    mean: expect.closeTo(0.8) as number,
  })
})

test('the other patterns', () => {
  const found = (key: (query: number) => number) => findPattern(looking(12, key), ids(12))?.pattern
  expect(found((query) => query + 1)).toMatchObject({ pattern: 'next', queries: 11, matches: 11 })
  expect(found((query) => query - 2)).toMatchObject({ pattern: 'twoBack', queries: 10 })
  expect(found((query) => query + 2)).toMatchObject({ pattern: 'twoAhead', queries: 10 })
  expect(found((query) => query)).toMatchObject({ pattern: 'itself', queries: 12 })
  expect(found(() => 0)).toMatchObject({ pattern: 'first', queries: 11, matches: 11 })
})

test('the same token elsewhere, wherever it is', () => {
  const twice = Uint32Array.of(1, 7, 8, 9, 7, 8, 9, 2)
  const map = looking(8, (query) => (query >= 1 && query <= 3 ? query + 3 : query >= 4 && query <= 6 ? query - 3 : -1))
  expect(findPattern(map, twice)?.pattern).toMatchObject({ pattern: 'same', queries: 6, matches: 6 })
})

test('three quarters are enough, and less is no pattern', () => {
  const some = (count: number) =>
    findPattern(
      looking(9, (query) => (query <= count ? query - 1 : 8)),
      ids(9),
    )
  expect(some(6)?.pattern).toMatchObject({ pattern: 'previous', queries: 8, matches: 6 })
  expect(some(5)?.pattern).toBeUndefined()
  expect(some(5)?.commonest).toMatchObject({ pattern: 'previous', queries: 8, matches: 5 })
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
  ).toMatchObject({ queries: 4 })
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
  ).toMatchObject({ pattern: 'itself', queries: 9 })
})

test('keys ahead that the mask forbids are not waited for', () => {
  expect(
    findPattern(
      looking(10, (query) => query - 1, 0.9, true),
      ids(10),
    )?.pattern,
  ).toMatchObject({ queries: 9, matches: 9 })
})

test('distances are those of the text, though special tokens are left out', () => {
  const { values, queries } = looking(10, (query) => query - 1)
  const { names } = queries
  const map = headMap({ values, names, causal: false, hidden: new Set([0, 5, 9]), renormalise: true })
  expect(findPattern(map, ids(10))?.pattern).toMatchObject({ pattern: 'previous', queries: 5, matches: 5 })
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
      if (pattern) expect(pattern.matches).toBeGreaterThanOrEqual(0.75 * pattern.queries)
      if (commonest) expect(commonest.matches).toBeLessThan(0.75 * commonest.queries)
      expect(pattern && commonest).toBeUndefined()
      expect((pattern ?? commonest)?.queries ?? 4).toBeGreaterThanOrEqual(4)
    }),
  )
})

/** A source of six tokens, and a text of six whose tokens look at these. */
function crossing(keys: readonly number[]): HeadMap {
  const values = new Float32Array(144)
  keys.forEach((key, row) => (values[(6 + row) * 12 + key] = 1))
  return headMap({ values, names: Array.from({ length: 12 }, String), causal: false, source: 6 })
}

test('patterns of cross-attention are places in the source', () => {
  const found = (keys: readonly number[], read = ids(12)) => findPattern(crossing(keys), read)?.pattern
  expect(found([1, 2, 5, 3, 4, 5])).toMatchObject({ pattern: 'onward', queries: 5, matches: 4, mean: 0.8 })
  // Behind the source's last token nothing is further on, and a step back counts against it.
  expect(findPattern(crossing([1, 5, 2, 5, 3, 5]), ids(12))?.pattern).toBeUndefined()
  expect(found([5, 5, 5, 2, 5, 5])).toMatchObject({ pattern: 'sourceEnd', queries: 6, matches: 5 })
  expect(found([0, 2, 0, 0, 0, 0])).toMatchObject({ pattern: 'sourceStart', queries: 6, matches: 5 })
  expect(found([3, 1, 2, 0, 0, 0], Uint32Array.of(7, 8, 9, 5, 0, 1, 5, 8, 9, 7, 2, 3))).toMatchObject({
    pattern: 'copy',
    queries: 4,
    matches: 4,
  })
  expect(findPattern(crossing([5, 3, 3, 1, 4, 2]), ids(12))).toMatchObject({ pattern: undefined, cross: true })
})

test('its headline says which token a row is about', () => {
  const { title, line } = headlineOf(findPattern(crossing([1, 2, 5, 3, 4, 5]), ids(12)), of)
  expect(title).toBe('Head L2·H6 reads along the source.')
  expect(line).toMatch(
    /^4 of 5 tokens after the first give .* to a later source token than the token before them: 80\.0\u00a0% on average here\. A row shows what the model reads while it writes the next token\.$/,
  )
})

const of = { mean: 'head', layer: 2, head: 6, count: 1, withoutSpecial: false } as const

test('a pattern, with its numbers', () => {
  const pattern = { pattern: 'previous' as const, queries: 21, matches: 20, mean: 0.7512 }
  expect(headlineOf({ pattern, commonest: undefined, few: false, cross: false, largest: 0.8 }, of)).toEqual({
    title: 'Head L2·H6 looks one token back.',
    line: '20 of 21 tokens that have a token before them give it their largest weight: 75.1\u00a0% on average here.',
  })
  const all = headlineOf(
    { pattern: { ...pattern, matches: 21 }, commonest: undefined, few: false, cross: false, largest: 0.8 },
    of,
  )
  expect(all.line).toMatch(/^All 21 tokens that have/)
})

test('no pattern: it spreads its weight, or picks single tokens', () => {
  const commonest = { pattern: 'twoBack' as const, queries: 20, matches: 9, mean: 0.25 }
  const title = (largest: number) =>
    headlineOf({ pattern: undefined, commonest, few: false, cross: false, largest }, of).title
  expect(title(0.11)).toBe('Head L2·H6 spreads its weight: its largest is 11.0\u00a0% on average.')
  expect(title(0.83)).toBe('Head L2·H6 picks single tokens: its largest weight is 83.0\u00a0% on average.')
  expect(headlineOf({ pattern: undefined, commonest, few: false, cross: false, largest: 0.1 }, of).line).toContain(
    '9 of 20',
  )
})

test('every pattern has its words, and what is left out is said', () => {
  for (const pattern of [...patterns, ...crossPatterns]) {
    const headline = headlineOf(
      {
        pattern: { pattern, queries: 8, matches: 7, mean: 0.5 },
        commonest: undefined,
        few: false,
        cross: false,
        largest: 0.5,
      },
      { ...of, withoutSpecial: true },
    )
    expect(plainHeadline(headline)?.line).toMatch(/7 of 8.*50\.0.*Special tokens are left out\.$/)
  }
})

test('a mean is said to be one', () => {
  const finding = { pattern: undefined, commonest: undefined, few: false, cross: false, largest: 0.1 }
  const layer = headlineOf(finding, { ...of, mean: 'layer', count: 8 })
  expect(layer.title).toBe('The mean of layer 2 spreads its weight: its largest is 10.0\u00a0% on average.')
  expect(layer.line).toContain('Measured on the mean of 8 maps')
  expect(headlineOf(finding, { ...of, mean: 'some', count: 3 }).title).toMatch(/^The mean of 3 heads/)
  const one = headlineOf(finding, { ...of, mean: 'some', count: 1 })
  expect(one.title).toMatch(/^The picked head/)
  expect(one.line).not.toContain('mean')
})

test('of a few tokens no place is denied', () => {
  const { line } = headlineOf({ pattern: undefined, commonest: undefined, few: true, cross: false, largest: 0.9 }, of)
  expect(line).toBe('Too few tokens for a pattern.')
})

const names = ['[CLS]', 'the', 'cat']
const map = (values: readonly number[], causal = false) => headMap({ values: Float32Array.from(values), names, causal })
const subject = { mean: 'head', layer: 2, head: 6, count: 1, withoutSpecial: false } as const

test('the column with the largest sum', () => {
  expect(atOnce(largestColumn(map([1, 0, 2, 1, 0, 4, 0, 1, 1])))).toEqual({ key: 2, share: 0.7 })
  // Masked cells do not count.
  expect(atOnce(largestColumn(map([1, 9, 9, 1, 1, 9, 1, 0, 1], true)))).toEqual({ key: 0, share: 0.6 })
  expect(atOnce(largestColumn(map([0, 0, 0, 0, 0, 0, 0, 0, 0])))).toBeUndefined()
})

test('the headline says of what, and what weights alone would say', () => {
  const input = { map: map([]), kind: 'value', of: subject } as const
  const column = { key: 2, share: 0.7 }
  expect(plainHeadline(columnHeadline({ column, byWeight: { key: 0, share: 0.4 } }, input))).toEqual({
    title: 'Head L2·H6 takes most from cat 2: 70.0\u00a0% of all weight · ‖v‖.',
    line: 'By its weights alone [CLS] 0 would come first, with 40.0\u00a0%.',
  })
  const mean = { ...input, kind: 'output', of: { ...subject, mean: 'all', count: 48, withoutSpecial: true } } as const
  expect(plainHeadline(columnHeadline({ column, byWeight: undefined }, mean))).toEqual({
    title: 'The mean of all 48 heads takes most from cat 2: 70.0\u00a0% of all weight · ‖v W‖.',
    line: 'Measured on the mean of 48 maps; no single head need look like it. Special tokens are left out.',
  })
  expect(plainHeadline(columnHeadline({ column, byWeight: { key: 2, share: 0.5 } }, input))?.line).toContain(
    'it comes first, too',
  )
})

const mapOfRows = (rows: number[][]) =>
  headMap({ values: Float32Array.from(rows.flat()), names: rows.map((_, token) => `${token}`), causal: false })

const oneBack = [
  [-4, -6, -6],
  [1, -4, -6],
  [-8, 0.5, -4],
]

test('rotation favours the distance with the largest mean, of those that half of the queries have', () => {
  expect(rotationShare(mapOfRows(oneBack))).toEqual({ distance: 1, there: 0.75, elsewhere: -38 / 7, least: -8 })
  // One query alone has its key two back.
  const far = oneBack.map((row) => [...row])
  far[2]![0] = 9
  expect(rotationShare(mapOfRows(far))?.distance).toBe(1)
  expect(rotationShare(mapOfRows([[3]]))).toBeUndefined()
  expect(
    rotationShare(
      mapOfRows([
        [0, 0],
        [0, 0],
      ]),
    ),
  ).toBeUndefined()
})

test('the headline says what it adds there and takes elsewhere', () => {
  const of = { mean: 'head', layer: 2, head: 6, count: 1, withoutSpecial: false } as const
  expect(rotationHeadline(rotationShare(mapOfRows(oneBack))!, of)).toEqual({
    title: 'Rotation favours one token back: +0.75 there, −5.43 elsewhere on average.',
    line: 'Head L2·H6’s scores with rotation minus those without. The largest loss of a cell is 8.00.',
  })
})

test('a map of scores is headed by its highest score and its range', () => {
  const of = { mean: 'head', layer: 2, head: 6, count: 1, withoutSpecial: false } as const
  const map = mapOfRows(oneBack)
  const range = atOnce(scoreRange(map, undefined))!
  const headed = (kind: 'score' | 'content', linear: boolean) =>
    plainHeadline(scoreHeadline(range, { map, kind, linear, of }))
  expect(headed('score', false)).toEqual({
    title: 'Head L2·H6 scores 1 1 → 0 0 highest: 1.00.',
    line: 'Scores go from −8.00 to 1.00, −4.06 on average. Softmax turns the scores of a row into its weights.',
  })
  expect(headed('content', false)).toEqual({
    title: 'Without rotation head L2·H6 would score 1 1 → 0 0 highest: 1.00.',
    line: 'Scores without rotation go from −8.00 to 1.00, −4.06 on average.',
  })
  expect(headed('score', true)?.line).not.toContain('Softmax')
  const causal = headMap({ values: Float32Array.of(-2, 9, -3, -1), names: ['a', 'b'], causal: true })
  const ofCausal = { highest: { query: 1, key: 1 }, least: -3, most: -1, mean: -2 }
  expect(atOnce(scoreRange(causal, undefined))).toEqual(ofCausal)
})

test('a score that is too low for a weight counts', () => {
  const weights = mapOfRows([
    [1, 0],
    [0, 1],
  ])
  const scores = mapOfRows([
    [0, -120],
    [-120, 0],
  ])
  expect(atOnce(scoreRange(scores, weights))).toMatchObject({ least: -120, most: 0, mean: -60 })
})

test('a score outside of the model’s window does not count', () => {
  const weights = mapOfRows([
    [0.5, 0.5, 0],
    [0, 0.5, 0.5],
    [0, 0.5, 0.5],
  ])
  expect(atOnce(scoreRange(mapOfRows(oneBack), weights))).toEqual({
    highest: { query: 2, key: 1 },
    least: -6,
    most: 0.5,
    mean: -23.5 / 6,
  })
})

test('only maps of softmax weights are said to have rows that sum to 1', () => {
  const kinds = ['weight', 'value', 'output', 'score', 'content', 'rotation'] as const
  expect(kinds.filter((kind) => /sum to 1/.test(t().helpOf(kind, false).replace('do not sum to 1', '')))).toEqual([
    'weight',
  ])
  expect(t().helpOf('weight', true)).toContain('do not sum to 1')
})
