import { expect, it } from 'vitest'
import { bringToFront, openOf, withPanes } from './openViews'

const all = ['map', 'score', 'lines', 'mute']

it('a view that is chosen comes to the front, and the number of panes stays', () => {
  expect(bringToFront(['map', 'score'], 'mute')).toEqual(['mute', 'map'])
  expect(bringToFront(['map', 'score'], 'score')).toEqual(['score', 'map'])
  expect(bringToFront(['map'], 'mute')).toEqual(['mute'])
  expect(bringToFront([], 'mute')).toEqual(['mute'])
})

it('more panes show the next views, fewer drop the last', () => {
  expect(withPanes(['mute'], 3, all)).toEqual(['mute', 'map', 'score'])
  expect(withPanes(['mute', 'map'], 1, all)).toEqual(['mute'])
  expect(withPanes(['mute'], 99, all).length).toBe(3)
  expect(withPanes(['mute'], 0, all)).toEqual(['mute'])
})

it('views that are not there are left out, and one is always open', () => {
  expect(openOf(['attic', 'score'], all)).toEqual(['score'])
  expect(openOf(['attic'], all)).toEqual(['map'])
})
