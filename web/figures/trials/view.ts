// Three ways to rotate, and attention by length: both are timed on this machine once the reader starts it.
import { attentionKinds, rotationKinds } from '../../engine/protocol/protocol'
import { viewBody } from '../../views/body'
import { rotationCommand } from '../../views/command'
import { Publication, type PanelRow } from '../../views/output'
import { rotationParams, sizes } from '.'
import { longestPair, longestStep, Trials } from './measure.svelte'
import { t } from './messages.en'
import { drawPanels, panelsOf, tableOf } from './panels'

const leastHeight = 220
const roomOf = ({ width, height }: { width: number; height: number }) => ({
  width,
  height: Math.max(leastHeight, height - 8),
})

export const rotationsBody = viewBody(rotationParams, {
  messages: () => t().rotations,
  data: ({ bench }) =>
    new Trials(bench.engine, { kinds: rotationKinds, headSizes: sizes.map(Number), lengths: [64, 256, 1024, 4096] }),
  output(inputs, trials) {
    const { points, missing } = trials
    const { bytes, headline, size } = t().rotations
    const ofSize = points.filter(({ headSize }) => headSize === Number(inputs.params.size))
    const deviation = Math.max(0, ...points.map(({ deviation }) => deviation))
    return {
      scene: drawPanels(panelsOf({ points: ofSize, missing }, rotationKinds, bytes), t().axis, roomOf(inputs)),
      above: [
        ...rowsAbove(trials),
        [{ kind: 'select', param: 'size', label: size, options: sizes.map((value) => ({ value, text: value })) }],
      ],
      published: Publication.none({
        headline: points.length > 0 ? headline(deviation, points.length) : undefined,
        tables: [tableOf(points, bytes)],
        command: rotationCommand,
        subject: 'rotations',
      }),
    }
  },
})

export const lengthsBody = viewBody(
  {},
  {
    messages: () => t().lengths,
    data: ({ bench }) =>
      new Trials(bench.engine, {
        kinds: attentionKinds,
        headSizes: [64],
        lengths: Array.from({ length: 9 }, (_, at) => 64 * 2 ** at),
      }),
    output(inputs, trials) {
      const { points, missing } = trials
      const { bytes, headline } = t().lengths
      const pair = longestPair(points)
      return {
        scene: drawPanels(panelsOf({ points, missing }, attentionKinds, bytes), t().axis, roomOf(inputs)),
        above: rowsAbove(trials),
        published: Publication.none({
          headline: pair && headline(pair),
          tables: [tableOf(points, bytes)],
          subject: 'lengths',
        }),
      }
    },
  },
)

/** Starts and stops the measuring, says what is measured, and what is not. */
function rowsAbove<P>(trials: Trials): PanelRow<P>[] {
  const { step, points, missing, endedLines } = trials
  const { backends, kinds } = t()
  const lines = [
    ...missing.map((backend) => t().missing(backends[backend])),
    ...endedLines.map(({ backend, what, length, failure }) =>
      t().ended(backends[backend], kinds[what], length, failure?.message, longestStep / 1000),
    ),
  ]
  return [
    [
      step
        ? { kind: 'button', label: t().stop, to: { act: () => trials.stop() } }
        : {
            kind: 'button',
            label: points.length > 0 ? t().again : t().measure,
            to: { act: () => trials.start() },
          },
      {
        kind: 'text',
        role: 'status',
        text: step ? t().now(backends[step.backend], kinds[step.what], step.length, step.headSize) : t().idle,
      },
    ],
    [lines.length > 0 && { kind: 'list', items: lines }],
  ]
}
