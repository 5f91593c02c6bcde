import { describe, expect, it, vi } from 'vitest'
import { misfits } from '../../testing/misfits'
import { ordered, readRows, usual, visible } from './data'
import { t } from './messages.en'
import { drawHand, drawMasks } from './picture'
import { tableOf } from './view'

// A component needs a window.
vi.mock('./View.svelte', () => ({ default: {} }))

const attention = {
  scores: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
  weights: new Float64Array(9).fill(1 / 3),
  outputs: new Float64Array(6),
}

describe('attention by hand', () => {
  it('reads any link, and puts rows in the order of the tokens', () => {
    expect(readRows('x,,99')).toEqual(readRows('1,0.5,9'))
    expect(readRows('').join()).toBe(usual)
    const rows = readRows('')
    expect(Array.from(ordered(rows, [1, 0, 2]).slice(0, 4))).toEqual([rows[2], rows[3], rows[0], rows[1]])
    expect(visible('causal').filter(Boolean)).toHaveLength(6)
    expect(visible('padding')).toEqual(visible('cross'))
  })

  it('stays in its room', async () => {
    expect(await misfits((room) => drawHand(attention, t().tokens, 'none', room, 'dark'))).toEqual([])
    expect(await misfits(({ width }) => drawMasks('causal', width))).toEqual([])
  })

  it('has a table of queries and keys in the order of the tokens', () => {
    expect(tableOf(attention, ['cat', 'the', 'sat']).table.row(1)).toEqual(['cat', 'the', 2, 1 / 3])
  })
})
