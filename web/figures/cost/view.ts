// Losses of three kinds of positions trained alike; and how many multiplications turning takes.
import { trained, training } from '../../i18n/facts'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { OfRun } from '../../views/output'
import { params } from '.'
import { t } from './messages.en'
import { drawCost, kinds, lossesOf } from './picture'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  component: View,
  data: () => undefined,
  output({ params, width, height }) {
    const drawn = params.kinds === 'all' ? kinds : (['rotary'] as const)
    return {
      scene: drawCost(trained, drawn, training.tokens, { width, height: Math.max(190, height - 8) }),
      published: OfRun.none({ tables: [lossTable()], file: 'trained' }),
    }
  },
})

function lossTable(): NamedTable {
  const rows = kinds.flatMap((kind) =>
    lossesOf(trained, kind).map(([length, loss]) => [
      t().kinds[kind],
      length,
      loss?.mean ?? '',
      loss?.least ?? '',
      loss?.most ?? '',
    ]),
  )
  return namedTable(t().table, t().columns, rows, (row) => row)
}
