// One score: the parts of its frequency pairs, and the same query and key at every other distance.
import { scoreAt } from '../../charts/sweep/model'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../body'
import { runCommand } from '../command'
import { Publication } from '../output'
import { params } from '.'
import { explain, type Explained } from './data'
import { t } from './messages.en'
import { drawScore, factsOf } from './picture'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  data: explain,
  output({ cursor, width, height }, { explained, stale, failure }) {
    if (!explained) return { note: failure?.message }
    const facts = factsOf(explained)
    return {
      scene: drawScore(explained, facts, cursor.pair, width, height),
      stale,
      published: Publication.from(explained, {
        headline: t().headline(facts),
        tables: tablesOf(explained),
        command: runCommand(explained.run, ['query_rotated', 'key_rotated', 'attentions']),
      }),
    }
  },
  component: View,
})

type Numbers = Pick<Explained, 'waterfall' | 'sweep' | 'pair' | 'pairSweep' | 'bound'>

export function tablesOf({ waterfall: { steps }, sweep, pairSweep, bound, pair }: Numbers): NamedTable[] {
  const none = { values: new Float64Array(), reach: 0 }
  const curves = [sweep, pairSweep ?? none, bound ?? none]
  return [
    namedTable(t().pairTable, t().pairHeader, steps, ({ pair, wavelength, part, to }) => [pair, wavelength, part, to]),
    namedTable(t().sweepTable, t().sweepHeader(pair), { length: 2 * sweep.reach + 1 }, (_, index) => {
      const distance = index - sweep.reach
      const scores = curves.map((curve) => scoreAt(curve, distance))
      return [distance, ...scores.map((score) => (Number.isNaN(score) ? '' : score))]
    }),
  ]
}
