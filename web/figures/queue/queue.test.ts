import { describe, expect, it, vi } from 'vitest'
import { misfits } from '../../testing/misfits'
import { t } from './messages.en'
import { drawQueue, drawWeights, namesOf } from './picture'
import { tableOf } from './view'

// A component needs a window.
vi.mock('./View.svelte', () => ({ default: {} }))

describe('the queue', () => {
  it('keeps contents and neighbours while every number changes', () => {
    expect(namesOf(2, 0)).toEqual({ number: 'no. 3', neighbour: 'behind suitcase' })
    expect(namesOf(2, 1)).toEqual({ number: 'no. 2', neighbour: 'behind suitcase' })
    expect(namesOf(1, 1).neighbour).toBe(t().first)
    expect(tableOf(1).table.row(0)).toEqual(['suitcase', 'no. 1', t().first])
  })

  it('stays in its room', async () => {
    expect(await misfits((room) => drawQueue(1, room))).toEqual([])
    const tokens = 'he wrote a book about deep learning'.split(' ')
    const weights = { tokens, weights: [0, 1, 0.5, 2, 0, 0, 0], query: 6, key: 5 }
    expect(await misfits(({ width }) => drawWeights(weights, width))).toEqual([])
  })
})
