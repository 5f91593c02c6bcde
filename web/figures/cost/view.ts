// Losses of three kinds of positions trained alike; and how many multiplications turning takes.
import { integer } from '../../i18n/numbers'
import { trained, training } from '../../i18n/facts'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../../views/module'
import { Output, type PanelItem } from '../../views/output'
import type { CostParams } from '.'
import { t, type Messages } from './messages.en'
import { chart } from '../../charts/chart'
import type { Scene, Size } from '../../charts/marks'

export { t as messages }

export const data = () => undefined

export function output({ bench, params, width, height }: Inputs<CostParams>): Output<CostParams> {
  const drawn = params.kinds === 'all' ? kinds : (['rotary'] as const)
  return Output.ofNoRun({
    scene: drawCost(trained, drawn, training.tokens, { width, height: Math.max(190, height - 8) }),
    below: [
      [
        {
          kind: 'segmented',
          param: 'kinds',
          label: t().choice,
          labelled: true,
          options: [
            { value: 'all', text: t().all },
            { value: 'rotary', text: t().kinds.rotary },
          ],
        },
      ],
      [countsBySize(bench.choice.headSize)],
    ],
    published: { tables: [lossTable()], subject: 'trained' },
  })
}

/** The multiplications of turning a row. */
function countsBySize(headSize: number): PanelItem<CostParams> {
  const sizes = [...new Set([32, 64, 128, headSize])].sort((one, other) => one - other)
  return {
    kind: 'table',
    caption: t().counts,
    header: t().costColumns,
    rows: sizes.map((size) => [integer(size), integer(size * size), integer(2 * size)]),
  }
}

function lossTable(): NamedTable {
  const rows = kinds.flatMap((kind) =>
    lossesOf(trained, kind).map(([length, loss]) => [
      t().kinds[kind],
      length,
      loss?.mean ?? '',
      loss?.least ?? '',
      loss?.most ?? '',
    ]),
  )
  return namedTable(t().table, t().columns, rows, (row) => row)
}

type EncodingKind = keyof Messages['kinds']
export const kinds: readonly EncodingKind[] = ['rotary', 'sinusoidal', 'learned']

interface LossRange {
  mean: number
  least: number
  most: number
}

type Losses = Readonly<Record<EncodingKind, { loss_by_length: Readonly<Record<string, LossRange | null>> }>>

/** Losses of a kind by the length of the rows, shortest first; null: the kind has no such position. */
const lossesOf = (losses: Losses, kind: EncodingKind): [number, LossRange | null][] =>
  Object.entries(losses[kind].loss_by_length)
    .map(([length, loss]): [number, LossRange | null] => [Number(length), loss])
    .sort(([one], [other]) => one - other)

export function drawCost(
  losses: Losses,
  drawn: readonly EncodingKind[],
  trainedAt: number,
  { width, height }: Size,
): Scene {
  const all = drawn.map((kind) => ({ kind, measured: lossesOf(losses, kind) }))
  const lengths = all[0]?.measured.map(([length]) => length) ?? []
  const values = all.flatMap(({ measured }) => measured.flatMap(([, loss]) => (loss ? [loss.least, loss.most] : [])))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const slack = (most - least) * 0.12
  const looks = { rotary: { weight: 2.6 }, sinusoidal: { weight: 1.5 }, learned: { weight: 1.5, dash: '6 3' } }
  const plan = chart(
    { x: 0, y: 0, width, height },
    { from: Math.min(...lengths), to: Math.max(...lengths), name: t().across, log: true, ticks: lengths },
    { from: least - slack, to: most + slack, name: t().up },
    all.map(({ kind, measured }) => ({
      ...looks[kind],
      points: measured.map(([length, loss]) => [length, loss?.mean ?? NaN] as const),
      label: measured.some(([, loss]) => loss === null) ? `${t().kinds[kind]}: ${t().ends}` : t().kinds[kind],
    })),
  )
  const marks = [...plan.marks]
  for (const { measured } of all) {
    for (const [length, loss] of measured) {
      if (!loss) continue
      const x = plan.x(length)
      marks.push({ kind: 'line', x1: x, x2: x, y1: plan.y(loss.least), y2: plan.y(loss.most), weight: 1.2 })
      marks.push({ kind: 'circle', x, y: plan.y(loss.mean), r: 3, fill: 'card', stroke: 'ink', weight: 1.4 })
    }
  }
  const at = plan.x(trainedAt)
  marks.push({ kind: 'line', x1: at, x2: at, y1: plan.top, y2: plan.bottom, stroke: 'edge', dash: '3 3' })
  // Between the curves, which lie at the top and at the bottom.
  marks.push({ kind: 'text', x: at + 4, y: (plan.top + plan.bottom) / 2, text: t().trainedAt, size: 10.5 })
  return { width, height, marks }
}
