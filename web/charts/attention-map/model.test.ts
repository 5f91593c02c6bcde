import { expect, test } from 'vitest'
import { csv } from '../../ui/table'
import {
  cellOf,
  commonReachOf,
  forbids,
  greatest,
  greatestAround,
  headMap,
  rank,
  reachOf,
  rowOf,
  tableOf,
  valueAt,
  subjectOf,
  headsOf,
  kindOf,
  kindsOf,
  pickedOf,
} from './model'
import { scaleOf } from './paint'
import { t } from './messages.en'

const names = ['[CLS]', 'a', 'b', '[SEP]']
const values = Float32Array.of(0.25, 0.25, 0.25, 0.25, 0.5, 0.1, 0.3, 0.1, 0.7, 0.1, 0.1, 0.1, 1, 0, 0, 0)
const map = headMap({ values, names, causal: false })
const hidden = new Set([0, 3])

test('a map of all tokens is the head’s own', () => {
  expect(map.queries.positions).toEqual([0, 1, 2, 3])
  expect(map.keys).toBe(map.queries)
  expect(map.values).toBe(values)
  expect(valueAt(map, { query: 2, key: 0 })).toBeCloseTo(0.7)
})

test('special tokens are left out and each row sums to 1 again', () => {
  const map = headMap({ values, names, causal: false, hidden, renormalise: true })
  expect(map.keys.names).toEqual(['a', 'b'])
  expect([...map.values].map((value) => value.toFixed(3))).toEqual(['0.250', '0.750', '0.500', '0.500'])
  expect(cellOf(map, { query: 2, key: 1 })).toEqual({ query: 1, key: 0 })
  expect(cellOf(map, { query: 2, key: 0 })).toBeNull()
})

test('a row whose weight lies on special tokens alone stays nothing', () => {
  const map = headMap({ values, names, causal: false, hidden: new Set([0]), renormalise: true })
  expect([...rowOf(map, 2)]).toEqual([0, 0, 0])
})

test('cross-attention has the text’s tokens as rows and the source’s as columns', () => {
  const map = headMap({ values, names, causal: false, source: 3 })
  expect([map.queries.positions, map.keys.names]).toEqual([[3], ['[CLS]', 'a', 'b']])
  expect([...rowOf(map, 0)]).toEqual([1, 0, 0])
  expect(cellOf(map, { query: 3, key: 1 })).toEqual({ query: 0, key: 1 })
  expect([cellOf(map, { query: 1, key: 1 }), cellOf(map, { query: 3, key: 3 })]).toEqual([null, null])
  expect(csv(tableOf(map, 'q'))).toBe('q,0 [CLS],1 a,2 b\r\n3 [SEP],1,0,0\r\n')
  const some = headMap({ values, names, causal: false, source: 2, hidden: new Set([0]), renormalise: true })
  expect([some.queries.positions, some.keys.positions]).toEqual([[2, 3], [1]])
  expect([...some.values]).toEqual([1, 0])
})

test('scores are left as they are', () => {
  const map = headMap({ values, names, causal: false, hidden })
  expect([...map.values].map((value) => value.toFixed(1))).toEqual(['0.1', '0.3', '0.1', '0.1'])
})

test('what the mask forbids is neither in the row nor in the reach', () => {
  const map = headMap({ values: Float32Array.of(1, -90, 2, -3), names: ['a', 'b'], causal: true })
  expect([forbids(map, { query: 0, key: 1 }), forbids(map, { query: 1, key: 0 })]).toEqual([true, false])
  expect([...rowOf(map, 0)]).toEqual([1])
  expect(reachOf(map)).toBe(3)
  expect(scaleOf(map, 'score', 'root').ticks).toEqual([-3, -1.5, 0, 1.5, 3])
  expect(scaleOf(map, 'weight', 'linear').ticks.at(-1)).toBe(1)
})

test.each([129, 255, 256, 257, 400, 512, 1024])(
  'of %i tokens one column or diagonal does not make the common reach',
  (length) => {
    const names = Array.from({ length }, String)
    const mapOf = (isLarge: (query: number, key: number) => boolean) =>
      headMap({
        values: Float32Array.from({ length: length ** 2 }, (_, at) =>
          isLarge(Math.floor(at / length), at % length) ? 9 : 1,
        ),
        names,
        causal: false,
      })
    for (const at of [0, 3]) {
      expect(commonReachOf(mapOf((_, key) => key === at))).toBe(1)
      expect(commonReachOf(mapOf((query, key) => query - key === at))).toBe(1)
      // A fiftieth of all columns, or of all diagonals, does.
      expect(commonReachOf(mapOf((_, key) => key % 50 === at))).toBe(9)
      expect(commonReachOf(mapOf((query, key) => (query - key + 50 * length) % 50 === at))).toBe(9)
    }
  },
)

