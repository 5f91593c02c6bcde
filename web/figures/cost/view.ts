// Losses of three kinds of positions trained alike; and how many multiplications turning takes.
import { integer } from '../../i18n/numbers'
import { trained, training } from '../../i18n/facts'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { Publication, type PanelItem } from '../../views/output'
import { params, type CostParams } from '.'
import { t } from './messages.en'
import { drawCost, kinds, lossesOf } from './picture'

export default viewBody(params, {
  messages: t,
  data: () => undefined,
  output({ bench, params, width, height }) {
    const drawn = params.kinds === 'all' ? kinds : (['rotary'] as const)
    return {
      scene: drawCost(trained, drawn, training.tokens, { width, height: Math.max(190, height - 8) }),
      below: [
        [
          {
            kind: 'segmented',
            param: 'kinds',
            label: t().choice,
            labelled: true,
            options: [
              { value: 'all', text: t().all },
              { value: 'rotary', text: t().kinds.rotary },
            ],
          },
        ],
        [countsBySize(bench.choice.headSize)],
      ],
      published: Publication.none({ tables: [lossTable()], subject: 'trained' }),
    }
  },
})

/** The multiplications of turning a row. */
function countsBySize(headSize: number): PanelItem<CostParams> {
  const sizes = [...new Set([32, 64, 128, headSize])].sort((one, other) => one - other)
  return {
    kind: 'table',
    caption: t().counts,
    header: t().costColumns,
    rows: sizes.map((size) => [integer(size), integer(size * size), integer(2 * size)]),
  }
}

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
