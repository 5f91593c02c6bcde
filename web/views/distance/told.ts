// What the view tells besides its picture: a headline, tables, a command line.
import { exact } from '../../i18n/format'
import type { Foretold } from '../../engine/protocol/mathematics'
import type { Headline } from '../sheet.svelte'
import type { NamedTable } from '../../ui/table'
import { constancyOf, peakOf, weightAt, type Curves, type DistanceWords } from './model'

/** `counted`: how many tokens have a part in the means. */
export function headlineOf(
  head: string,
  curves: Curves,
  { correlation, pairs }: Foretold,
  counted: number,
  words: DistanceWords,
): Headline {
  const distance = peakOf(curves, curves.measured)
  const [measured, foretold] = [curves.measured, curves.foretold].map((curve) => weightAt(curves, curve, distance))
  const likeliest = peakOf(curves, curves.foretold)
  return words.headline({
    head,
    queries: counted,
    correlation,
    constancy: constancyOf(pairs),
    peak: { distance, measured: measured ?? 0, foretold: foretold ?? 0 },
    foretold: { distance: likeliest, weight: weightAt(curves, curves.foretold, likeliest) },
  })
}

export function tablesOf(
  curves: Curves,
  { scores, pairs }: Foretold,
  theta: Float64Array,
  { tables }: DistanceWords,
): NamedTable[] {
  // In reading order: the farthest key behind first.
  const first = curves.length - 1
  const distances = curves.causal ? curves.length : Math.max(0, 2 * curves.length - 1)
  const number = (value: number) => (Number.isNaN(value) ? '' : exact(value))
  return [
    {
      name: tables.distances,
      table: {
        header: tables.distance,
        length: distances,
        row: (index) => {
          const distance = first - index
          const { measured, foretold, even } = curves
          const weights = [measured, foretold, even, scores].map((curve) => weightAt(curves, curve, distance))
          return [Math.abs(distance), tables.side(distance), ...weights]
        },
      },
    },
    {
      name: tables.pairs,
      table: {
        header: tables.pair,
        length: pairs.length,
        row: (pair) => {
          const { strength = 0, queryConstancy = 0, keyConstancy = 0, phase = 0, wants = NaN } = pairs[pair] ?? {}
          return [pair, theta[pair] ?? 0, strength, queryConstancy, keyConstancy, phase, number(wants)]
        },
      },
    },
  ]
}
