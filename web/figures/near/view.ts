// The paper's bound, the sum of cosines, the score of one query and key, and the smallest bases, over all distances.
import { farthestCrossing } from '../../engine/protocol/mathematics'
import { count, plain, score } from '../../i18n/format'
import { namedTable, type NamedTable } from '../../ui/table'
import { slide } from '../../ui/walk'
import { viewBody } from '../../views/body'
import { decayCommand } from '../../views/command'
import { Publication, type Published, type PanelRow } from '../../views/output'
import { params, type NearParams } from '.'
import { contexts, curvesOf, nearData, ownBase, tooFine, type Curves } from './data.svelte'
import { t } from './messages.en'
import { controlsOf } from './controls'
import { handsOutput } from './handsOutput'
import { drawBases, drawNear } from './picture'

export default viewBody(params, {
  messages: t,
  data: nearData,
  output(inputs, data) {
    const { ruled, bases, curves: answer } = data
    const room = { width: inputs.width, height: Math.max(180, inputs.height - 4) }
    if (inputs.params.curve === 'arrow') return handsOutput(inputs, data)
    const above = [controlsOf(inputs.params, inputs.bench, ruled.head !== undefined)]
    if (inputs.params.curve === 'base') {
      const least = bases.current
      if (!least) return { note: bases.failure?.message, above }
      return {
        scene: drawBases(least, ownBase(ruled), room),
        above,
        below: [below(leastOf(least))],
        published: Publication.none({ tables: [tableOfBases(least)], subject: `${ruled.headSize}-${ruled.base}` }),
      }
    }
    const curves = curvesOf(inputs, data)
    if (!curves) return { note: data.failure?.message, above }
    const { run, last, marked } = curves
    const publish = (published: Published) => (run ? Publication.from({ run }, published) : Publication.none(published))
    const chart = drawNear(curves, room)
    const value = valueOf(curves)
    const remark = remarkOf(curves, inputs.params.aligned)
    return {
      scene: { ...room, marks: chart.marks },
      above,
      below: [below(remark === undefined ? value : `${value} · ${remark}`)],
      sliders: [
        {
          label: t().label,
          max: last,
          now: marked,
          text: value,
          follows: 'pointer',
          hit(x) {
            const distance = Math.max(0, Math.min(last, Math.round(chart.at(x))))
            return { act: () => (data.marked = distance) }
          },
          keys(action) {
            const to = slide(marked, action, last, Math.max(1, Math.round(last / 10)))
            return to === undefined ? undefined : { act: () => (data.marked = to) }
          },
        },
      ],
      stale: answer.stale,
      published: publish({
        tables: [tableOf(curves)],
        command: commandOf(curves),
        subject: curves.subject,
      }),
    }
  },
})

const below = (text: string): PanelRow<NearParams> => [{ kind: 'text', name: 'told', text, lines: 2 }]

const leastOf = (bases: Float64Array): string =>
  t().leastOf(contexts.map((context, index) => `${count(context)}: ${count(Math.round(bases[index] ?? NaN))}`))

function valueOf({ curves, curve, labels, marked }: Curves): string {
  const values = curves.map((one, index) => `${labels[index]} ${score(one[curve][marked] ?? NaN)}`)
  return t().value(marked, values.join(', '))
}

function remarkOf({ curves: [first], curve }: Curves, aligned: number): string | undefined {
  if (!first) return undefined
  if (curve === 'cosines')
    return Number.isFinite(first.crossing) ? t().crossing(first.crossing) : t().noCrossing(farthestCrossing)
  if (curve === 'bound') return t().finest(tooFine(first.theta))
  return aligned > 0 ? `${t().aligned} ${plain(aligned)}` : undefined
}

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
