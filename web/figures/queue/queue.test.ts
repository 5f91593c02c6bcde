import { beforeAll, describe, expect, it } from 'vitest'
import { openEdition } from '../../i18n/edition.svelte'
import { itemOf, misfits } from '../../testing/outputs'
import { t } from './messages.en'
import * as module from './view'
import { drawQueue, drawWeights, namesOf, tableOf } from './view'

beforeAll(() => openEdition('en'))

describe('the queue', () => {
  it('keeps contents and neighbours while every number changes', () => {
    expect(namesOf(2, 0)).toEqual({ number: 'no. 3', neighbour: 'behind suitcase' })
    expect(namesOf(2, 1)).toEqual({ number: 'no. 2', neighbour: 'behind suitcase' })
    expect(namesOf(1, 1).neighbour).toBe(t().first)
    expect(tableOf(1).table.row(0)).toEqual(['suitcase', 'no. 1', t().first])
  })

  it('serves one after the other, and names those who are left', () => {
    const output = (served: number) =>
      module
        .output({ params: { served }, width: 800, height: 600, cursor: { query: 0, key: 0 } } as never)
        .pictureFor(undefined)
    expect(itemOf(output(1).below, 'button')).toMatchObject({ disabled: false, to: { params: { served: 2 } } })
    expect(itemOf(output(3).below, 'button').disabled).toBe(true)
    expect(output(3).label).toBe('umbrella, no. 1; small dog, no. 2')
  })

  it('has one red coat, and nothing in the colour of what is subtracted', () => {
    const fills = drawQueue(0, { width: 800, height: 400 }).marks.flatMap((mark) => ('fill' in mark ? [mark.fill] : []))
    expect(fills.filter((fill) => fill === 'red')).toHaveLength(1)
    expect(fills).not.toContain('negative')
  })

  it('stays in its room', async () => {
    expect(await misfits((room) => drawQueue(1, room))).toEqual([])
    const tokens = 'he wrote a book about deep learning'.split(' ')
    const weights = { tokens, weights: [0, 1, 0.5, 2, 0, 0, 0], query: 6, key: 5 }
    expect(await misfits(({ width }) => drawWeights(weights, width))).toEqual([])
  })
})
