import { expect, it } from 'vitest'
import { misfits } from '../../testing/outputs'
import { drawNorms, largestChange, lengthsOf, tableOf } from './view'

const lengths = {
  before: lengthsOf(Float64Array.of(3, 4, 0, 1)),
  rotated: lengthsOf(Float64Array.of(-4, 3, 1, 0)),
  added: lengthsOf(Float64Array.of(3, 5, 0, 2)),
}

it('lengths of pairs are kept by turning, and stay in their room', async () => {
  expect(lengths.before.pairs).toEqual([5, 1])
  expect(lengths.before.row).toBeCloseTo(Math.hypot(5, 1), 12)
  expect(largestChange(lengths.before, lengths.rotated)).toBe(0)
  expect(largestChange(lengths.before, lengths.added)).toBe(1)
  expect(await misfits((room) => drawNorms(lengths, room))).toEqual([])
})

it('the table ends with the row itself', () => {
  const { table } = tableOf(lengths)
  expect([table.length, table.row(1), table.row(2)[0]]).toEqual([3, [1, 1, 1, 2], 'the whole vector'])
})
