import { describe, expect, it } from 'vitest'
import { drawBars, fullBar, type BarRow } from './bars'

const row = (over: Partial<BarRow>): BarRow => ({
  id: 0,
  name: 'table',
  value: 0.2,
  numbers: ['20.0 %'],
  ...over,
})

describe('bars', () => {
  it('are measured by the greatest value of all groups, before or now', () => {
    const groups = [
      { title: 'a', rows: [row({ value: 0.2, before: 0.4 })] },
      { title: 'b', rows: [row({ value: 0.1 })] },
    ]
    expect(fullBar(groups)).toBe(0.4)
    expect(fullBar([{ title: '', rows: [row({ value: null })] }])).toBe(0.01)
  })

  it('are drawn within the width, as long as their values are', () => {
    const rows = [row({ value: 0.5 }), row({ id: 1, value: 0.25 })]
    const { marks, width, height } = drawBars([{ title: 'the guess', rows }], 300)
    const bars = marks.filter((mark) => mark.kind === 'rect')
    expect(bars).toHaveLength(2)
    expect((bars[0]?.width ?? 0) / (bars[1]?.width ?? 1)).toBeCloseTo(2)
    for (const bar of bars) {
      expect(bar.x + bar.width).toBeLessThan(width - 40)
      expect(bar.y + bar.height).toBeLessThan(height)
    }
  })

  it('stand under what was before', () => {
    const { marks } = drawBars([{ title: '', rows: [row({ value: 0.1, before: 0.2 })] }], 300)
    const [before, now] = marks.filter((mark) => mark.kind === 'rect')
    expect(before?.fill).toBe('edge')
    expect(now?.fill).toBe('ink')
    expect((before?.width ?? 0) / (now?.width ?? 1)).toBeCloseTo(2)
    expect((before?.y ?? 0) + (before?.height ?? 0)).toBeLessThan(now?.y ?? 0)
  })
})
