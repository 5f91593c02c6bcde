// Maps, fills and everything together as marks.
import { mute } from '../../i18n/en/views/mute'
import { weightEntry } from '../../charts/colour'
import { percent, weight as weightText } from '../../i18n/format'
import { thinLabels } from '../../charts/labels'
import type { Mark } from '../../charts/marks'
import type { Shown } from '../../session/runs.svelte'
import { widthOf } from '../../charts/pair-axis/axis'
import { weightAt } from '../score/data'
import type { Box } from '../../charts/sweep/draw'
import { pooled, type Fills } from './model'

export interface MapShown {
  head: Shown['head']
  tokens: readonly string[]
  query: number
  key: number
  title: string
  strong: boolean
  /** Room for token labels on the left; 0: none. */
  labels: number
  /** 256 × 3 sRGB bytes. */
  palette: Uint8Array
}

const size = 10.5

export function drawMap(box: Box, { head, tokens, query, key, title, strong, labels, palette }: MapShown): Mark[] {
  const { length } = head
  const cells = Math.max(1, Math.min(length, Math.round(box.width)))
  const weights = pooled(head, cells)
  const pixels = new Uint8ClampedArray(cells * cells * 4)
  weights.forEach((weight, cell) => {
    const entry = weightEntry(weight) * 3
    for (let channel = 0; channel < 3; channel++) pixels[cell * 4 + channel] = palette[entry + channel] ?? 0
    pixels[cell * 4 + 3] = 255
  })
  const pitch = box.width / length
  const [row, column] = [box.y + query * pitch, box.x + key * pitch]
  const weight = weightText(weightAt(head, query, key))
  const { x, y, width, height } = box
  const low = y + height + 12
  const token = tokens[key] ?? ''
  const half = Math.min(widthOf(token, size, 'mono'), width) / 2
  const under = Math.min(Math.max(column + pitch / 2, x + half), x + width - half)
  return [
    { kind: 'raster', x, y, width, height, columns: cells, rows: cells, pixels },
    { kind: 'rect', x, y, width, height, stroke: 'rule' },
    { kind: 'rect', x: column, y, width: pitch, height, stroke: 'key', weight: 1.3 },
    { kind: 'rect', x, y: row, width, height: pitch, stroke: 'query', weight: 1.3 },
    { kind: 'rect', x: column, y: row, width: pitch, height: pitch, stroke: 'ink', weight: 2 },
    {
      kind: 'text',
      x,
      y: y - 6,
      text: title,
      size: 12,
      face: 'serif',
      bold: true,
      tone: 'ink',
      room: 0.8 * (width - widthOf(weight, 12, 'mono') - 6),
    },
    {
      kind: 'text',
      x: x + width,
      y: y - 6,
      text: weight,
      size: 12,
      face: 'mono',
      bold: strong,
      tone: 'ink',
      anchor: 'end',
    },
    { kind: 'text', x: under, y: low, text: token, size, face: 'mono', tone: 'key', anchor: 'middle', room: width },
    ...rowLabels(box, tokens, query, labels),
  ]
}

function rowLabels({ x, y, height }: Box, tokens: readonly string[], query: number, labels: number): Mark[] {
  if (labels === 0) return []
  const pitch = height / Math.max(tokens.length, 1)
  return thinLabels(tokens.length, pitch, 13, [query]).map((index): Mark => {
    const chosen = index === query
    const place = { x: x - 5, y: y + (index + 0.5) * pitch + 3.5 }
    const text = tokens[index] ?? ''
    const tone = chosen ? 'query' : 'quiet'
    return { kind: 'text', ...place, text, size, face: 'mono', tone, bold: chosen, anchor: 'end', room: labels - 5 }
  })
}

/** Bars of A above bars of B, with their numbers. */
export function drawFills(box: Box, { fills, least }: Fills, title: string, words: typeof mute): Mark[] {
  const [a, b] = [box.x + box.width - 58, box.x + box.width]
  const names = Math.min(96, box.width * 0.26)
  const from = box.x + names + 8
  const room = Math.max(20, a - 52 - from)
  const most = Math.max(0.01, ...fills.flatMap(({ before, after }) => [before ?? 0, after ?? 0]))
  const chance = (value: number | undefined, less: number) => (value === undefined ? words.below(less) : percent(value))
  return [
    { kind: 'text', x: box.x, y: box.y + 12, text: title, size: 11, room: a - 52 - box.x },
    { kind: 'text', x: a, y: box.y + 12, text: words.a, size: 11, face: 'mono', anchor: 'end' },
    {
      kind: 'text',
      x: b,
      y: box.y + 12,
      text: words.b,
      size: 11,
      face: 'mono',
      bold: true,
      tone: 'ink',
      anchor: 'end',
    },
    ...fills.flatMap(({ token, before, after }, index): Mark[] => {
      const y = box.y + 22 + index * 18
      const bar = (value = 0) => (room * value) / most
      return [
        { kind: 'text', x: box.x, y: y + 10, text: token, size: 11.5, face: 'mono', tone: 'ink', room: names },
        { kind: 'rect', x: from, y: y + 1, width: bar(before), height: 5, fill: 'edge' },
        { kind: 'rect', x: from, y: y + 7, width: bar(after), height: 5, fill: 'ink' },
        { kind: 'text', x: a, y: y + 10, text: chance(before, least[0]), size: 11, face: 'mono', anchor: 'end' },
        {
          kind: 'text',
          x: b,
          y: y + 10,
          text: chance(after, least[1]),
          size: 11,
          face: 'mono',
          tone: 'ink',
          anchor: 'end',
        },
      ]
    }),
  ]
}
