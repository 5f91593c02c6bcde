import { expect, it } from 'vitest'
import type { MeasuredHead } from '../../session/headStatistics.svelte'
import { allHeadPatterns, headPatterns, queriesOf } from './headPatterns'

const head = (layer: number, head: number, numbers: MeasuredHead['numbers']): MeasuredHead => ({ layer, head, numbers })

it('each pattern has the head that gives it most; what none looks at is left out', () => {
  expect(
    headPatterns([head(0, 0, { previous: 0.1, same: 0.3, next: 0 }), head(0, 1, { previous: 0.7, same: 0.3 })], false),
  ).toEqual([
    { kind: 'previous', place: { layer: 0, head: 1 }, weight: 0.7 },
    { kind: 'same', place: { layer: 0, head: 0 }, weight: 0.3 },
  ])
  expect(headPatterns([], false)).toEqual([])
})

it('what was measured on the text goes before what a book tells', () => {
  const text = [head(0, 0, { previous: 0.5 })]
  const book = [head(1, 1, { previous: 0.9, special: 0.2 })]
  const queries = queriesOf({ ids: [5, 6, 7], special: new Set(), causal: true })
  expect(allHeadPatterns(text, queries, book, false)).toEqual([
    { kind: 'previous', place: { layer: 0, head: 0 }, weight: 0.75, of: 'text', queries: 2 },
    { kind: 'special', place: { layer: 1, head: 1 }, weight: 0.2, of: 'book' },
  ])
})

it('where keys are of another text, nothing is told of neighbouring positions', () => {
  const heads = [head(0, 0, { previous: 0.5, next: 0.2, same: 0.6, first: 0.3 })]
  expect(headPatterns(heads, true)).toEqual([{ kind: 'first', place: { layer: 0, head: 0 }, weight: 0.3 }])
})

it('a mean is over the tokens that have such a key', () => {
  // [CLS] the cat saw the dog [SEP]
  const ids = [2, 10, 11, 12, 10, 13, 3]
  const special = new Set([0, 6])
  expect(queriesOf({ ids, special, causal: false })).toEqual({
    all: 5,
    each: { previous: 5, next: 5, first: 5, same: 5, special: 5, repeated: 2, induction: 1 },
  })
  // In a causal model nothing is ahead: neither a token, nor another occurrence, nor the last special token.
  expect(queriesOf({ ids, special: new Set([6]), causal: true })).toEqual({
    all: 6,
    each: { previous: 5, next: 0, first: 6, same: 6, special: 0, repeated: 1, induction: 1 },
  })
  // Of a single token there is no pattern.
  const text = [head(1, 4, { induction: 0.04, repeated: 0.08 })]
  expect(allHeadPatterns(text, queriesOf({ ids, special, causal: false }), [], false)).toEqual([
    { kind: 'repeated', place: { layer: 1, head: 4 }, weight: expect.closeTo(0.2, 12), of: 'text', queries: 2 },
  ])
})

it('in cross-attention every equal token of the source is one, wherever it stands', () => {
  // The source a b a, then the text b a c.
  const ids = [7, 8, 9, 8, 9, 5]
  expect(queriesOf({ ids, special: new Set(), causal: true, source: 3 })).toEqual({
    all: 3,
    each: expect.objectContaining({ repeated: 2, induction: 1, special: 0 }),
  })
})
