// A picture as a figure of a paper or a slide: its size on paper, its margin and its caption, by the bounds of its marks.
import { type Box, type Mark, type Scene, type Size, ellipsis, type Text } from './marks'
import type { Point } from '../ui/pointer'
import { columns } from './labels'

/** One column of a paper, two columns, and a slide. */
export const forms = ['column', 'page', 'slide'] as const
export type Form = (typeof forms)[number]

const mmPerPx = 25.4 / 96

/** `mm`: its width on paper; `across`: the px that are drawn across it, so type of 11 px is printed at 6.5, 7.5 and 11 pt. */
const sizes: Readonly<Record<Form, { mm: number; across: number; ratio?: number }>> = {
  column: { mm: 84, across: 400 },
  page: { mm: 174, across: 720 },
  slide: { mm: 1280 * mmPerPx, across: 960, ratio: 9 / 16 },
}

/** In px, on all sides. */
export const margin = 10
const captionSize = 11
const captionLine = 15
const captionGap = 8

/** The room of a picture. @param proportion its height in parts of its width, where the form leaves that open */
export function roomOf(form: Form, proportion: number): Size {
  const { across, ratio } = sizes[form]
  const width = across - 2 * margin
  return { width, height: ratio ? across * ratio - 2 * margin - 2 * captionLine : Math.round(width * proportion) }
}

export interface Figure {
  /** What of the plane is drawn, in px. */
  box: Box
  /** On paper. */
  mm: Size
  marks: readonly Mark[]
}

/** @param caption empty: none */
export function figureOf({ marks }: Pick<Scene, 'marks'>, form: Form, caption: string): Figure {
  const { mm, across, ratio } = sizes[form]
  const drawn = boundsOf(marks)
  const wide = Math.max(across, drawn.width + 2 * margin)
  const lines = caption === '' ? [] : linesOf(caption, wide - 2 * margin, captionSize)
  const captionHeight = lines.length === 0 ? 0 : lines.length * captionLine + captionGap
  const least = drawn.height + captionHeight + 2 * margin
  const width = ratio ? Math.max(wide, least / ratio) : wide
  const height = ratio ? width * ratio : least
  const box = {
    x: round(drawn.x - (width - drawn.width) / 2),
    y: round(drawn.y - margin - (height - least) / 2),
    width: round(width),
    height: round(height),
  }
  const top = drawn.y + drawn.height + captionGap
  const text = lines.map((text, line): Mark => {
    const y = round(top + line * captionLine + 11)
    return { kind: 'text', x: round(box.x + (width - wide) / 2 + margin), y, text, tone: 'ink', size: captionSize }
  })
  return { box, mm: { width: mm, height: round((mm * height) / width) }, marks: [...marks, ...text] }
}

const round = (value: number) => Math.round(value * 100) / 100

/** The least box around marks; empty where there are none. */
export function boundsOf(marks: readonly Mark[]): Box {
  const corners = marks.flatMap(cornersOf)
  if (corners.length === 0) return { x: 0, y: 0, width: 0, height: 0 }
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y } of corners) {
    ;[left, right] = [Math.min(left, x), Math.max(right, x)]
    ;[top, bottom] = [Math.min(top, y), Math.max(bottom, y)]
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

function cornersOf(mark: Mark): Point[] {
  switch (mark.kind) {
    case 'rect':
    case 'raster':
      return [
        { x: mark.x, y: mark.y },
        { x: mark.x + Math.max(mark.width, 0), y: mark.y + Math.max(mark.height, 0) },
      ]
    case 'line':
      return [
        { x: mark.x1, y: mark.y1 },
        { x: mark.x2, y: mark.y2 },
      ]
    case 'circle':
      return [
        { x: mark.x - mark.r, y: mark.y - mark.r },
        { x: mark.x + mark.r, y: mark.y + mark.r },
      ]
    case 'path':
      return cornersOfPath(mark.d)
    case 'text':
      return cornersOfText(mark)
  }
}

/** Widths of characters as parts of the font size: the widest of each class. The first class that matches counts. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[ijl']/, 0.28],
  [/[I., \u00a0‘’·]/, 0.34],
  [/[frtJ:;!|/\\[\]()-]/, 0.5],
  [/["“”„*`°–]/, 0.56],
  [/[mMW%@—…]/, 1.02],
  [/[A-Zw&#+<=>^~]/, 0.84],
  [/[\u0020-\u007e]/, 0.64],
  [/\p{Script=Latin}/u, 0.84],
  [/\p{Emoji_Presentation}/u, 1.3],
]
/** Of characters of no class, such as Chinese ones. */
const otherWidth = 1
/** How much wider bold letters are, at most. */
const boldFactor = 1.15

function characterWidth(character: string): number {
  if (columns(character) === 0) return 0
  return widths.find(([letters]) => letters.test(character))?.[1] ?? otherWidth
}

/** px of a text at a size. */
export const textWidth = (text: string, size: number): number =>
  [...text].reduce((width, character) => width + characterWidth(character), 0) * size

/** The lines of a text at a size that fit into a width. A word that is wider breaks between its letters. */
export function linesOf(text: string, width: number, size: number): string[] {
  const fits = (line: string) => textWidth(line, size) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const { segment } of letters.segment(word)) {
      if (line !== '' && !fits(line + segment)) {
        lines.push(line)
        line = ''
      }
      line += segment
    }
  }
  return [...lines, line]
}

/** An accent, or a part of an emoji, stays with its letter. */
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function cornersOfText(mark: Text): Point[] {
  const { x, y, size = 11, anchor = 'start', turn = 0 } = mark
  const text = ellipsis(mark)
  if (text.trim() === '') return []
  const width = textWidth(text, size) * (mark.bold ? boldFactor : 1)
  const left = { start: 0, middle: -width / 2, end: -width }[anchor]
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
  return [left, left + width].flatMap((along) =>
    [-0.8 * size, 0.25 * size].map((down) => ({ x: x + along * cos + down * sin, y: y - along * sin + down * cos })),
  )
}

/** The ends of its segments, and the control points of curves: a curve stays among them. Of an arc the box of its radii is added. */
function cornersOfPath(d: string): Point[] {
  const corners: Point[] = []
  let at: Point = { x: 0, y: 0 }
  for (const [, letter = '', rest = ''] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const numbers = (rest.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number)
    const kind = letter.toUpperCase()
    const from = letter === kind ? { x: 0, y: 0 } : at
    const step = { H: 1, V: 1, A: 7 }[kind] ?? 2
    for (let first = 0; first + step <= numbers.length; first += step) {
      const [x = 0, y = 0] = numbers.slice(first + step - Math.min(step, 2), first + step)
      const last = at
      const base = letter === kind ? from : kind === 'A' || kind === 'L' || kind === 'M' ? at : from
      if (kind === 'H') at = { x: from.x + x, y: at.y }
      else if (kind === 'V') at = { x: at.x, y: from.y + x }
      else at = { x: base.x + x, y: base.y + y }
      corners.push(at)
      if (kind === 'A') corners.push(...arcCorners(last, at, numbers[first] ?? 0, numbers[first + 3] === 1))
    }
  }
  return corners
}

/** Of a small arc half its chord around its middle, of a large one its diameter. */
function arcCorners(from: Point, to: Point, radius: number, isLarge: boolean): Point[] {
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2]
  const reach = isLarge ? radius : Math.min(radius, Math.hypot(to.x - from.x, to.y - from.y) / 2)
  return [
    { x: x - reach, y: y - reach },
    { x: x + reach, y: y + reach },
  ]
}
