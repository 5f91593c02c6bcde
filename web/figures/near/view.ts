// The paper's bound, the sum of cosines, the score of one query and key, and the smallest bases, over all distances.
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../../views/body'
import { decayCommand } from '../../views/command'
import { OfRun, type Published } from '../../views/output'
import { params } from '.'
import { contexts, curvesOf, nearData, ownBase, type Curves } from './data.svelte'
import { t } from './messages.en'
import { drawBases, drawNear } from './picture'
import View from './View.svelte'

export default viewBody(params, {
  messages: t,
  component: View,
  data: nearData,
  output(inputs, data) {
    const { ruled, bases, curves: answer } = data
    const room = { width: inputs.width, height: Math.max(180, inputs.height - 44) }
    if (inputs.params.curve === 'base') {
      const least = bases.current
      if (!least) return { note: bases.failure?.message }
      return {
        scene: drawBases(least, ownBase(ruled), room),
        published: OfRun.none({ tables: [tableOfBases(least)], file: `${ruled.headSize}-${ruled.base}` }),
      }
    }
    const curves = curvesOf(inputs, data)
    if (!curves) return { note: data.failure?.message }
    const { run } = curves
    const publish = (published: Published) => (run ? OfRun.from({ run }, published) : OfRun.none(published))
    return {
      scene: { ...room, marks: drawNear(curves, room).marks },
      label: t().label,
      stale: answer.stale,
      published: publish({
        tables: [tableOf(curves)],
        command: commandOf(curves),
        file: curves.file,
      }),
    }
  },
})

export const tableOf = ({ curves, curve, labels }: Curves): NamedTable =>
  namedTable(t().table, [t().distance, ...labels.slice(0, curves.length)], curves[0]?.[curve] ?? [], (_, distance) => [
    distance,
    ...curves.map((one) => one[curve][distance] ?? NaN),
  ])

const tableOfBases = (bases: Float64Array): NamedTable =>
  namedTable(t().leastBase, [t().context, t().leastBase], contexts, (context, at) => [context, bases[at] ?? NaN])

/** The command line has plain ropes and no rows. */
export const commandOf = ({ curve, rope, maxDistance, alike }: Curves): string | undefined =>
  curve === 'score' || !rope || alike ? undefined : decayCommand(rope.headSize, rope.base, maxDistance, curve)
