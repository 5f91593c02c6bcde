// The map as a saved picture, with its colour bar and the number at the cursor.
import type { Mark, Scene } from '../marks'
import { plainText, type Sentence } from '../../i18n/rich'
import { moved } from './draw'

export interface Reading {
  x: number
  y: number
  stacked: boolean
  bar: Scene
  text: { value: string; pair: Sentence; rank: string }
}

export function pictureWithReading(picture: Scene, { x, y, stacked, bar, text }: Reading): Scene {
  const words: Mark[] = [
    { kind: 'text', x, y: y + 22, text: text.value, tone: 'ink', size: 20, face: 'mono', bold: true },
    { kind: 'text', x: x + 66, y: y + 14, text: plainText(text.pair), tone: 'ink', size: 12, face: 'mono' },
    { kind: 'text', x: x + 66, y: y + 31, text: text.rank, tone: 'quiet', size: 12 },
  ]
  // The colour bar is below the reading, or ends at its right edge.
  const at = stacked ? { x, y: y + 42 } : { x: Math.max(x + 230, picture.width - bar.width), y }
  return { ...picture, marks: [...picture.marks, ...words, ...moved(bar.marks, at)] }
}
