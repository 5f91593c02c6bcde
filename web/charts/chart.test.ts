import { describe, expect, it } from 'vitest'
import { chart, type ChartCurve } from './chart'

const box = { x: 0, y: 0, width: 800, height: 400 }
const axis = { from: 0, to: 10, name: '' }
const at = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const curve = (label: string, height: (at: number) => number): ChartCurve => ({
  label,
  points: at.map((place) => [place, height(place)] as const),
})

describe('names of curves', () => {
  const curves = [
    curve('flat', () => 0),
    curve('straight', (x) => 10 - x),
    curve('late', (x) => (x < 7 ? 10 : (10 - x) * 3)),
    curve('early', (x) => Math.max(0, 10 - 4 * x)),
  ]

  it('stand at their ends, one above the other where these meet', () => {
    const { marks, right } = chart(box, axis, axis, curves)
    const texts = marks.filter((mark) => mark.kind === 'text' && curves.some(({ label }) => label === mark.text))
    expect(texts.map((mark) => 'x' in mark && mark.x)).toEqual([right, right, right, right])
    const heights = texts.map((mark) => ('y' in mark ? Number(mark.y) : NaN))
    expect(new Set(heights).size).toBe(4)
  })

  it('stand on what they name where curves that meet are to be told apart', () => {
    const { marks, x, y } = chart(box, axis, axis, curves, 'apart')
    for (const [index, { label }] of curves.entries()) {
      const text = marks.find((mark) => mark.kind === 'text' && mark.text === label)
      if (text?.kind !== 'text') throw new Error(`no name ${label}`)
      // How near each curve comes to the middle of the name.
      const middle = Number(text.x) - (label?.length ?? 0) * 3
      const near = curves.map(({ points }) =>
        Math.min(...points.map(([place, value]) => Math.hypot(x(place) - middle, y(value) - Number(text.y)))),
      )
      expect(near.indexOf(Math.min(...near)), label).toBe(index)
    }
  })
})
