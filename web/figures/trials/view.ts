// Three ways to rotate, and attention by length: both are timed on this machine once the reader starts it.
import { attentionKinds, rotationKinds } from '../../engine/protocol/protocol'
import { viewBody } from '../../views/body'
import { rotationCommand } from '../../views/command'
import { OfRun } from '../../views/output'
import { rotationParams, sizes } from '.'
import { longestPair, Trials } from './measure.svelte'
import { t } from './messages.en'
import { drawPanels, panelsOf, tableOf } from './panels'
import View from './View.svelte'

const leastHeight = 220
const roomOf = ({ width, height }: { width: number; height: number }) => ({
  width,
  height: Math.max(leastHeight, height - 8),
})

export const rotationsBody = viewBody(rotationParams, {
  messages: () => t().rotations,
  component: View,
  data: ({ bench }) =>
    new Trials(bench.engine, { kinds: rotationKinds, headSizes: sizes.map(Number), lengths: [64, 256, 1024, 4096] }),
  output(inputs, { points, missing }) {
    const { bytes, headline } = t().rotations
    const ofSize = points.filter(({ headSize }) => headSize === Number(inputs.params.size))
    const deviation = Math.max(0, ...points.map(({ deviation }) => deviation))
    return {
      scene: drawPanels(panelsOf({ points: ofSize, missing }, rotationKinds, bytes), t().axis, roomOf(inputs)),
      published: OfRun.none({
        headline: points.length > 0 ? headline(deviation, points.length) : undefined,
        tables: [tableOf(points, bytes)],
        command: rotationCommand,
        file: 'rotations',
      }),
    }
  },
})

export const lengthsBody = viewBody(
  {},
  {
    messages: () => t().lengths,
    component: View,
    data: ({ bench }) =>
      new Trials(bench.engine, {
        kinds: attentionKinds,
        headSizes: [64],
        lengths: Array.from({ length: 9 }, (_, at) => 64 * 2 ** at),
      }),
    output(inputs, { points, missing }) {
      const { bytes, headline } = t().lengths
      const pair = longestPair(points)
      return {
        scene: drawPanels(panelsOf({ points, missing }, attentionKinds, bytes), t().axis, roomOf(inputs)),
        published: OfRun.none({
          headline: pair && headline(pair),
          tables: [tableOf(points, bytes)],
          file: 'lengths',
        }),
      }
    },
  },
)
