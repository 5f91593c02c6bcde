import { describe, expect, it } from 'vitest'
import { drawSums } from './draw'
import { holding, kept, sums, type Option } from './model'
import { headlineOf, rowsOf, tableOf } from './told'

const fills: Option[] = [
  { id: 7, token: 'mat', before: 0.4 },
  { id: 3, token: 'sofa', before: 0.15 },
  { id: 9, token: 'rug', before: 0.05 },
]
const drawn: Option[] = [
  { id: 7, token: 'mat', before: 0.3, after: 0.75 },
  { id: 3, token: 'sofa', before: 0.1, after: 0.25 },
  { id: 9, token: 'rug', before: 0.05, after: 0 },
]

describe('candidates', () => {
  it('add up from the likeliest on', () => {
    expect(sums(fills, ({ before }) => before)).toEqual([0.4, 0.55, expect.closeTo(0.6, 12)])
    expect(sums([], ({ before }) => before)).toEqual([])
  })

  it('know how many hold a share, if so many are listed', () => {
    expect(holding(fills, 0.4)).toBe(1)
    expect(holding(fills, 0.5)).toBe(2)
    expect(holding(fills, 0.7)).toBeUndefined()
  })

  it('know what the settings leave, where something is drawn', () => {
    expect(kept(fills)).toBeUndefined()
    expect(kept(drawn)).toEqual({ count: 2, mass: expect.closeTo(0.4, 12) as number })
  })

  it('stand as bars: before and after where something is drawn, faint where it is cut off', () => {
    expect(rowsOf(fills, undefined)[0]).toEqual({
      id: 7,
      name: 'mat',
      value: 0.4,
      numbers: ['40.0\u00a0%'],
      weight: 'strong',
    })
    const rows = rowsOf(drawn, 3)
    expect(rows.map(({ weight }) => weight)).toEqual([undefined, 'strong', 'faint'])
    expect(rows[1]).toMatchObject({ before: 0.1, value: 0.25, numbers: ['10.0\u00a0%', '25.0\u00a0%'] })
  })

  it('have a headline that is measured', () => {
    expect(headlineOf(fills, '[MASK] 4')).toEqual({
      title: 'For [MASK] 4 the model takes mat first: 40.0\u00a0%.',
      line: '2 tokens hold half of the probability, the 3 tokens listed 60.0\u00a0%.',
    })
    expect(headlineOf(drawn, undefined)).toEqual({
      title: 'The next token is “mat” with 75.0\u00a0%; 2 tokens are left to draw from.',
      line: 'The 3 tokens listed hold 45.0\u00a0% of the probability: less than half. What the settings leave had 40.0\u00a0% before them.',
    })
    expect(headlineOf([], undefined)).toBeUndefined()
  })

  it('have a table that ends with all they hold', () => {
    const { table } = tableOf(drawn)
    expect(table.header).toHaveLength(6)
    expect(table.row(2)).toEqual([3, 'rug', 9, 0.05, expect.closeTo(0.45, 12), 0])
    expect(tableOf(fills).table.row(0)).toEqual([1, 'mat', 7, 0.4, 0.4])
    expect(table.row(3)).toEqual([])
  })
})

describe('their sums as a picture', () => {
  const box = { x: 10, y: 5, width: 200, height: 120 }

  it('has one curve of fills, and two where something is drawn', () => {
    const paths = (options: readonly Option[]) => drawSums(options, box).filter(({ kind }) => kind === 'path')
    expect(paths(fills)).toHaveLength(1)
    expect(paths(drawn)).toHaveLength(2)
  })

  it('ends after the settings at one, and stays within its box', () => {
    const path = drawSums(drawn, box).findLast(({ kind }) => kind === 'path')
    const end = path?.kind === 'path' ? path.d.split('L').at(-1) : ''
    const top = drawSums(drawn, box).find((mark) => mark.kind === 'line' && mark.stroke === 'rule' && mark.y1 < 40)
    expect(Number(end?.match(/,([\d.]+)H/)?.[1])).toBeCloseTo(top?.kind === 'line' ? top.y1 : NaN, 0)
    for (const mark of drawSums(drawn, box)) {
      if (mark.kind !== 'line') continue
      expect(Math.min(mark.x1, mark.x2)).toBeGreaterThanOrEqual(box.x)
      expect(Math.max(mark.x1, mark.x2)).toBeLessThanOrEqual(box.x + box.width)
    }
  })
})
