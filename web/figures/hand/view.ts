// Attention over three tokens whose numbers can be changed, step by step.
import { resource, type Resource } from '../../session/resource.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../../views/module'
import { Output, type PanelItem, type PanelRow } from '../../views/output'
import type { HandParams } from '.'
import {
  masks,
  ordered,
  orderOf,
  parts,
  placeOf,
  readRows,
  size,
  tokens,
  visible,
  type Part as Role,
  type Mask,
} from './data'
import { t } from './messages.en'
import { inkOn, ramp, weightEntry } from '../../charts/colour'
import type { Mark, Scene, Size } from '../../charts/marks'
import { signed, weight } from '../../i18n/numbers'
import { sequential, type Scheme } from '../../styles/colours'

export { t as messages }

export const data = (inputs: Inputs<HandParams>): Resource<'byHand'> =>
  resource(inputs.bench.engine, 'byHand', () => {
    const { rows, order, mask, by } = inputs.params
    const numbers = ordered(readRows(rows), orderOf(order))
    return { params: { tokens, size, scale: 1 / by, rows: numbers, visible: visible(mask) } }
  })

type Data = ReturnType<typeof data>

export function output(
  { params, width, height, scheme }: Inputs<HandParams>,
  { latest, stale, failure }: Data,
): Output<HandParams> {
  const rows = {
    above: rowsAbove(params),
    below: [[{ kind: 'picture' as const, scene: drawMasks(params.mask, masksWidth(width)) }]],
  }
  if (!latest) return Output.ofNoRun({ message: failure?.message, ...rows })
  const names = orderOf(params.order).map((token) => t().tokens[token] ?? '')
  const room = { width, height: Math.max(150, Math.min(720, height - 24)) }
  return Output.ofNoRun({
    scene: drawHand(latest.value, names, params.mask, room, scheme),
    stale,
    ...rows,
    published: { tables: [tableOf(latest.value, names)], subject: 'three' },
  })
}

/** Fields of all numbers, then controls of mask, order and divisor. */
const rowsAbove = (params: HandParams): PanelRow<HandParams>[] => [
  parts.map((part) => numbersOf(part, params)),
  [
    {
      kind: 'segmented',
      param: 'mask',
      label: t().mask,
      labelled: true,
      options: masks.map((value) => ({ value, text: t().masks[value] })),
    },
    {
      kind: 'button',
      label: t().swap,
      pressed: params.order === '102',
      to: { params: { order: params.order === '102' ? '012' : '102' } },
    },
    {
      kind: 'slider',
      label: t().scale,
      value: params.by,
      stops: [0.25, 0.5, 1, Math.SQRT2, 2, 4, 8],
      format: t().scaled,
      to: (by) => ({ params: { by } }),
    },
  ],
]

/** The two numbers of each token. */
function numbersOf(role: Role, params: HandParams): PanelItem<HandParams> {
  const numbers = readRows(params.rows)
  const field = (token: number, at: number) => {
    const place = placeOf(role, token, at)
    return {
      kind: 'number' as const,
      label: t().cell(t()[role], t().tokens[token] ?? '', at),
      value: numbers[place] ?? 0,
      step: 0.1,
      to: (value: number) =>
        Number.isFinite(value) ? { params: { rows: numbers.with(place, value).join(',') } } : undefined,
    }
  }
  return {
    kind: 'table',
    caption: [{ tone: role === 'value' ? 'strong' : role, text: t()[role] }],
    rows: orderOf(params.order).map((token) => [t().tokens[token] ?? '', field(token, 0), field(token, 1)]),
  }
}

export const tableOf = ({ scores, weights }: Attention, names: readonly string[]): NamedTable =>
  namedTable(t().table, t().columns, scores, (score, at) => [
    names[Math.floor(at / tokens)] ?? '',
    names[at % tokens] ?? '',
    score,
    weights[at] ?? NaN,
  ])

interface Attention {
  scores: ArrayLike<number>
  weights: ArrayLike<number>
  outputs: ArrayLike<number>
}

/** Scores, weights and outputs as three grids. */
export function drawHand(
  { scores, weights, outputs }: Attention,
  names: readonly string[],
  mask: Mask,
  { width, height }: Size,
  scheme: Scheme,
): Scene {
  const palette = ramp(sequential[scheme])
  const isVisible = visible(mask)
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
        const pixels = new Uint8ClampedArray([...palette.subarray(3 * entry, 3 * entry + 3), 255])
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
      const onColour = fill === undefined ? 'ink' : inkOn(palette, weightEntry(fill)) === '#ffffff' ? light : dark
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
  const [score, weighed, output] = [
    grid(left, t().scores, names),
    grid(second, t().weights, names),
    grid(third, t().outputs, []),
  ]
  for (let row = 0; row < tokens; row++) {
    for (let column = 0; column < tokens; column++) {
      const at = row * tokens + column
      score(row, column, isVisible[at] ? signed(scores[at] ?? NaN) : '·')
      weighed(row, column, weight(weights[at] ?? NaN), weights[at] ?? 0)
    }
    for (let at = 0; at < size; at++) output(row, at, signed(outputs[row * size + at] ?? NaN))
  }
  return { width, height: 40 + tokens * tall, marks }
}

const masksWidth = (width: number): number => Math.min(width, 700)

/** The masks as pictures: what a query, a row, sees of the keys. */
export function drawMasks(mask: Mask, width: number): Scene {
  const cell = 18
  const each = Math.min(170, width / masks.length)
  const marks = masks.flatMap((one, index): Mark[] => {
    const x = index * each + 2
    const cells = visible(one).map((isVisible, at): Mark => ({
      kind: 'rect',
      x: x + (at % tokens) * cell,
      y: 2 + Math.floor(at / tokens) * cell,
      width: cell - 2,
      height: cell - 2,
      fill: isVisible ? 'quiet' : 'none',
      stroke: 'edge',
    }))
    const isCurrent = one === mask
    const y = tokens * cell + 16
    return [
      ...cells,
      {
        kind: 'text',
        x,
        y,
        text: t().masks[one],
        size: 10.5,
        bold: isCurrent,
        tone: isCurrent ? 'ink' : 'quiet',
        room: each,
      },
    ]
  })
  return { width, height: tokens * cell + 24, marks }
}
