// One dial per frequency pair, and the map of all angles far beyond the context.
import { everyNth } from '../../charts/pair-axis/axis'
import { turns, wavelength } from '../../i18n/format'
import { namedTable, type NamedTable } from '../../ui/table'
import { walkRow } from '../../ui/walk'
import { viewBody } from '../../views/body'
import { ropeCommand } from '../../views/command'
import { Publication, type PanelRow } from '../../views/output'
import { axes, mapModes, params, type SpeedsParams } from '.'
import { handsOf, mostDials, openPairs, speedsData, speedsOf, type Speeds } from './data.svelte'
import { t } from './messages.en'
import { drawSpeeds, pairAt, planSpeeds } from './picture'

export default viewBody(params, {
  messages: t,
  data: speedsData,
  output(inputs, data) {
    const speeds = speedsOf(inputs, data)
    const { ruled, map } = data
    const below = rowsBelow(speeds)
    if (!speeds || !map) return { note: data.theta.failure?.message, below }
    const { theta, pair } = speeds
    const most = mostDials(inputs.width)
    const plan = planSpeeds(inputs.width, inputs.height - 2, everyNth(theta.length, most).length, theta.length)
    const hands = handsOf(speeds, ruled.ownRows, most)
    return {
      scene: drawSpeeds(plan, speeds, hands, map),
      below,
      published: Publication.none({
        tables: [tableOf(speeds)],
        command: ruled.head ? undefined : ropeCommand(ruled.headSize, ruled.base),
        subject: `${ruled.headSize}-${ruled.base}`,
      }),
      sliders: [
        {
          label: t().label,
          max: theta.length - 1,
          now: pair ?? 0,
          text: selectionOf(speeds) ?? t().none,
          follows: 'click',
          hit(x, y) {
            const hit = pairAt(plan, hands, theta.length, x, y)
            return hit === undefined ? undefined : { choice: { pair: hit === pair ? null : hit } }
          },
          keys(action) {
            const to = action === 'leave' ? null : walkRow(pair ?? -1, action, theta.length - 1)
            return to === undefined ? undefined : { choice: { pair: to } }
          },
        },
      ],
    }
  },
})

/** What the selected pair does; the numbers of the map and its axis. */
function rowsBelow(speeds: Speeds | undefined): PanelRow<SpeedsParams>[] {
  const open = speeds && openPairs(speeds.theta, speeds.context)
  const sentence = speeds && (selectionOf(speeds) ?? t().openPairs(open ?? 0, speeds.theta.length, speeds.context))
  return [
    [{ kind: 'text', name: 'pair', text: sentence ?? '' }],
    [
      {
        kind: 'segmented',
        param: 'map',
        label: t().mode,
        labelled: true,
        options: mapModes.map((value) => ({ value, text: t().modes[value] })),
      },
      {
        kind: 'segmented',
        param: 'axis',
        label: t().axis,
        labelled: true,
        options: axes.map((value) => ({ value, text: t().axes[value] })),
      },
    ],
  ]
}

function selectionOf({ theta, wavelengths, pair, m, n }: Speeds): string | undefined {
  if (pair === null) return undefined
  const speed = theta[pair] ?? 0
  return t().pair(pair, wavelength(wavelengths[pair] ?? NaN), turns(m * speed), turns(n * speed))
}

const tableOf = ({ theta, wavelengths, m, n }: Speeds): NamedTable =>
  namedTable(t().table, t().columns, theta, (angle, pair) => [
    pair,
    wavelengths[pair] ?? NaN,
    angle,
    m * angle,
    n * angle,
  ])
