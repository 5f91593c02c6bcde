// The loaded model on texts beyond its length: its loss under each way to stretch it, and one head's map at each length.
import { ramp } from '../../charts/colour'
import { sequential } from '../../styles/colours'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody, type Inputs } from '../../views/body'
import { OfRun } from '../../views/output'
import { params, type LongerParams } from '.'
import { LongTexts } from './data.svelte'
import { t } from './messages.en'
import { drawLonger, type LongerNumbers } from './picture'
import View from './View.svelte'
import { multiples, waysOf } from './ways'

const leastHeight = 320

export default viewBody(params, {
  messages: t,
  component: View,
  data: (inputs) => new LongTexts(inputs.bench.engine, () => selectionOf(inputs)),
  output(inputs, texts) {
    const numbers: LongerNumbers = {
      ways: waysOf(inputs.params.ways),
      context: inputs.bench.engine.model?.info.max_position_embeddings ?? 0,
      loss: texts.compared.of,
      map: (multiple) => texts.map(multiple),
    }
    const room = { width: inputs.width, height: Math.max(leastHeight, inputs.height - 8) }
    return {
      scene: drawLonger(numbers, room, ramp(sequential[inputs.scheme])),
      published: OfRun.none({ tables: tablesOf(numbers), file: 'beyond-the-length' }),
    }
  },
})

const selectionOf = ({ params, cursor: { layer, head } }: Inputs<LongerParams>) => ({
  ways: waysOf(params.ways),
  way: params.way,
  place: { layer, head },
})

function tablesOf({ ways, context, loss }: LongerNumbers): NamedTable[] {
  const rows = ways.flatMap((way) =>
    multiples.flatMap((multiple) => {
      const measured = loss(way, multiple)
      return measured ? [[t().ways[way], context * multiple, measured.mean, measured.labels]] : []
    }),
  )
  if (rows.length === 0) return []
  return [namedTable(t().table, t().columns, rows, (row) => row)]
}
