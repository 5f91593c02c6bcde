// The numbers of a score and of its curve, as tables.
import type { Words } from '../../i18n/words'
import type { NamedTable } from '../../ui/table'
import { scoreAt, type Swept } from '../../charts/sweep/model'
import type { Waterfall } from './model'

interface Numbers {
  fall: Waterfall
  swept: Swept
  lone: Swept | undefined
  bound: Swept | undefined
  single: number
}

export function scoreTables({ fall, swept, lone, bound, single }: Numbers, words: Words['score']): NamedTable[] {
  const others = [lone, bound].map((curve) => curve ?? { values: new Float64Array(), reach: 0 })
  return [
    {
      name: words.pairTable,
      table: {
        header: words.pairHeader,
        length: fall.steps.length,
        row(rank) {
          const step = fall.steps[rank]
          return step ? [step.pair, step.wavelength, step.part, step.to] : []
        },
      },
    },
    {
      name: words.sweepTable,
      table: {
        header: words.sweepHeader(single),
        length: 2 * swept.reach + 1,
        row(index) {
          const distance = index - swept.reach
          return [
            distance,
            ...[swept, ...others]
              .map((curve) => scoreAt(curve, distance))
              .map((value) => (Number.isNaN(value) ? '' : value)),
          ]
        },
      },
    },
  ]
}
