// The loaded model on texts beyond its length: its loss under each way to stretch it, and one head's map at each length.
import { ramp } from '../../charts/colour'
import { headName } from '../../i18n/format'
import { sequential } from '../../styles/colours'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody, type Inputs } from '../../views/body'
import { Publication, type PanelRow } from '../../views/output'
import { params, type LongerParams } from '.'
import { LongTexts } from './data.svelte'
import { t } from './messages.en'
import { drawLonger, type LongerNumbers } from './picture'
import { multiples, wayIds, waysOf } from './ways'

const leastHeight = 320

export default viewBody(params, {
  messages: t,
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
      above: [measuring(texts), ...selections(inputs, texts)],
      published: Publication.none({ tables: tablesOf(numbers), subject: 'beyond-the-length' }),
    }
  },
})

const selectionOf = ({ params, cursor: { layer, head } }: Inputs<LongerParams>) => ({
  ways: waysOf(params.ways),
  way: params.way,
  place: { layer, head },
})

/** Starts and stops the measuring. */
function measuring(texts: LongTexts): PanelRow<LongerParams> {
  const { isServed, isMeasuring, progress, failure } = texts
  const stoppable = isServed && isMeasuring
  const startable = isServed && !isMeasuring && !texts.isComplete
  const left = progress.seconds === undefined ? '' : `, ${t().left(progress.seconds)}`
  const start = texts.hasLosses ? t().resume : t().start
  return [
    !isServed && { kind: 'text', text: t().notServed },
    stoppable && { kind: 'button', label: t().stop, to: { act: () => texts.stop() } },
    stoppable && { kind: 'progress', label: t().progressLabel, value: progress.done, max: progress.total },
    stoppable && {
      kind: 'text',
      name: 'progress',
      text: `${t().progress(progress.done, progress.total)}${left}`,
    },
    startable && { kind: 'button', label: start, to: { act: () => texts.start() } },
    startable && { kind: 'text', text: t().duration },
    failure && { kind: 'text', role: 'alert', text: failure.message },
  ]
}

/** The ways whose losses and the way whose maps are drawn, and the masked tokens. */
function selections({ params, cursor }: Inputs<LongerParams>, texts: LongTexts): PanelRow<LongerParams>[] {
  const toggled = (id: string): readonly string[] => {
    const others = params.ways.filter((way) => way !== id)
    if (others.length === params.ways.length) return [...others, id]
    return others.length > 0 ? others : params.ways
  }
  return [
    [
      {
        kind: 'buttons',
        label: t().waysLabel,
        buttons: wayIds.map((id) => ({
          label: t().ways[id],
          pressed: params.ways.includes(id),
          to: { params: { ways: toggled(id) } },
        })),
      },
    ],
    [
      {
        kind: 'select',
        param: 'way',
        label: t().maps(headName(cursor)),
        options: wayIds.map((value) => ({ value, text: t().ways[value] })),
      },
    ],
    [
      {
        kind: 'text',
        name: 'tokens',
        text: texts.tokens > 0 ? t().tokens(texts.tokens, texts.book) : t().notStarted,
      },
    ],
  ]
}

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
