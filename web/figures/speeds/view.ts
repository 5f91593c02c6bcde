// One dial per frequency pair, and the map of all angles far beyond the context.
import { everyNth } from '../../charts/labels'
import { turns, wavelength } from '../../i18n/numbers'
import { namedTable, type NamedTable } from '../../ui/table'
import { walkRow } from '../../ui/walk'
import type { Inputs } from '../../views/module'
import { ropeCommand } from '../../views/command'
import { Output, type PanelRow } from '../../views/output'
import { axes, mapModes, type SpeedsParams } from '.'
import {
  angleMapOf,
  handsOf,
  mostDials,
  openPairs,
  speedsData,
  speedsOf,
  type AngleMap,
  type Speeds,
  type SpeedsData,
  type SpeedsInputs,
} from './data.svelte'
import { t } from './messages.en'
import { drawSpeeds, pairAt, planSpeeds } from './picture'

export { t as messages, speedsData as data }

type Data = ReturnType<typeof speedsData>

// The page's map is in the colours of the page.
export function figure(inputs: Inputs<SpeedsParams>, data: Data) {
  const [speeds, map] = [speedsOf(inputs, data), angleMapOf(inputs, data)]
  return speeds && map && pictureOf(inputs, data, speeds, map).scene
}

export function output(inputs: Inputs<SpeedsParams>, data: Data): Output<SpeedsParams> {
  const speeds = speedsOf(inputs, data)
  const { ruler, map } = data
  if (!speeds || !map) return Output.ofNoRun({ message: data.theta.failure?.message, below: rowsBelow(speeds) })
  const { theta, pair } = speeds
  const { plan, hands, scene } = pictureOf(inputs, data, speeds, map)
  const { pointer } = inputs
  const pointed = pointer && pairAt(plan, hands, theta.length, pointer.x, pointer.y)
  return Output.ofNoRun({
    scene,
    // Small dials are read there.
    below: rowsBelow({ ...speeds, pair: pointed ?? pair }),
    published: {
      tables: [tableOf(speeds)],
      command: ruler.head ? undefined : ropeCommand(ruler.headSize, ruler.base),
      subject: `${ruler.headSize}-${ruler.base}`,
    },
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
        onAction(action) {
          const to = action === 'leave' ? null : walkRow(pair ?? -1, action, theta.length - 1)
          return to === undefined ? undefined : { choice: { pair: to } }
        },
      },
    ],
  })
}

function pictureOf({ width, height }: SpeedsInputs, { ruler }: SpeedsData, speeds: Speeds, map: AngleMap) {
  const [pairs, most] = [speeds.theta.length, mostDials(width)]
  const plan = planSpeeds(width, height - 2, everyNth(pairs, most).length, pairs)
  const hands = handsOf(speeds, ruler.ownRows, most)
  return { plan, hands, scene: drawSpeeds(plan, speeds, hands, map) }
}

/** What the selected pair does; the numbers of the map and its axis. */
function rowsBelow(speeds: Speeds | undefined): PanelRow<SpeedsParams>[] {
  const open = speeds && openPairs(speeds.theta, speeds.context)
  const sentence = speeds && (selectionOf(speeds) ?? t().openPairs(open ?? 0, speeds.theta.length, speeds.context))
  return [
    [{ kind: 'text', name: 'pair', text: sentence ?? '', lines: 2 }],
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
