import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Action } from './keys'
import { slide, walkCell, walkGrid, walkHeads, walkRow } from './walk'

const actions: Action[] = ['left', 'right', 'up', 'down', 'pageUp', 'pageDown', 'first', 'last']

describe('the cursor on a map', () => {
  it('goes a key or a query on, along the row, and ten rows', () => {
    const to = (action: Action) => walkCell({ query: 9, key: 8 }, action, { queries: 22, keys: 22 })
    expect(to('left')).toEqual({ query: 9, key: 7 })
    expect(to('down')).toEqual({ query: 10, key: 8 })
    expect(to('pageDown')).toEqual({ query: 19, key: 8 })
    expect(to('pageUp')).toEqual({ query: 0, key: 8 })
    expect(to('first')).toEqual({ query: 9, key: 0 })
    expect(to('last')).toEqual({ query: 9, key: 21 })
    expect(to('take')).toBeUndefined()
    expect(walkCell({ query: 9, key: 8 }, undefined, { queries: 22, keys: 22 })).toBeUndefined()
  })

  it('stays on the map', () => {
    const size = fc.integer({ min: 1, max: 600 })
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), fc.constantFrom(...actions), (length, query, key, action) => {
        const to = walkCell({ query: query % length, key: key % length }, action, { queries: length, keys: length })
        expect(to && Math.min(to.query, to.key)).toBeGreaterThanOrEqual(0)
        expect(to && Math.max(to.query, to.key)).toBeLessThan(length)
      }),
    )
  })
})

it('up and Page Up lead back in a row, and are more on a scale', () => {
  expect([walkRow(5, 'up', 9), walkRow(5, 'pageUp', 9, 3), walkRow(5, 'pageDown', 9)]).toEqual([4, 2, 9])
  expect([slide(5, 'up', 9), slide(5, 'pageUp', 9, 3), slide(5, 'pageDown', 9)]).toEqual([6, 8, 0])
  expect([slide(3, 'left', 9), slide(3, 'right', 9), slide(3, 'last', 9), slide(0, 'left', 9)]).toEqual([2, 4, 9, 0])
  expect([walkRow(5, 'leave', 9), slide(5, undefined, 9)]).toEqual([undefined, undefined])
})

describe('heads', () => {
  it('are walked on their grid', () => {
    const to = (action: Action) => walkGrid({ layer: 2, head: 6 }, action, 4, 8)
    expect(to('left')).toEqual({ layer: 2, head: 5 })
    expect(to('up')).toEqual({ layer: 1, head: 6 })
    expect(to('pageDown')).toEqual({ layer: 3, head: 6 })
    expect(to('last')).toEqual({ layer: 2, head: 7 })
    expect(to('take')).toBeUndefined()
    expect(walkGrid({ layer: 0, head: 0 }, 'up', 4, 8)).toEqual({ layer: 0, head: 0 })
  })

  it('are walked by brackets, on into the next layer', () => {
    const to = (action: Action, layer = 2, head = 7) => walkHeads({ layer, head }, action, 4, 8)
    expect(to('headOn')).toEqual({ layer: 3, head: 0 })
    expect(to('headBack')).toEqual({ layer: 2, head: 6 })
    expect(to('headBack', 0, 0)).toEqual({ layer: 0, head: 0 })
    expect(to('headOn', 3, 7)).toEqual({ layer: 3, head: 7 })
    expect([to('layerOn'), to('layerBack')]).toEqual([
      { layer: 3, head: 7 },
      { layer: 1, head: 7 },
    ])
    expect(to('left')).toBeUndefined()
  })
})
