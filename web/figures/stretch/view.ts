// A rope before and after it is stretched to longer texts: frequencies, wavelengths, scores by distance, or angles.
import { contextExtensions } from '../../engine/protocol/mathematics'
import { plain } from '../../i18n/numbers'
import { resource } from '../../session/resource.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../../views/module'
import { Output, type PanelRow } from '../../views/output'
import { distances, factors, longRopeHead, mostWays, quantities, type StretchParams } from '.'
import {
  countsOf,
  stretchedOf,
  unturned,
  waysOf,
  type Stretched,
  type StretchedWay,
  drawDials,
  drawRatios,
  drawScores,
  drawWavelengths,
} from './picture'
import { t } from './messages.en'

const leastHeight = 190
const drawings = { ratio: drawRatios, wavelength: drawWavelengths, score: drawScores, dials: drawDials }

export { t as messages }

export const data = (inputs: Inputs<StretchParams>) =>
  resource(inputs.bench.engine, 'contextExtensions', () => {
    const { headSize, base, context } = inputs.bench.choice
    if (headSize < 4) return undefined
    const ways = ['trained' as const, ...waysOf(inputs.params.ways, headSize)]
    return { params: { ways, headSize, base, context, factor: inputs.params.factor, distances } }
  })

type Data = ReturnType<typeof data>

export function output(
  { bench, params, width, height }: Inputs<StretchParams>,
  { latest, stale, failure }: Data,
): Output<StretchParams> {
  const stretched = latest && stretchedOf(latest.request.params, latest.value)
  const above = rowsAbove(params, bench.choice.headSize)
  if (!stretched) return Output.ofNoRun({ message: failure?.message, above })
  const { headSize, base, factor } = latest.request.params
  return Output.ofNoRun({
    scene: drawings[params.quantity](stretched, { width, height: Math.max(leastHeight, height - 8) }),
    stale,
    above,
    // Below the picture, which a phone's pane would not reach else.
    below: [[{ kind: 'list', name: 'counts', items: effectsOf(stretched) }]],
    published: { tables: tablesOf(stretched), subject: `${headSize}-${base}-${factor}` },
  })
}

/** The factor, the quantity and the ways to compare. */
function rowsAbove(params: StretchParams, headSize: number): PanelRow<StretchParams>[] {
  const selected = waysOf(params.ways, headSize)
  const toggled = (way: string): string[] => {
    const others = params.ways.filter((one) => one !== way)
    return others.length < params.ways.length ? others : [...others, way].slice(-mostWays)
  }
  return [
    [
      {
        kind: 'slider',
        label: t().factor,
        value: params.factor,
        stops: factors,
        format: t().times,
        to: (factor) => ({ params: { factor } }),
      },
      {
        kind: 'segmented',
        param: 'quantity',
        label: t().quantity,
        options: quantities.map((value) => ({ value, text: t().quantities[value] })),
      },
    ],
    [
      {
        kind: 'buttons',
        label: t().waysLabel,
        buttons: contextExtensions.slice(1).map((way) => ({
          label: t().ways[way],
          pressed: selected.includes(way),
          disabled: way === 'longrope' && headSize !== longRopeHead,
          to: { params: { ways: toggled(way) } },
        })),
      },
    ],
  ]
}

/** How many pairs each way changes. */
function effectsOf({ theta, context, factor, ways }: Stretched): string[] {
  const effectOf = (one: StretchedWay) => {
    const magnitude = one.magnitude === 1 ? '' : `, ${t().magnitude} ${plain(one.magnitude)}`
    return `${t().ways[one.way]}: ${countsOf(one, factor)}${magnitude}`
  }
  return [t().unturned(unturned(theta, context)), ...ways.map(effectOf)]
}

function tablesOf({ context, factor, theta, scores, ways }: Stretched): NamedTable[] {
  const names = ways.map(({ way }) => t().ways[way])
  return [
    namedTable(t().table, [t().pair, ...names], { length: theta.length + 1 }, (_, pair) =>
      pair === theta.length
        ? [t().magnitude, ...ways.map(({ magnitude }) => magnitude)]
        : [pair, ...ways.map(({ ratio }) => ratio[pair] ?? NaN)],
    ),
    namedTable(t().score, [t().distance, t().ways.trained, ...names], { length: distances }, (_, at) => [
      (at * context * factor) / (distances - 1),
      scores[at] ?? NaN,
      ...ways.map(({ scores }) => scores[at] ?? NaN),
    ]),
  ]
}
