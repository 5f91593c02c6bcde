import { describe, expect, it, vi } from 'vitest'
import { statisticOf, type MeasuredHead } from '../../session/headStatistics.svelte'
import type { Action } from '../../ui/keys'
import { brief, directionOf, inOrder, mostSimilar, nextSorting, tableOf, walk } from './data.svelte'
import { t } from './messages.en'
import { drawPoints, layOut, pointAt, headlineOf } from './view'

// A component needs a window.
vi.mock('./View.svelte', () => ({ default: {} }))

const head = (layer: number, head: number, distance: number, entropy = 1): MeasuredHead => ({
  layer,
  head,
  numbers: { distance, entropy },
})

const four = [head(0, 0, 3, 4), head(0, 1, 1, 3), head(1, 0, 7, 1), head(1, 1, 1, 2)]
const names = (heads: readonly MeasuredHead[]) => heads.map(({ layer, head }) => `${layer}.${head}`)

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

const highlights = { selected: { layer: 2, head: 6 }, preview: { layer: 2, head: 6 } }

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
    const scene = drawPoints(heads, axes, layout, highlights)
    for (const { x, y } of layout.points) {
      expect(x >= layout.left && x <= layout.right && y >= layout.top && y <= layout.bottom).toBe(true)
    }
    const names = scene.marks.flatMap((mark) =>
      mark.kind === 'text' && /^L\d+·H\d+$/.test(mark.text) && mark.anchor === undefined ? [mark] : [],
    )
    expect(names.filter(({ bold }) => bold).map(({ text }) => text)).toEqual(['L2·H6'])
    const boxes = names.map(({ x, y, text }) => ({ left: x, right: x + text.length * 6.7, top: y - 10, bottom: y + 2 }))
    boxes.forEach((box, index) => {
      expect(box.left).toBeGreaterThanOrEqual(0)
      expect(box.right).toBeLessThanOrEqual(width)
      for (const other of boxes.slice(index + 1)) {
        const separate =
          box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top
        expect(separate).toBe(true)
      }
    })
  })
})

it('of two highlights in a crowd neither name hides the other', () => {
  const crowd = Array.from({ length: 32 }, (_, index) => head(0, index, 3 + 0.01 * index, 3))
  const layout = layOut(388, 200, [...crowd, head(1, 0, 0, 0), head(1, 1, 6, 6)], axes)
  const of = { selected: { layer: 0, head: 15 }, preview: { layer: 0, head: 16 } }
  const bold = drawPoints(crowd, axes, layout, of).marks.flatMap((mark) =>
    mark.kind === 'text' && mark.bold ? [mark] : [],
  )
  expect(bold.map(({ text }) => text).sort()).toEqual(['L0·H15', 'L0·H16'])
  const [one, other] = bold
  expect(Math.abs(one!.x - other!.x) >= 6 * 6.7 + 4 || Math.abs(one!.y - other!.y) >= 13).toBe(true)
})

describe('points', () => {
  const heads = some(4, 8)
  const layout = layOut(440, 400, heads, axes)

  it('are on two axes from 0', () => {
    const ticks = [layout.x, layout.y].map(({ ticks }) => ticks[0])
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
    const flat = drawPoints(same, axes, layOut(440, 400, same, axes), highlights)
    expect(JSON.stringify(flat)).not.toMatch(/null|NaN/)
  })

  it('are shaded by the root of the third statistic', () => {
    const scene = drawPoints(heads, axes, layout, highlights)
    const shades = scene.marks.flatMap((mark) =>
      mark.kind === 'circle' && mark.fill === 'ink' ? [mark.opacity ?? 1] : [],
    )
    expect(shades).toHaveLength(heads.length)
    expect(Math.min(...shades)).toBe(0)
    expect(Math.max(...shades)).toBeCloseTo(0.8, 12)
  })
})

it('the heads with the most similar maps come first, without the head itself or maps without variation', () => {
  const found = mostSimilar(Float64Array.of(0.5, 1, NaN, -0.2, 0.7, 0.1), 3, { layer: 0, head: 1 }, 3)
  expect(found.map(({ layer, head, correlation }) => [layer, head, correlation])).toEqual([
    [1, 1, 0.7],
    [0, 0, 0.5],
    [1, 2, 0.1],
  ])
})

describe('the table', () => {
  it('reverses when it is sorted by the same again', () => {
    expect(nextSorting('head', 'distance')).toBe('-distance')
    expect(nextSorting('-distance', 'distance')).toBe('distance')
    expect(nextSorting('distance', 'distance')).toBe('-distance')
    expect(directionOf('-distance', 'distance')).toBe('descending')
    expect(directionOf('distance', 'distance')).toBe('ascending')
    expect(directionOf('head', 'distance')).toBeUndefined()
    expect(names(inOrder(four, '-entropy'))).toEqual(['0.0', '0.1', '1.1', '1.0'])
    expect(names(inOrder(four, 'head'))).toEqual(names(four))
  })

  it('has a row for each head and a column for each statistic', () => {
    const { table } = tableOf(four, ['entropy', 'distance'])
    expect(table.header).toEqual(['head', 'spread of its weight, bits', 'mean distance, tokens'])
    expect(table.length).toBe(4)
    expect(table.row(2)).toEqual([{ layer: 1, head: 0 }, 1, 7])
    expect(brief(0.5, 'previous')).toBe('0.50')
    expect(brief(-0.049, 'correlation')).toBe('−0.05')
    expect(brief(12.34, statisticOf('distance').id)).toBe('12.3')
  })
})

it('arrow keys move through the heads in the order of each axis', () => {
  const axes = { x: 'distance', y: 'entropy' } as const
  const to = (press: Action | undefined, layer: number, at: number) => {
    const found = walk(press, { layer, head: at }, four, axes)
    return found && `${found.layer}.${found.head}`
  }
  expect(['0.1', '1.1', '0.0', '1.0']).toEqual([
    to('first', 1, 0),
    to('right', 0, 1),
    to('right', 1, 1),
    to('last', 0, 1),
  ])
  expect(to('left', 0, 1)).toBe('0.1')
  expect(to('right', 1, 0)).toBe('1.0')
  expect(to('up', 1, 0)).toBe('1.1')
  expect(to('down', 0, 1)).toBe('1.1')
  expect(to(undefined, 0, 1)).toBeUndefined()
})

it('the headline ranks the head, and names what it was measured on', () => {
  const axes = { x: 'distance', y: 'entropy', shade: 'previous' } as const
  const headline = (at: number) => headlineOf(four, four[at] ?? head(0, 0, 0), axes, t().overText(22))
  expect(headline(2)).toEqual({
    title: 'Of 4 heads, head L1·H0 has the smallest spread of its weight.',
    line: '1.0 bits; mean distance 7.0 tokens, the largest. Measured on the 22 tokens of this text.',
  })
  expect(headline(1).title).toBe('Head L0·H1 has the second largest spread of its weight of 4 heads.')
})

it('of equal heads none comes first', () => {
  const title = (distances: readonly number[]) => {
    const heads = distances.map((distance, index) => head(0, index, distance, 0))
    return headlineOf(heads, head(0, 1, distances[1] ?? NaN, 0), axes, 'on 2 tokens').title
  }
  expect(title([0, 0, 0])).toBe('All 3 heads are equal here.')
  expect(title([0, 2, 1])).toMatch(/^Of 3 heads, head L0·H1 has/)
})
