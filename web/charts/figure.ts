// A picture as a figure of a paper or a slide: its size on paper, its margin and its caption.
import { boundsOf, linesOf } from './bounds'
import type { Box, Mark, Scene } from './marks'

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
export function roomOf(form: Form, proportion: number): { width: number; height: number } {
  const { across, ratio } = sizes[form]
  const width = across - 2 * margin
  return { width, height: ratio ? across * ratio - 2 * margin - 2 * captionLine : Math.round(width * proportion) }
}

export interface Figure {
  /** What of the plane is drawn, in px. */
  box: Box
  /** On paper. */
  mm: { width: number; height: number }
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
