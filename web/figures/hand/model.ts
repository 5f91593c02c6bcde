// Three tokens with two numbers each for query, key and value.
import { inkOn, weightEntry } from '../../charts/colour'
import { signed, weight } from '../../i18n/format'
import type { Mark, Scene } from '../../charts/marks'
import type { Scheme } from '../../styles/colours'

export const tokens = 3
export const size = 2

/** What the numbers are at first. */
export const usual = '1,0.5,-0.5,1,0.8,-1,0.6,1,1.2,-0.4,-0.8,0.9,1,0,0,1,0.5,0.5'

export type Part = 'query' | 'key' | 'value'
export const parts: readonly Part[] = ['query', 'key', 'value']
export type Mask = 'none' | 'padding' | 'causal' | 'cross'

const largest = 9
const each = tokens * size

/** The numbers of a link: what is missing or makes no sense is as at first. */
export function readRows(written: string): number[] {
  const numbers = written.split(',').map((number) => (number.trim() === '' ? Number.NaN : Number(number)))
  return usual.split(',').map((usually, at) => {
    const number = numbers[at] ?? Number.NaN
    return Number.isFinite(number) ? Math.max(-largest, Math.min(largest, number)) : Number(usually)
  })
}

/** Where a token's number of a part stands among all; `order`: which token stands at each place. */
export const placeOf = (part: Part, token: number, at: number): number => parts.indexOf(part) * each + token * size + at

/** All rows in the order in which the tokens stand. */
export function ordered(rows: readonly number[], order: readonly number[]): Float64Array {
  return Float64Array.from(
    parts.flatMap((part) => order.flatMap((token) => [0, 1].map((at) => rows[placeOf(part, token, at)] ?? 0))),
  )
}

/** Whether the query at place m sees the key at place n. In a padded row the last token is padding. */
export function seen(mask: Mask): boolean[] {
  return Array.from({ length: tokens * tokens }, (_, at) => {
    const [m, n] = [Math.floor(at / tokens), at % tokens]
    if (mask === 'causal') return n <= m
    return mask === 'none' || n < tokens - 1
  })
}

export interface Told {
  scores: ArrayLike<number>
  weights: ArrayLike<number>
  outputs: ArrayLike<number>
}

/** Scores, weights and what each token is given, as three grids. */
export function drawHand(
  { scores, weights, outputs }: Told,
  names: readonly string[],
  visible: readonly boolean[],
  { width, height }: { width: number; height: number },
  said: { scores: string; weights: string; outputs: string },
  table: Uint8Array,
  scheme: Scheme,
): Scene {
  // Of the page's two inks the one that is white, or nearly, in this scheme.
  const [light, dark] = scheme === 'light' ? (['card', 'ink'] as const) : (['ink', 'card'] as const)
  const left = 46
  const gap = 16
  const cell = Math.min(220, (width - left - 2 * gap) / (2 * tokens + size))
  const tall = Math.min(cell, (height - 44) / tokens)
  // Numbers grow with their cells, to twice their size.
  const number = Math.max(11, Math.min(22, tall / 9))
  const marks: Mark[] = []
  const grid = (at: number, title: string, names: readonly string[]) => {
    marks.push({ kind: 'text', x: at, y: 12, text: title, size: 12, face: 'serif', bold: true, tone: 'ink' })
    names.forEach((name, column) =>
      marks.push({
        kind: 'text',
        x: at + (column + 0.5) * cell,
        y: 30,
        text: name,
        size: 10.5,
        anchor: 'middle',
        tone: 'key',
        face: 'mono',
        room: cell,
      }),
    )
    return (row: number, column: number, text: string, fill?: number) => {
      const [x, y] = [at + column * cell, 36 + row * tall]
      marks.push({ kind: 'rect', x: x + 1, y: y + 1, width: cell - 2, height: tall - 2, stroke: 'rule' })
      if (fill !== undefined) {
        // The map's colour under its number.
        const entry = weightEntry(fill)
        const pixels = new Uint8ClampedArray([...table.subarray(3 * entry, 3 * entry + 3), 255])
        marks.push({
          kind: 'raster',
          x: x + 1,
          y: y + 1,
          width: cell - 2,
          height: tall - 2,
          columns: 1,
          rows: 1,
          pixels,
        })
      }
      const onColour = fill === undefined ? 'ink' : inkOn(table, weightEntry(fill)) === '#ffffff' ? light : dark
      marks.push({
        kind: 'text',
        x: x + cell / 2,
        y: y + tall / 2 + 0.36 * number,
        text,
        size: number,
        anchor: 'middle',
        face: 'mono',
        tone: onColour,
        room: cell + 8,
      })
    }
  }
  names.forEach((name, row) =>
    marks.push({
      kind: 'text',
      x: 0,
      y: 36 + (row + 0.5) * tall + 4,
      text: name,
      size: 11,
      tone: 'query',
      face: 'mono',
      room: left,
    }),
  )
  const second = left + tokens * cell + gap
  const third = second + tokens * cell + gap
  const [score, weighed, given] = [
    grid(left, said.scores, names),
    grid(second, said.weights, names),
    grid(third, said.outputs, []),
  ]
  for (let row = 0; row < tokens; row++) {
    for (let column = 0; column < tokens; column++) {
      const at = row * tokens + column
      score(row, column, visible[at] ? signed(scores[at] ?? NaN) : '·')
      weighed(row, column, weight(weights[at] ?? NaN), weights[at] ?? 0)
    }
    for (let at = 0; at < size; at++) given(row, at, signed(outputs[row * size + at] ?? NaN))
  }
  return { width, height: 40 + tokens * tall, marks }
}

/** The masks as pictures: what a query, a row, sees of the keys. */
export function drawMasks(chosen: Mask, names: Readonly<Record<Mask, string>>, width: number): Scene {
  const masks: readonly Mask[] = ['none', 'padding', 'causal', 'cross']
  const cell = 18
  const each = Math.min(170, width / masks.length)
  const marks = masks.flatMap((mask, index): Mark[] => {
    const x = index * each + 2
    const cells = seen(mask).map((visible, at): Mark => ({
      kind: 'rect',
      x: x + (at % tokens) * cell,
      y: 2 + Math.floor(at / tokens) * cell,
      width: cell - 2,
      height: cell - 2,
      fill: visible ? 'quiet' : 'none',
      stroke: 'edge',
    }))
    const held = mask === chosen
    const y = tokens * cell + 16
    return [
      ...cells,
      { kind: 'text', x, y, text: names[mask], size: 10.5, bold: held, tone: held ? 'ink' : 'quiet', room: each },
    ]
  })
  return { width, height: tokens * cell + 24, marks }
}
