import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundsOf } from './bounds'
import { figureOf, forms, margin, roomOf, wrapped } from './figure'
import type { Mark } from './marks'

const square: Mark = { kind: 'rect', x: 20, y: -5, width: 300, height: 200, fill: 'bar' }

test('a figure is as wide as a column, two columns or a slide', () => {
  expect(forms.map((form) => Math.round(figureOf({ marks: [square] }, form, '').mm.width))).toEqual([84, 174, 339])
  const slide = figureOf({ marks: [{ ...square, height: 900 }] }, 'slide', 'a caption')
  expect(slide.mm.height / slide.mm.width).toBeCloseTo(9 / 16, 3)
  expect(slide.box.height).toBeGreaterThan(900)
})

test('what is drawn lies in the middle, with a margin on all sides, and nothing is cut off', () => {
  const wide: Mark = { ...square, width: 2000 }
  for (const form of forms)
    for (const mark of [square, wide]) {
      const { box } = figureOf({ marks: [mark] }, form, 'a caption of some words')
      const [left, right] = [mark.x - box.x, box.x + box.width - mark.x - mark.width]
      expect(left).toBeCloseTo(right, 1)
      expect(Math.min(left, mark.y - box.y)).toBeGreaterThanOrEqual(margin - 0.01)
      expect(box.y + box.height - mark.y - mark.height).toBeGreaterThan(margin)
    }
})

test('the caption is text below the picture, within its width', () => {
  const long = Array.from({ length: 60 }, () => 'word').join(' ')
  const { marks, box } = figureOf({ marks: [square] }, 'column', long)
  const lines = marks.flatMap((mark) => (mark.kind === 'text' ? [mark] : []))
  expect(lines.map(({ text }) => text).join(' ')).toBe(long)
  for (const { x, y } of lines) {
    expect(y).toBeGreaterThan(square.y + square.height)
    expect(y).toBeLessThan(box.y + box.height)
    expect(x).toBeGreaterThanOrEqual(box.x + margin)
  }
  expect(wrapped('one', 1)).toEqual(['one'])
})

test('the room of a picture follows its proportion, but on a slide', () => {
  expect(roomOf('column', 1)).toEqual({ width: 380, height: 380 })
  expect(roomOf('page', 0.5)).toEqual({ width: 700, height: 350 })
  expect(roomOf('slide', 1)).toEqual(roomOf('slide', 0.5))
})

test('bounds hold every kind of mark', () => {
  const at = (mark: Mark) => boundsOf([mark])
  expect(at({ kind: 'line', x1: 3, y1: 9, x2: 1, y2: 2 })).toEqual({ x: 1, y: 2, width: 2, height: 7 })
  expect(at({ kind: 'circle', x: 5, y: 5, r: 2 })).toEqual({ x: 3, y: 3, width: 4, height: 4 })
  expect(at({ kind: 'path', d: 'M1 2h3v4h-3Z' })).toEqual({ x: 1, y: 2, width: 3, height: 4 })
  expect(at({ kind: 'path', d: 'M1,2l3,4L-1 0' })).toEqual({ x: -1, y: 0, width: 5, height: 6 })
  expect(at({ kind: 'path', d: 'M0 0a5 5 0 1 0 10 0' })).toEqual({ x: 0, y: -5, width: 10, height: 10 })
  const end = at({ kind: 'text', x: 100, y: 50, text: 'looked', anchor: 'end', size: 10 })
  expect([end.x + end.width, end.y]).toEqual([100, 42])
  const upright = at({ kind: 'text', x: 0, y: 0, text: 'looked', turn: 90, size: 10 })
  expect(upright.height).toBeCloseTo(36)
  expect(upright.y).toBeCloseTo(-36)
  expect(boundsOf([])).toEqual({ x: 0, y: 0, width: 0, height: 0 })
})

test('every corner of a box of marks is within it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer(), fc.integer()), { minLength: 1, maxLength: 9 }), (corners) => {
      const box = boundsOf([{ kind: 'path', d: `M${corners.map(([x, y]) => `${x} ${y}`).join('L')}` }])
      for (const [x, y] of corners) {
        expect(x >= box.x && x <= box.x + box.width).toBe(true)
        expect(y >= box.y && y <= box.y + box.height).toBe(true)
      }
    }),
  )
})
