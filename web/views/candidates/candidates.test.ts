import { describe, expect, it, vi } from 'vitest'
import { countForShare, cumulative, remainingOf, type Option } from './data'
import { drawCurve, rowsOf } from './picture'
import { headlineOf, tableOf } from './view'

// A component needs a window.
vi.mock('./View.svelte', () => ({ default: {} }))

const fills: Option[] = [
  { id: 7, token: 'mat', before: 0.4 },
  { id: 3, token: 'sofa', before: 0.15 },
  { id: 9, token: 'rug', before: 0.05 },
]
const sampled: Option[] = [
  { id: 7, token: 'mat', before: 0.3, after: 0.75 },
  { id: 3, token: 'sofa', before: 0.1, after: 0.25 },
  { id: 9, token: 'rug', before: 0.05, after: 0 },
]

describe('candidates', () => {
  it('add up from the most likely on', () => {
    expect(cumulative(fills, ({ before }) => before)).toEqual([0.4, 0.55, expect.closeTo(0.6, 12)])
    expect(cumulative([], ({ before }) => before)).toEqual([])
  })

  it('count how many have a share, if so many are listed', () => {
    expect(countForShare(fills, 0.4)).toBe(1)
    expect(countForShare(fills, 0.5)).toBe(2)
    expect(countForShare(fills, 0.7)).toBeUndefined()
  })

  it('count what the settings leave, where a token is sampled', () => {
    expect(remainingOf(fills)).toBeUndefined()
    expect(remainingOf(sampled)).toEqual({ count: 2, mass: expect.closeTo(0.4, 12) as number })
  })

  it('are bars: before and after where a token is sampled, faint where it is cut off', () => {
    expect(rowsOf(fills, undefined)[0]).toEqual({
      id: 7,
      name: 'mat',
      value: 0.4,
      numbers: ['40.0\u00a0%'],
      weight: 'strong',
    })
    const rows = rowsOf(sampled, 3)
    expect(rows.map(({ weight }) => weight)).toEqual([undefined, 'strong', 'faint'])
    expect(rows[1]).toMatchObject({ before: 0.1, value: 0.25, numbers: ['10.0\u00a0%', '25.0\u00a0%'] })
  })

  it('have a headline', () => {
    expect(headlineOf(fills, '[MASK] 4')).toEqual({
      title: 'Top candidate for [MASK] 4: mat, 40.0\u00a0%.',
      line: '2 tokens have half of the probability, the top 3 tokens 60.0\u00a0%.',
    })
    expect(headlineOf(sampled, undefined)).toEqual({
      title: 'Most likely next token: “mat”, 75.0\u00a0%. The settings leave 2 tokens.',
      line: 'The top 3 tokens have 45.0\u00a0% of the probability: less than half. The remaining tokens had 40.0\u00a0% before the settings.',
    })
    expect(headlineOf([], undefined)).toBeUndefined()
  })

  it('have a table that ends with the sum of all', () => {
    const { table } = tableOf(sampled)
    expect(table.header).toHaveLength(6)
    expect(table.row(2)).toEqual([3, 'rug', 9, 0.05, expect.closeTo(0.45, 12), 0])
    expect(tableOf(fills).table.row(0)).toEqual([1, 'mat', 7, 0.4, 0.4])
    expect(table.row(3)).toEqual([])
  })
})

describe('their curve', () => {
  const box = { x: 10, y: 5, width: 200, height: 120 }

  it('is one of fills, and two where a token is sampled', () => {
    const paths = (options: readonly Option[]) => drawCurve(options, box).filter(({ kind }) => kind === 'path')
    expect(paths(fills)).toHaveLength(1)
    expect(paths(sampled)).toHaveLength(2)
  })

  it('ends after the settings at one, and stays within its box', () => {
    const path = drawCurve(sampled, box).findLast(({ kind }) => kind === 'path')
    const end = path?.kind === 'path' ? path.d.split('L').at(-1) : ''
    const top = drawCurve(sampled, box).find((mark) => mark.kind === 'line' && mark.stroke === 'rule' && mark.y1 < 40)
    expect(Number(end?.match(/,([\d.]+)H/)?.[1])).toBeCloseTo(top?.kind === 'line' ? top.y1 : NaN, 0)
    for (const mark of drawCurve(sampled, box)) {
      if (mark.kind !== 'line') continue
      expect(Math.min(mark.x1, mark.x2)).toBeGreaterThanOrEqual(box.x)
      expect(Math.max(mark.x1, mark.x2)).toBeLessThanOrEqual(box.x + box.width)
    }
  })
})
