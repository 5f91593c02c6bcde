import { expect, it } from 'vitest'
import type { MeasuredHead } from '../../session/headStatistics'
import { allHeadPatterns, headPatterns } from './headPatterns'

const head = (layer: number, head: number, numbers: MeasuredHead['numbers']): MeasuredHead => ({ layer, head, numbers })

it('each thing has the head that gives it most; what none looks at is left out', () => {
  expect(
    headPatterns([head(0, 0, { previous: 0.1, same: 0.3, next: 0 }), head(0, 1, { previous: 0.7, same: 0.3 })]),
  ).toEqual([
    { kind: 'previous', place: { layer: 0, head: 1 }, weight: 0.7 },
    { kind: 'same', place: { layer: 0, head: 0 }, weight: 0.3 },
  ])
  expect(headPatterns([])).toEqual([])
})

it('what was measured on the text goes before what a book tells', () => {
  const text = [head(0, 0, { previous: 0.5 })]
  const book = [head(1, 1, { previous: 0.9, special: 0.2 })]
  expect(allHeadPatterns(text, book)).toEqual([
    { kind: 'previous', place: { layer: 0, head: 0 }, weight: 0.5, of: 'text' },
    { kind: 'special', place: { layer: 1, head: 1 }, weight: 0.2, of: 'book' },
  ])
})

it('where keys are of another text, nothing is told of what stands beside', () => {
  const heads = [head(0, 0, { previous: 0.5, next: 0.2, same: 0.6, first: 0.3 })]
  expect(headPatterns(heads, true)).toEqual([{ kind: 'first', place: { layer: 0, head: 0 }, weight: 0.3 }])
})
