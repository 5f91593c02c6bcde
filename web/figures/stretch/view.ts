// A rope before and after it is stretched to longer texts: frequencies, wavelengths, scores by distance, or angles.
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { OfRun } from '../../views/output'
import { distances, params } from '.'
import { stretchData, stretchedOf, type Stretched } from './data'
import { t } from './messages.en'
import { drawDials, drawRatios, drawScores, drawWavelengths } from './picture'
import View from './View.svelte'

const leastHeight = 190
const drawings = { ratio: drawRatios, wavelength: drawWavelengths, score: drawScores, dials: drawDials }

export default viewBody(params, {
  messages: t,
  component: View,
  data: stretchData,
  output({ params, width, height }, { latest, stale, failure }) {
    const stretched = latest && stretchedOf(latest.key.params, latest.value)
    if (!stretched) return { note: failure?.message }
    const { headSize, base, factor } = latest.key.params
    return {
      scene: drawings[params.quantity](stretched, { width, height: Math.max(leastHeight, height - 8) }),
      stale,
      published: OfRun.none({ tables: tablesOf(stretched), file: `${headSize}-${base}-${factor}` }),
    }
  },
})

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
