import { describe, expect, it } from 'vitest'
import { words } from '../../i18n/words'
import { draw, layOut, pointAt } from './draw'
import type { MeasuredHead } from '../../session/headStatistics'

const axes = { x: 'distance', y: 'entropy', shade: 'previous' } as const

/** Heads here and there, the same ones always. */
function some(layers: number, heads: number): MeasuredHead[] {
  return Array.from({ length: layers * heads }, (_, index) => ({
    layer: Math.floor(index / heads),
    head: index % heads,
    numbers: {
      distance: 40 * Math.abs(Math.sin(index * 1.7)),
      entropy: 6 * Math.abs(Math.cos(index * 2.3)),
      previous: (index % 7) / 7,
    },
  }))
}

const marked = { chosen: { layer: 2, head: 6 }, looked: { layer: 2, head: 6 } }

describe.each([
  [440, 400],
  [358, 520],
  [388, 200],
] as const)('points in %i × %i px', (width, height) => {
  it.each([
    [4, 8],
    [12, 12],
    [32, 32],
  ])('of %i × %i heads stay within, and no name hides another', (layers, count) => {
    const heads = some(layers, count)
    const layout = layOut(width, height, heads, axes)
    const scene = draw(heads, axes, layout, marked, words.points)
    for (const { x, y } of layout.points) {
      expect(x >= layout.left && x <= layout.right && y >= layout.top && y <= layout.bottom).toBe(true)
    }
    const names = scene.marks.flatMap((mark) =>
      mark.kind === 'text' && /^\d+\.\d+$/.test(mark.text) && mark.anchor === undefined ? [mark] : [],
    )
    expect(names.filter(({ bold }) => bold).map(({ text }) => text)).toEqual(['2.6'])
    const boxes = names.map(({ x, y, text }) => ({ left: x, right: x + text.length * 6.7, top: y - 10, bottom: y + 2 }))
    boxes.forEach((box, index) => {
      expect(box.left).toBeGreaterThanOrEqual(0)
      expect(box.right).toBeLessThanOrEqual(width)
      for (const other of boxes.slice(index + 1)) {
        const apart =
          box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top
        expect(apart).toBe(true)
      }
    })
  })
})

describe('points', () => {
  const heads = some(4, 8)
  const layout = layOut(440, 400, heads, axes)

  it('are on two axes from 0', () => {
    const ticks = [layout.xTicks, layout.yTicks].map((axis) => axis[0]?.value)
    expect(ticks).toEqual([0, 0])
    const [one, other] = [layout.points[1], layout.points[2]]
    const farther = (other?.head.numbers.distance ?? 0) > (one?.head.numbers.distance ?? 0)
    expect((other?.x ?? 0) > (one?.x ?? 0)).toBe(farther)
  })

  it('are meant near them, the nearest one', () => {
    const [point] = layout.points
    expect(pointAt((point?.x ?? 0) + 1, point?.y ?? 0, layout)).toBe(point?.head)
    expect(pointAt(layout.left - 30, layout.top, layout)).toBeUndefined()
  })

  it('that are all the same are still drawn', () => {
    const same = heads.map((head) => ({ ...head, numbers: { distance: 0, entropy: 0, previous: 0 } }))
    const flat = draw(same, axes, layOut(440, 400, same, axes), marked, words.points)
    expect(JSON.stringify(flat)).not.toMatch(/null|NaN/)
  })

  it('are shaded by the root of the third statistic', () => {
    const scene = draw(heads, axes, layout, marked, words.points)
    const shades = scene.marks.flatMap((mark) =>
      mark.kind === 'circle' && mark.fill === 'ink' ? [mark.opacity ?? 1] : [],
    )
    expect(shades).toHaveLength(heads.length)
    expect(Math.min(...shades)).toBe(0)
    expect(Math.max(...shades)).toBeCloseTo(0.8, 12)
  })
})
