// The marks of a picture, which become the page's SVG, the SVG file and the PNG.
import type { Point } from '../ui/pointer'
import { characterWidth } from './labels'

/** A colour by its meaning; its values are in `web/styles/theme.css`. */
export type Tone =
  | 'ink'
  | 'quiet'
  | 'rule'
  | 'edge'
  | 'query'
  | 'key'
  | 'positive'
  | 'negative'
  | 'red'
  | 'bar'
  | 'token'
  | 'card'
  | 'none'

export interface Look {
  fill?: Tone
  stroke?: Tone
  /** Of the stroke, in px. */
  weight?: number
  /** As SVG's stroke-dasharray. */
  dash?: string
  opacity?: number
}

/** In CSS px. */
export interface Size {
  width: number
  height: number
}

/** In CSS px, from its upper left corner. */
export interface Box extends Point, Size {}

/** In CSS px from the upper left corner. Text is set as text. */
export type Mark = Shape & {
  /** What is no number: a figure may leave the cursor out, and has no control. */
  role?: 'cursor' | 'control'
}

/** Marks that a figure may leave out. */
export const asCursor = (marks: readonly Mark[]): Mark[] => marks.map((mark) => ({ ...mark, role: 'cursor' }))

type Shape =
  | ({ kind: 'rect'; round?: number } & Box & Look)
  | ({ kind: 'line'; x1: number; y1: number; x2: number; y2: number } & Look)
  | ({ kind: 'path'; d: string } & Look)
  | ({ kind: 'circle'; r: number } & Point & Look)
  | {
      kind: 'text'
      x: number
      /** Of its baseline. */
      y: number
      text: string
      tone?: Tone
      anchor?: 'start' | 'middle' | 'end'
      /** In px; 11 by default. */
      size?: number
      face?: 'sans' | 'mono' | 'serif'
      bold?: boolean
      /** Degrees, counterclockwise around (x, y). */
      turn?: number
      /** The largest width in px: a longer text ends in "…". */
      room?: number
    }
  /** Numbers as coloured cells, (rows, columns) RGBA: painted sharp, below all other marks. */
  | ({ kind: 'raster'; columns: number; rows: number; pixels: Uint8ClampedArray<ArrayBuffer> } & Box)

export type Raster = Extract<Mark, { kind: 'raster' }>
export type Text = Extract<Mark, { kind: 'text' }>

/** A picture. */
export interface Scene extends Size {
  marks: readonly Mark[]
}

/** A coordinate in a path's data. */
export const px = (value: number): string => value.toFixed(1)

/** The same for marks that must meet others exactly. */
export const exactPx = (value: number): number => Math.round(value * 100) / 100

export const rasters = ({ marks }: Scene): Raster[] => marks.filter((mark) => mark.kind === 'raster')

/** The text of a mark, cut to its room. */
export function ellipsis({ text, room, size = 11, face = 'sans' }: Text): string {
  if (room === undefined) return text
  // A text is not cut where its room is as wide as itself.
  const most = Math.max(1, Math.floor(room / (characterWidth[face] * size) + 1e-6))
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, Math.max(1, most - 1)).join('')}…` : text
}

/** The point at this angle, counterclockwise, of the circle around (x, y). */
export const pointOn = ({ x, y }: Point, radius: number, angle: number) => ({
  x: x + radius * Math.cos(angle),
  y: y - radius * Math.sin(angle),
})

/** A line with an arrowhead. */
export function arrowTo(from: Point, length: number, angle: number, tone: Tone, weight: number): Mark[] {
  const tip = pointOn(from, length, angle)
  const size = Math.min(length * 0.6, 5 + 2.2 * weight)
  const neck = pointOn(from, length - size * 0.8, angle)
  const wings = [2.7, -2.7].map((by) => pointOn(tip, size, angle + by))
  const d = `M${px(tip.x)} ${px(tip.y)}${wings.map(({ x, y }) => `L${px(x)} ${px(y)}`).join('')}Z`
  return [
    { kind: 'line', x1: from.x, y1: from.y, x2: neck.x, y2: neck.y, stroke: tone, weight },
    { kind: 'path', d, fill: tone },
  ]
}

const on = (x: number, y: number, radius: number, angle: number) => {
  const point = pointOn({ x, y }, radius, angle)
  return `${point.x} ${point.y}`
}

/** The arc between two angles that are less than a turn apart. */
export const arc = (x: number, y: number, radius: number, from: number, to: number): string =>
  `M${on(x, y, radius, from)}A${radius} ${radius} 0 ${to - from > Math.PI ? 1 : 0} 0 ${on(x, y, radius, to)}`

/** The sector between its ends and the centre. */
export const sector = (x: number, y: number, radius: number, from: number, to: number): string =>
  `${arc(x, y, radius, from, to)}L${x} ${y}Z`
