// The map as a file: with its bar of colours and the number that is read.
import type { Mark, Scene } from '../../charts/marks'
import { plainText, type Sentence } from '../../i18n/rich'
import { moved } from '../../charts/attention-map/draw'

export interface Read {
  x: number
  y: number
  stacked: boolean
  bar: Scene
  text: { value: string; pair: Sentence; rank: string }
}

export function wholePicture(picture: Scene, { x, y, stacked, bar, text }: Read): Scene {
  const words: Mark[] = [
    { kind: 'text', x, y: y + 22, text: text.value, tone: 'ink', size: 20, face: 'mono', bold: true },
    { kind: 'text', x: x + 66, y: y + 14, text: plainText(text.pair), tone: 'ink', size: 12, face: 'mono' },
    { kind: 'text', x: x + 66, y: y + 31, text: text.rank, tone: 'quiet', size: 12 },
  ]
  // The bar stands below what is read, or ends where the reading does.
  const at = stacked ? { x, y: y + 42 } : { x: Math.max(x + 230, picture.width - bar.width), y }
  return { ...picture, marks: [...picture.marks, ...words, ...moved(bar.marks, at)] }
}
