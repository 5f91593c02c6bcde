// Attention over three tokens whose numbers can be changed, step by step.
import { resource, type Resource } from '../../session/resource.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { Publication, type PanelItem, type PanelRow } from '../../views/output'
import { params, type HandParams } from '.'
import { masks, ordered, orderOf, parts, placeOf, readRows, size, tokens, visible, type Part as Role } from './data'
import { t } from './messages.en'
import { drawHand, drawMasks, masksWidth, type Attention } from './picture'

export default viewBody(params, {
  messages: t,
  data: (inputs): Resource<'byHand'> =>
    resource(inputs.bench.engine, 'byHand', () => {
      const { rows, order, mask, by } = inputs.params
      const numbers = ordered(readRows(rows), orderOf(order))
      return { params: { tokens, size, scale: 1 / by, rows: numbers, visible: visible(mask) } }
    }),
  output({ params, width, height, scheme }, { latest, stale, failure }) {
    const rows = {
      above: rowsAbove(params),
      below: [[{ kind: 'picture' as const, scene: drawMasks(params.mask, masksWidth(width)) }]],
    }
    if (!latest) return { note: failure?.message, ...rows }
    const names = orderOf(params.order).map((token) => t().tokens[token] ?? '')
    const room = { width, height: Math.max(150, Math.min(720, height - 24)) }
    return {
      scene: drawHand(latest.value, names, params.mask, room, scheme),
      stale,
      ...rows,
      published: Publication.none({ tables: [tableOf(latest.value, names)], subject: 'three' }),
    }
  },
})

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