test('the greatest cell around a place', () => {
  expect(greatestAround(map, { query: 3, key: 1 }, 1)).toEqual({ query: 3, key: 0 })
  expect(greatestAround(map, { query: 3, key: 3 }, 0)).toEqual({ query: 3, key: 3 })
})

test('ranks count from 1 and ties share the better one', () => {
  const row = Float32Array.of(0.5, 0.25, 0.25)
  expect([0, 1, 2].map((key) => rank(row, key))).toEqual([1, 2, 2])
})

test('the greatest come first, ties by position', () => {
  expect(greatest(Float32Array.of(0.125, 0.125, 0.75), 2)).toEqual([
    { key: 2, value: 0.75 },
    { key: 0, value: 0.125 },
  ])
})

test('queries down, keys across, and what is forbidden empty', () => {
  const map = headMap({ values: Float32Array.of(1, 0, 0.25, 0.75), names: ['a', 'b'], causal: true })
  expect(csv(tableOf(map, 'query'))).toBe('query,0 a,1 b\r\n0 a,1,\r\n1 b,0.25,0.75\r\n')
})

const model = { num_hidden_layers: 2, num_attention_heads: 3 }
const place = { layer: 1, head: 2 }
const at = (...places: readonly (readonly [number, number])[]) => places.map(([layer, head]) => ({ layer, head }))

test('the heads that are meant', () => {
  const of = (mean: 'head' | 'layer' | 'all' | 'some', picked = at()) => headsOf({ mean, picked }, place, model)
  expect(of('head', at([0, 0]))).toEqual([place])
  expect(of('layer')).toEqual(at([1, 0], [1, 1], [1, 2]))
  expect(of('all')).toHaveLength(6)
  expect(of('some', at([1, 1], [0, 2], [1, 1]))).toEqual(at([0, 2], [1, 1]))
  expect(of('some'), 'none is picked yet').toEqual([place])
})

test('a link may pick heads that are not there', () => {
  expect(pickedOf(at([9, 0], [0, 3], [0, 1]), model)).toEqual(at([0, 1]))
})

test('scores are of one head alone', () => {
  expect(kindOf({ kind: 'rotation', mean: 'head' }, {})).toBe('rotation')
  expect(kindOf({ kind: 'rotation', mean: 'layer' }, {})).toBe('weight')
  expect(kindOf({ kind: 'output', mean: 'all' }, {})).toBe('output')
})

test('files are named by what is in them', () => {
  const subject = { ...place, count: 3 }
  expect(subjectOf({ ...subject, mean: 'head' })).toBeUndefined()
  expect(subjectOf({ ...subject, mean: 'layer' })).toBe('layer-1')
  expect(subjectOf({ ...subject, mean: 'some' })).toBe('3-heads')
})

test('a caption says what is drawn, and that special tokens are left out', () => {
  const subject = { ...place, count: 3 }
  expect(t().quantity({ ...subject, mean: 'head' }, 'weight', false)).toBe('attention weight')
  expect(t().quantity({ ...subject, mean: 'head' }, 'weight', true)).toBe('attention weight, special tokens left out')
  expect(t().quantity({ ...subject, mean: 'layer' }, 'weight', true)).toMatch(/, .*layer 1.*, special tokens left out$/)
})

test('content and rotation are the score where nothing rotates', () => {
  const still = { adds_positions: true }
  expect(kindsOf(still)).toEqual(['weight', 'value', 'output', 'score'])
  expect(kindOf({ kind: 'content', mean: 'head' }, still)).toBe('score')
  expect(kindOf({ kind: 'rotation', mean: 'head' }, still)).toBe('score')
  expect(kindOf({ kind: 'value', mean: 'head' }, still)).toBe('value')
})

test('the source explains the numbers on the map, and no others', () => {
  const facts = { isLinear: false, isMean: false, rotates: true }
  const weights = t().sourceOf('weight', facts)
  expect(weights).toMatch(/already rotated.*coloured from 0 to 1/)
  expect(weights).not.toMatch(/linear|magenta|without rotation|mean is taken/)
  expect(t().sourceOf('weight', { ...facts, isLinear: true })).toMatch(/equation 19.*have a sign.*magenta/)
  expect(t().sourceOf('rotation', facts)).toMatch(/without rotation.*magenta/)
  expect(t().sourceOf('weight', { ...facts, rotates: false })).not.toContain('rotated')
  const mean = t().sourceOf('output', { ...facts, isMean: true })
  expect(mean).toMatch(/output projection.*mean is taken.*largest value/)
  expect(mean).not.toMatch(/magenta|≤/)
})
