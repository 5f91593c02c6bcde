import { describe, expect, it } from 'vitest'
import { chart, thinPoints, type ChartCurve } from './chart'
import { asCursor } from './marks'

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
    const { marks, x, y } = chart(box, axis, axis, curves, 'clear')
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

/** A number for each key, with the selected key. */
function drawByKey(numbers: Float64Array, selected: number, { width, height }: { width: number; height: number }) {
  const last = numbers.length - 1
  const across = { from: 0, to: Math.max(last, 1), name: 'key', integers: true }
  const up = { from: 0, to: Math.max(...numbers), name: 'part' }
  const plan = chart({ x: 0, y: 0, width, height }, across, up, [{ points: thinPoints(numbers, width) }])
  const x = plan.x(selected)
  const line = asCursor([{ kind: 'line', x1: x, x2: x, y1: plan.top, y2: plan.bottom, stroke: 'key' }])
  const keyAt = (px: number) => Math.max(0, Math.min(last, Math.round(plan.at(px))))
  return { scene: { width, height, marks: [...plan.marks, ...line] }, keyAt }
}

describe('the curve of docs/write-a-view.md', () => {
  it('has ticks at keys alone, and a line at the selected one, under which a click finds it', () => {
    const { scene, keyAt } = drawByKey(Float64Array.of(0.5, 0.1, 0.2, 0.2), 2, { width: 800, height: 400 })
    const ticks = scene.marks.flatMap((mark) => (mark.kind === 'text' && mark.anchor === 'middle' ? [mark.text] : []))
    expect(ticks).toEqual(['0', '1', '2', '3'])
    const [line] = scene.marks.filter(({ role }) => role === 'cursor')
    expect(line?.kind === 'line' && keyAt(line.x1)).toBe(2)
    expect([keyAt(-10), keyAt(2000)]).toEqual([0, 3])
  })
})
