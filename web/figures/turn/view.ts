// Two vectors, turned by their positions: the score depends on the distance alone.
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { OfRun } from '../../views/output'
import { params } from '.'
import { arrowsOf, turnData, vectorsOf } from './data'
import { t } from './messages.en'
import { drawTurn, planTurn, steps } from './picture'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  component: View,
  data: turnData,
  output({ params, width, height }, rotated) {
    const { latest, stale, failure } = rotated
    const arrows = arrowsOf(rotated, params.pairs === 'halves')
    if (!latest || !arrows) return { note: failure?.message }
    // Where the arrows are dragged to, before the engine has turned them.
    const { query, key } = vectorsOf(params)
    const drawn = { ...arrows, query: { ...arrows.query, before: query }, key: { ...arrows.key, before: key } }
    return {
      scene: drawTurn(planTurn(width, height), drawn),
      stale,
      published: OfRun.none({ tables: [tableOf(latest.value.sweep)], file: `${params.angle}` }),
    }
  },
})

/** The score at each distance. */
export function tableOf(sweep: Float64Array): NamedTable {
  const reach = (sweep.length - 1) / 2 / steps
  return namedTable(t().table, t().columns, { length: 2 * reach + 1 }, (_, index) => [
    index - reach,
    sweep[index * steps] ?? NaN,
  ])
}
