import { expect, it } from 'vitest'
import { ramp } from '../../charts/colour'
import { positionEncodings } from '../../engine/protocol/mathematics'
import { diverging } from '../../styles/colours'
import { misfits } from '../../testing/outputs'
import * as module from './view'
import { drawWays, largestChange, panelsOf, summed, termsOf, costTable, scoreTable } from './view'

const terms = new Float64Array(128).fill(1)
const there = Float64Array.from(terms, (value, at) => value + (at === 3 ? 0.5 : 0))

it('ways are summed, compared and drawn term by term', async () => {
  expect(summed(terms)[0]).toBe(2)
  expect(largestChange(summed(terms), summed(there))).toBe(0.5)
  expect(largestChange(summed(terms), summed(there.map(() => NaN)))).toBeNaN()
  expect(positionEncodings.every((way) => termsOf[way].length > 0)).toBe(true)
  expect(
    await misfits(({ width, height }) => {
      const panels = panelsOf(terms, there, 'alibi')
      expect(panels).toHaveLength(4)
      return drawWays(panels, width, height, ramp(diverging.light))
    }),
  ).toEqual([])
})

it('tables have the sums here and moved, and four numbers for each way', () => {
  expect(scoreTable(terms, there).table.row(3)).toEqual([0, 3, 2, 2.5])
  expect(costTable(Float64Array.from({ length: 40 }, (_, at) => at)).table.row(1)).toEqual(['sinusoidal', 4, 5, 6, 7])
  expect(costTable(undefined).table.row(9)).toEqual(['RoPE'])
})

it('the maps of another way are not drawn under the name of this one', () => {
  const inputs = { params: { way: 'alibi', first: 10 }, scheme: 'light', width: 800, height: 600 }
  const scores = (way: string) => ({ latest: { request: { params: { way } }, value: { terms, shifted: there } } })
  const output = (way: string) =>
    module.output(inputs as never, { scores: scores(way), costs: {} } as never).pictureFor(undefined)
  expect(output('rope').scene).toBeUndefined()
  expect(output('alibi').published?.subject).toBe('alibi-10')
})
