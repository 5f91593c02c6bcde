// The published ways to encode positions, on the same tokens with the same weights.
import { ramp } from '../../charts/colour'
import { positionEncodings } from '../../engine/protocol/mathematics'
import { resource } from '../../session/resource.svelte'
import { diverging } from '../../styles/colours'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { OfRun } from '../../views/output'
import { params } from '.'
import { t } from './messages.en'
import { costsOf, drawWays, panelsOf, summed, tokens, type WaysData } from './picture'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  component: View,
  data: (inputs): WaysData => ({
    scores: resource(inputs.bench.engine, 'ways', () => {
      const { way, first } = inputs.params
      return { params: { way, first: 0, shifted: first } }
    }),
    // BERT's base size.
    costs: resource(inputs.bench.engine, 'learnt', () => ({ params: { heads: 12, headSize: 64, positions: 512 } })),
  }),
  output({ params, scheme, width, height }, { scores, costs }) {
    const { latest } = scores
    // The maps of another way have other terms.
    if (latest?.key.params.way !== params.way) return { note: scores.failure?.message }
    const { terms, shifted } = latest.value
    return {
      scene: drawWays(panelsOf(terms, shifted, params.way), width, height - 8, ramp(diverging[scheme])),
      stale: scores.stale,
      published: OfRun.none({
        tables: [scoreTable(terms, shifted), costTable(costs.latest?.value)],
        file: `${params.way}-${params.first}`,
      }),
    }
  },
})

export function scoreTable(terms: Float64Array, shifted: Float64Array): NamedTable {
  const [here, there] = [summed(terms), summed(shifted)]
  return namedTable(t().table, t().columns, here, (score, at) => [
    Math.floor(at / tokens),
    at % tokens,
    score,
    there[at] ?? NaN,
  ])
}

export const costTable = (costs: Float64Array | undefined): NamedTable =>
  namedTable(t().costs, t().costColumns, positionEncodings, (_, at) => [t().names[at] ?? '', ...costsOf(costs, at)])
