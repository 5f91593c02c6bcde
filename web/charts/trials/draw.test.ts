import { describe, expect, it } from 'vitest'
import { words } from '../../i18n/words'
import { drawPanels, exponent, type Panel } from './draw'
import { panelsOf } from './panels'

const power = (by: number) => [64, 128, 256, 512].map((length) => [length, 3e-4 * length ** by] as const)
const panel: Panel = {
  title: 'CPU',
  name: 'milliseconds',
  empty: 'not measured yet',
  lines: [
    { label: 'softmax', stroke: 'strong', points: power(2) },
    { label: 'linear', stroke: 'dashed', points: power(1) },
  ],
}
const texts = (panels: readonly Panel[], width = 900) =>
  drawPanels(panels, 'tokens', { width, height: 260 }).marks.flatMap((mark) =>
    mark.kind === 'text' ? [mark.text] : [],
  )

describe('a plot of powers', () => {
  it('fits the exponent of the longer half of a line', () => {
    expect(exponent({ points: power(1.75) })).toBeCloseTo(1.75, 9)
    // What is short is mostly overhead.
    const [first, ...rest] = power(2)
    expect(exponent({ points: [[first?.[0] ?? 64, 9], ...rest] })).toBeCloseTo(2, 9)
    expect(exponent({ points: power(2).slice(0, 1) })).toBeUndefined()
    expect(exponent({ points: [] })).toBeUndefined()
  })

  it('says each exponent, and what is missing', () => {
    expect(texts([panel])).toEqual(
      expect.arrayContaining(['CPU', 'softmax ∝ T^2', 'linear ∝ T^1', 'tokens', '64', '512']),
    )
    expect(texts([{ ...panel, lines: [] }])).toEqual(['CPU', 'milliseconds', 'not measured yet'])
  })

  it('leaves a backend out that the browser has not', () => {
    const said = words.trials
    const titles = (missing: readonly ('gpu' | 'cpu')[]) =>
      panelsOf({ points: [], missing }, ['softmax'], 'bytes').map(({ title }) => title)
    expect(titles([])).toEqual([said.backends.gpu, said.backends.cpu, said.memory])
    expect(titles(['gpu'])).toEqual([said.backends.cpu, said.memory])
  })

  it('lies within its room, its panels below each other where that is narrow', () => {
    for (const width of [330, 620, 1800]) {
      const scene = drawPanels([panel, { ...panel, title: 'GPU' }, { ...panel, lines: [] }], 'tokens', {
        width,
        height: 260,
      })
      for (const mark of scene.marks) {
        const places =
          mark.kind === 'line'
            ? [
                [mark.x1, mark.y1],
                [mark.x2, mark.y2],
              ]
            : 'x' in mark
              ? [[mark.x, mark.y]]
              : []
        for (const [x = 0, y = 0] of places) {
          expect(x >= 0 && x <= width && y >= 0 && y <= scene.height, `${mark.kind} at ${x}, ${y} of ${width}`).toBe(
            true,
          )
        }
      }
      expect(scene.width).toBe(width)
    }
  })
})
