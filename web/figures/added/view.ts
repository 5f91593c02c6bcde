// Sinusoidal positions or a trained model's own, what adding them makes of a row, and cosines of random rows.
import { ramp } from '../../charts/colour'
import { diverging } from '../../styles/colours'
import { namedTable, type NamedTable } from '../../ui/table'
import { slide } from '../../ui/walk'
import type { Inputs } from '../../views/module'
import { Output, type PanelRow } from '../../views/output'
import type { AddedParams } from '.'
import { addedData, addedOf, type Added } from './data.svelte'
import { t } from './messages.en'
import { drawAdded } from './picture'

export { t as messages, addedData as data }

type Data = ReturnType<typeof addedData>

export function output(inputs: Inputs<AddedParams>, data: Data): Output<AddedParams> {
  const { ruler, positions } = data
  const added = addedOf(inputs, data)
  const below = [controlsOf(added)]
  if (!added) return Output.ofNoRun({ message: positions.failure?.message, below })
  const room = { width: inputs.width, height: Math.max(470, inputs.height - 4) }
  const { scene, at } = drawAdded(added, room, ramp(diverging[inputs.scheme]))
  return Output.ofNoRun({
    scene,
    stale: positions.stale,
    below,
    published: { tables: [tableOfRows(added)], subject: positions.latest?.request.subject },
    sliders: [
      {
        label: t().label,
        max: added.last,
        now: added.position,
        text: valueOf(added),
        follows: 'drag',
        hit: (x) => ruler.target({ query: at(x) }),
        onAction: (action) => {
          const query = slide(added.position, action, added.last)
          return query === undefined ? undefined : ruler.target({ query })
        },
      },
    ],
  })
}

/** The kind of rows, the numbers of one, and which two dimensions are curves. */
function controlsOf(added: Added | undefined): PanelRow<AddedParams> {
  const { table, last = 0, pair = 0, pairs = 1 } = added ?? {}
  const learned = table && t().learned(table.model, table.size, table.of, last + 1)
  const value = added ? valueOf(added) : ''
  return [
    {
      kind: 'segmented',
      param: 'rows',
      label: t().kind,
      options: (['sinusoids', 'learned'] as const).map((value) => ({ value, text: t().kinds[value] })),
    },
    { kind: 'text', name: 'value', text: learned === undefined ? value : `${value}. ${learned}` },
    {
      kind: 'slider',
      label: t().pair,
      value: pair,
      stops: Array.from({ length: pairs }, (_, at) => at),
      format: (at) => t().dimension(2 * at, 2 * at + 1),
      to: (pair) => ({ params: { pair } }),
    },
  ]
}

const valueOf = ({ position, numbers: { norms, cosines } }: Added): string =>
  t().value(position, norms[position] ?? NaN, cosines[position] ?? NaN)

const tableOfRows = ({ numbers: { norms, cosines } }: Added): NamedTable =>
  namedTable(t().table, t().columns, norms, (norm, at) => [at, norm, cosines[at] ?? NaN])
