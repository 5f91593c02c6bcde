// Sinusoidal positions or a trained model's own, what adding them makes of a row, and cosines of random rows.
import { ramp } from '../../charts/colour'
import { diverging } from '../../styles/colours'
import { namedTable, type NamedTable } from '../../ui/table'
import { slide } from '../../ui/walk'
import { viewBody } from '../../views/body'
import { OfRun } from '../../views/output'
import { params } from '.'
import { addedData, addedOf, type Added } from './data.svelte'
import { t } from './messages.en'
import { drawAdded } from './picture'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  component: View,
  data: addedData,
  output(inputs, data) {
    const { ruled, positions } = data
    const added = addedOf(inputs, data)
    if (!added) return { note: positions.failure?.message }
    const room = { width: inputs.width, height: Math.max(380, inputs.height - 4) }
    const { scene, at } = drawAdded(added, room, ramp(diverging[inputs.scheme]))
    return {
      scene,
      label: t().label,
      stale: positions.stale,
      published: OfRun.none({ tables: [tableOfRows(added)], file: positions.latest?.key.file }),
      hit: (x) => ruled.target({ query: at(x) }),
      keys: (action) => {
        const query = slide(added.position, action, added.last)
        return query === undefined ? undefined : ruled.target({ query })
      },
    }
  },
})

const tableOfRows = ({ numbers: { norms, cosines } }: Added): NamedTable =>
  namedTable(t().table, t().columns, norms, (norm, at) => [at, norm, cosines[at] ?? NaN])
