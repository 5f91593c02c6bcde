// Attention over three tokens whose numbers can be changed, step by step.
import { resource, type Resource } from '../../session/resource.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { OfRun } from '../../views/output'
import { params } from '.'
import { ordered, orderOf, readRows, size, tokens, visible } from './data'
import { t } from './messages.en'
import { drawHand, drawMasks, masksWidth, type Attention } from './picture'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  component: View,
  data: (inputs): Resource<'byHand'> =>
    resource(inputs.bench.engine, 'byHand', () => {
      const { rows, order, mask, by } = inputs.params
      const numbers = ordered(readRows(rows), orderOf(order))
      return { params: { tokens, size, scale: 1 / by, rows: numbers, visible: visible(mask) } }
    }),
  output({ params, width, height, scheme }, { latest, stale, failure }) {
    if (!latest) return { note: failure?.message }
    const names = orderOf(params.order).map((token) => t().tokens[token] ?? '')
    const masks = drawMasks(params.mask, masksWidth(width))
    const room = { width, height: Math.max(150, Math.min(720, height - masks.height - 24)) }
    return {
      scene: drawHand(latest.value, names, params.mask, room, scheme),
      stale,
      published: OfRun.none({ tables: [tableOf(latest.value, names)], file: 'three' }),
    }
  },
})

export const tableOf = ({ scores, weights }: Attention, names: readonly string[]): NamedTable =>
  namedTable(t().table, t().columns, scores, (score, at) => [
    names[Math.floor(at / tokens)] ?? '',
    names[at % tokens] ?? '',
    score,
    weights[at] ?? NaN,
  ])
