import { expect, it } from 'vitest'
import type { DescribedHeads } from '../../state/describedHeads'
import { habits } from './habits'

const none = { previous: 0, next: 0, same: 0, repeated: 0, special: 0 }

it('each thing has the head that gives it most; what none looks at is left out', () => {
  const described: DescribedHeads = {
    book: 'a book',
    heads: [
      { ...none, layer: 0, head: 0, previous: 0.1, same: 0.3 },
      { ...none, layer: 0, head: 1, previous: 0.7, same: 0.3 },
    ],
  }
  expect(habits(described)).toEqual([
    { kind: 'previous', place: { layer: 0, head: 1 }, weight: 0.7 },
    { kind: 'same', place: { layer: 0, head: 0 }, weight: 0.3 },
  ])
  expect(habits({ book: '', heads: [] })).toEqual([])
})
