import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundsOf, linesOf, textWidth, figureOf, forms, margin, roomOf } from './figure'
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
})

/** Advance widths in thousandths, from U+0020 on: of Helvetica, which Arial has too (Adobe's Core 14 AFM), and of DejaVu Sans. */
const advances = [
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584',
  '318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337 337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732 684 989 685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592 592 525 636 337 636 838',
].map((widths) => widths.split(' ').map(Number))

const widest = advances[0]?.map((width, at) => Math.max(width, advances[1]?.[at] ?? 0)) ?? []

/** px as either prints it; other characters are as wide as they are high. */
const printed = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + (widest[(letter.codePointAt(0) ?? 0) - 32] ?? 1000), 0) * (size / 1000)

test('no line of a caption leaves the paper, whatever its letters', () => {
  const captions = [
    '中'.repeat(120),
    'ACDEFGHIKLMNPQRSTVWY'.repeat(4).slice(0, 70),
    'W'.repeat(70),
    `m${'M%@w'.repeat(30)}`,
    `https://example.org/${'path/'.repeat(40)}`,
    `roformer-english · L2·H6 · attention weight · “${'word '.repeat(24).trim()}…”`,
  ]
  for (const form of forms)
    for (const caption of captions) {
      const { marks, box } = figureOf({ marks: [square] }, form, caption)
      const lines = marks.flatMap((mark) => (mark.kind === 'text' ? [mark] : []))
      // A line ends at a space, or within a word.
      expect(
        lines
          .map(({ text }) => text)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(caption.replaceAll(' ', ''))
      for (const { x, y, text, size = NaN } of lines) {
        expect(x + printed(text, size), text).toBeLessThanOrEqual(box.x + box.width - margin + 0.01)
        expect(y).toBeLessThan(box.y + box.height)
      }
    }
})

test('a letter is as wide as in the wider font, or a little wider', () => {
  widest.forEach((advance, at) => {
    const width = textWidth(String.fromCharCode(at + 32), 1000)
    expect(width).toBeGreaterThanOrEqual(advance)
    expect(width - advance).toBeLessThan(310)
  })
})

test('a word that is too wide breaks between its letters, and others between words', () => {
  expect(linesOf('one', 1, 11)).toEqual(['o', 'n', 'e'])
  expect(linesOf('e\u0301e\u0301', 1, 11)).toEqual(['e\u0301', 'e\u0301'])
  expect(linesOf('a word WWWWWWWWWW', 70, 11)).toEqual(['a word', 'WWWWWW', 'WWWW'])
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
  expect(upright.height).toBeCloseTo(textWidth('looked', 10))
  expect(upright.y).toBeCloseTo(-upright.height)
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
