// The most probable tokens as bars, in a sentence, as a table and as a curve.
import { describe, expect, it } from 'vitest'
import { countForShare, cumulative, massOfLeft, type Option } from './data'
import { drawCurve } from './curve'
import { firstWith, optionRows, optionTable, sumsLine } from './picture'

const maskFills: Option[] = [
  { id: 7, token: 'mat', before: 0.4 },
  { id: 3, token: 'sofa', before: 0.15 },
  { id: 9, token: 'rug', before: 0.05 },
]
const sampled: Option[] = [
  { id: 7, token: 'mat', before: 0.3, after: 0.75 },
  { id: 3, token: 'sofa', before: 0.1, after: 0.25 },
  { id: 9, token: 'rug', before: 0.05, after: 0 },
]

describe('the most probable tokens', () => {
  it('add up from the most probable on', () => {
    expect(cumulative(maskFills, ({ before }) => before)).toEqual([0.4, 0.55, expect.closeTo(0.6, 12)])
    expect(cumulative([], ({ before }) => before)).toEqual([])
  })

  it('count how many have a share, if so many are listed', () => {
    expect(countForShare(maskFills, 0.4)).toBe(1)
    expect(countForShare(maskFills, 0.5)).toBe(2)
    expect(countForShare(maskFills, 0.7)).toBeUndefined()
  })

  it('have the probability of those that the settings leave, as far as they are listed', () => {
    expect(massOfLeft(sampled, 2)).toBeCloseTo(0.4, 12)
    expect(massOfLeft(sampled, 900)).toBeCloseTo(0.45, 12)
  })

  it('are bars before and after the settings, faint where they are cut off', () => {
    const rows = optionRows(sampled, 3)
    expect(rows.map(({ weight }) => weight)).toEqual([undefined, 'strong', 'faint'])
    expect(rows[1]).toMatchObject({ before: 0.1, value: 0.25, numbers: ['10.0\u00a0%', '25.0\u00a0%'] })
  })

  it('have the sampled token as the last row, where it is none of the first', () => {
    const far: Option = { id: 40, token: 'moon', before: 0.001, after: 0.002 }
    const idsOf = (id: number | undefined, most: number) => firstWith(id, [...sampled, far], most).map(({ id }) => id)
    expect(idsOf(40, 3)).toEqual([7, 3, 40])
    expect([idsOf(3, 3), idsOf(undefined, 3)]).toEqual([
      [7, 3, 9],
      [7, 3, 9],
    ])
    expect(optionRows(firstWith(40, [...sampled, far], 2), 40).map(({ weight }) => weight)).toEqual([
      undefined,
      'strong',
    ])
    const { table } = optionTable(sampled, { left: 900, unlisted: far })
    expect([table.length, table.row(3)]).toEqual([4, ['', 'moon', 40, 0.001, '', 0.002]])
  })

  it('are summed up in a sentence', () => {
    expect(sumsLine(maskFills)).toBe('2 tokens have half of the probability, the top 3 tokens 60.0\u00a0%.')
    expect(sumsLine(sampled, 2)).toBe(
      'The top 3 tokens have 45.0\u00a0% of the probability: less than half. The settings leave 2 tokens, which had 40.0\u00a0% before them.',
    )
    expect(sumsLine(sampled, 900)).toMatch(
      / The settings leave 900 tokens, which had at least 45.0\u00a0% before them.$/,
    )
    expect(sumsLine(sampled, 3)).toMatch(/ The settings leave 3 tokens, which had 45.0\u00a0% before them.$/)
    expect(sumsLine([])).toBe('')
  })

  it('have a table that ends with the sum of all', () => {
    const { table } = optionTable(sampled, { left: 2 })
    expect(table.header).toHaveLength(6)
    expect(table.row(2)).toEqual([3, 'rug', 9, 0.05, expect.closeTo(0.45, 12), 0])
    expect(optionTable(maskFills).table.row(0)).toEqual([1, 'mat', 7, 0.4, 0.4])
    expect(table.row(3)).toEqual([])
  })
})

describe('their curve', () => {
  const box = { x: 10, y: 5, width: 200, height: 120 }

  it('is one of fills, and two where a token is sampled', () => {
    const paths = (options: readonly Option[], left?: number) =>
      drawCurve(options, left, box).filter(({ kind }) => kind === 'path')
    expect(paths(maskFills)).toHaveLength(1)
    expect(paths(sampled, 2)).toHaveLength(2)
  })

  it('has a line at the last token that is left, if it is listed', () => {
    const dashes = (left: number) =>
      drawCurve(sampled, left, box).filter((mark) => mark.kind === 'line' && mark.dash !== undefined)
    expect([dashes(2).length, dashes(900).length]).toEqual([1, 0])
  })

  it.each([2, 900])('ends after the settings at one, and stays within its box: %i left', (left) => {
    const path = drawCurve(sampled, left, box).findLast(({ kind }) => kind === 'path')
    const end = path?.kind === 'path' ? path.d.split('L').at(-1) : ''
    const top = drawCurve(sampled, left, box).find(
      (mark) => mark.kind === 'line' && mark.stroke === 'rule' && mark.y1 < 40,
    )
    expect(Number(end?.match(/,([\d.]+)H/)?.[1])).toBeCloseTo(top?.kind === 'line' ? top.y1 : NaN, 0)
    for (const mark of drawCurve(sampled, left, box)) {
      if (mark.kind !== 'line') continue
      expect(Math.min(mark.x1, mark.x2)).toBeGreaterThanOrEqual(box.x)
      expect(Math.max(mark.x1, mark.x2)).toBeLessThanOrEqual(box.x + box.width)
    }
  })
})
