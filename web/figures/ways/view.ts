// The published ways to encode positions, on the same tokens with the same weights.
import { ramp } from '../../charts/colour'
import { positionEncodings } from '../../engine/protocol/mathematics'
import type { Result } from '../../engine/protocol/requests'
import { integer } from '../../i18n/numbers'
import { resource } from '../../session/resource.svelte'
import { diverging } from '../../styles/colours'
import { t as ui } from '../../ui/messages.en'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { Publication, type PanelItem, type PanelRow } from '../../views/output'
import { params, type WaysParams } from '.'
import { t } from './messages.en'
import {
  costsOf,
  drawWays,
  equations,
  largestChange,
  panelsOf,
  ropePanels,
  rounding,
  summed,
  table,
  tokens,
  type WaysData,
} from './picture'

export default viewBody(params, {
  messages: t,
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
    const scored = latest?.key.params.way === params.way ? latest.value : undefined
    const rows = { above: rowsAbove(params, scored), below: [[costs.latest && costRows(costs.latest.value, params)]] }
    if (!scored) return { note: scores.failure?.message, ...rows }
    const { terms, shifted, rope } = scored
    const panels = [...panelsOf(terms, shifted, params.way), ...(rope ? ropePanels(rope.terms, rope.shifted) : [])]
    return {
      scene: drawWays(panels, width, height - 8, ramp(diverging[scheme])),
      stale: scores.stale,
      ...rows,
      published: Publication.none({
        tables: [scoreTable(terms, shifted), costTable(costs.latest?.value)],
        subject: `${params.way}-${params.first}`,
      }),
    }
  },
})

/** The way and where its tokens begin, its equation, and what moving the tokens changes. */
function rowsAbove(
  params: WaysParams,
  scored: Pick<Result<'ways'>, 'terms' | 'shifted'> | undefined,
): PanelRow<WaysParams>[] {
  return [
    [
      {
        kind: 'select',
        param: 'way',
        label: t().way,
        options: positionEncodings.map((value, at) => ({ value, text: t().names[at] ?? '' })),
      },
      {
        kind: 'slider',
        label: t().first,
        value: params.first,
        stops: [0, 1, 2, 5, 10, 20, 50, 60, 100, 200],
        format: t().at,
        to: (first) => ({ params: { first } }),
      },
    ],
    [{ kind: 'formula', label: ui().formula, formula: equations[params.way] }],
    [scored && { kind: 'text', name: 'told', text: changeOf(scored) }],
  ]
}

function changeOf({ terms, shifted }: Pick<Result<'ways'>, 'terms' | 'shifted'>): string {
  const moved = largestChange(summed(terms), summed(shifted))
  if (Number.isNaN(moved)) return t().ends(table)
  return moved > rounding ? t().changes(moved) : t().holds
}

const costRows = (costs: Float64Array, { way }: WaysParams): PanelItem<WaysParams> => ({
  kind: 'table',
  label: t().costs,
  caption: t().counted,
  header: t().costColumns,
  rows: positionEncodings.map((_, at) => [t().names[at] ?? '', ...costsOf(costs, at).map(integer)]),
  current: positionEncodings.indexOf(way),
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
