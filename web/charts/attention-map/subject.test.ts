import { expect, test } from 'vitest'
import { t } from './messages.en'
import { subjectOf, headsOf, kindOf, kindsOf, pickedOf } from './subject'

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
