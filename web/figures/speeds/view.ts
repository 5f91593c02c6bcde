// One dial per frequency pair, and the map of all angles far beyond the context.
import { everyNth } from '../../charts/pair-axis/axis'
import { namedTable, type NamedTable } from '../../ui/table'
import { walkRow } from '../../ui/walk'
import { viewBody } from '../../views/body'
import { ropeCommand } from '../../views/command'
import { OfRun } from '../../views/output'
import { params } from '.'
import { handsOf, mostDials, speedsData, speedsOf, type Speeds } from './data.svelte'
import { t } from './messages.en'
import { drawSpeeds, pairAt, planSpeeds } from './picture'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  component: View,
  data: speedsData,
  output(inputs, data) {
    const speeds = speedsOf(inputs, data)
    const { ruled, map } = data
    if (!speeds || !map) return { note: data.theta.failure?.message }
    const { theta, pair } = speeds
    const most = mostDials(inputs.width)
    const plan = planSpeeds(inputs.width, inputs.height - 2, everyNth(theta.length, most).length, theta.length)
    const hands = handsOf(speeds, ruled.ownRows, most)
    return {
      scene: drawSpeeds(plan, speeds, hands, map),
      label: t().label,
      published: OfRun.none({
        tables: [tableOf(speeds)],
        command: ruled.head ? undefined : ropeCommand(ruled.headSize, ruled.base),
        file: `${ruled.headSize}-${ruled.base}`,
      }),
      hit(x, y) {
        const hit = pairAt(plan, hands, theta.length, x, y)
        return hit === undefined ? undefined : { choice: { pair: hit === pair ? null : hit } }
      },
      keys(action) {
        const to = action === 'leave' ? null : walkRow(pair ?? -1, action, theta.length - 1)
        return to === undefined ? undefined : { choice: { pair: to } }
      },
    }
  },
})

const tableOf = ({ theta, wavelengths, m, n }: Speeds): NamedTable =>
  namedTable(t().table, t().columns, theta, (angle, pair) => [
    pair,
    wavelengths[pair] ?? NaN,
    angle,
    m * angle,
    n * angle,
  ])
