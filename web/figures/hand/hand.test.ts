import { describe, expect, it } from 'vitest'
import { itemOf, misfits } from '../../testing/outputs'
import { ordered, readRows, usual, visible } from './data'
import { t } from './messages.en'
import * as module from './view'
import { drawHand, drawMasks, tableOf } from './view'

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

  it('changes one number, and none where nothing is typed', () => {
    const params = { mask: 'none', by: 1, rows: usual, order: '102' }
    const { above } = module.output({ params, width: 820, height: 620 } as never, {} as never).pictureFor(undefined)
    const [token, first] = itemOf(above, 'table').rows[0] ?? []
    expect(token).toBe(t().tokens[1])
    if (typeof first !== 'object' || first.kind !== 'number') throw new Error('no field')
    const rows = usual.split(',').with(2, '0.25').join(',')
    expect([first.value, first.to(0.25), first.to(NaN)]).toEqual([-0.5, { params: { rows } }, undefined])
  })

  it('stays in its room', async () => {
    expect(await misfits((room) => drawHand(attention, t().tokens, 'none', room, 'dark'))).toEqual([])
    expect(await misfits(({ width }) => drawMasks('causal', width))).toEqual([])
  })

  it('has a table of queries and keys in the order of the tokens', () => {
    expect(tableOf(attention, ['cat', 'the', 'sat']).table.row(1)).toEqual(['cat', 'the', 2, 1 / 3])
  })
})
