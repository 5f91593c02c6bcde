import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrange, bringToFront, gap, openOf, openOnPhone, replaceView, withPanes, type ViewShape } from './arrangement'

const map: ViewShape = { id: 'map', shape: 'square', minWidth: 360 }
const score: ViewShape = { id: 'score', shape: 'tall', minWidth: 320 }
const points: ViewShape = { id: 'points', shape: 'wide', minWidth: 320 }

describe('the stage', () => {
  it('gives a lone view all there is', () => {
    expect(arrange([map], 840, 500)).toEqual([[{ id: 'map', width: 840, height: 500 }]])
  })

  it('stands two side by side from 1280 px on, without scrolling', () => {
    const [[left, right] = [], ...below] = arrange([map, score], 840, 460)
    expect([left?.height, right?.height, below]).toEqual([460, 460, []])
    expect((left?.width ?? 0) + gap + (right?.width ?? 0)).toBeCloseTo(840)
  })

  it('stands them below each other on a phone, each with a screen’s height', () => {
    expect(arrange([map, score], 358, 600)).toEqual([
      [{ id: 'map', width: 358, height: 600 }],
      [{ id: 'score', width: 358, height: 600 }],
    ])
  })

  it('gives a map that is one of two rows room to name its tokens', () => {
    expect(arrange([map, score], 620, 700).map(([place]) => place?.height)).toEqual([440, 340])
  })

  it('keeps the order, and gives every view its minWidth width and no row more than there is', () => {
    const view = fc.constantFrom(map, score, points)
    fc.assert(
      fc.property(
        fc.array(view, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 320, max: 2600 }),
        (open, width) => {
          const views = open.map((one, index) => ({ ...one, id: `${index}` }))
          const rows = arrange(views, width, 560)
          expect(rows.flat().map(({ id }) => id)).toEqual(views.map(({ id }) => id))
          for (const row of rows) {
            const used = row.reduce((sum, place) => sum + place.width, gap * (row.length - 1))
            expect(used).toBeLessThanOrEqual(width + 1e-6)
            for (const place of row) expect(place.width).toBeGreaterThanOrEqual(Math.min(width, 320) - 1e-6)
          }
        },
      ),
    )
  })
})

const ids = ['map', 'score', 'lines', 'mute']

it('a view that is chosen comes to the front, and the number of panes stays', () => {
  expect(bringToFront(['map', 'score'], 'mute')).toEqual(['mute', 'map'])
  expect(bringToFront(['map', 'score'], 'score')).toEqual(['score', 'map'])
  expect(bringToFront(['map'], 'mute')).toEqual(['mute'])
  expect(bringToFront([], 'mute')).toEqual(['mute'])
})

it('a phone shows the front view, and the dials where nobody chose', () => {
  expect(openOnPhone(['map', 'score'])).toEqual(['score'])
  expect(openOnPhone(['map'])).toEqual(['map'])
  expect(openOnPhone(['lines', 'score'])).toEqual(['lines'])
})

it('a view in the place of another is the one that a phone shows', () => {
  expect(replaceView(['rotate', 'score'], 'rotate', 'map', false)).toEqual(['map', 'score'])
  expect(replaceView(['map', 'rotate'], 'rotate', 'map', false)).toEqual(['map'])
  expect(openOnPhone(replaceView(['rotate', 'score'], 'rotate', 'map', true))).toEqual(['map'])
})

it('more panes show the next views, fewer drop the last', () => {
  expect(withPanes(['mute'], 3, ids)).toEqual(['mute', 'map', 'score'])
  expect(withPanes(['mute', 'map'], 1, ids)).toEqual(['mute'])
  expect(withPanes(['mute'], 99, ids).length).toBe(3)
  expect(withPanes(['mute'], 0, ids)).toEqual(['mute'])
})

it('views that are not there are left out, and one is always open', () => {
  expect(openOf(['attic', 'score'], ids)).toEqual(['score'])
  expect(openOf(['attic'], ids)).toEqual(['map'])
})
