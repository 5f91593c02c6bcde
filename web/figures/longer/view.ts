// The loaded model on texts beyond its length: its loss under each way to stretch it, and one head's map at each length.
import { ramp, weightEntry } from '../../charts/colour'
import { headName, score } from '../../i18n/numbers'
import { sequential } from '../../styles/colours'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../../views/module'
import { Output, type PanelRow } from '../../views/output'
import type { LongerParams } from '.'
import { LongTexts, type PooledMap } from './data.svelte'
import { t } from './messages.en'
import { multiples, wayIds, waysOf, greatestMultiple, type Multiple, type WayId } from './ways'
import { chart } from '../../charts/chart'
import type { Mark, Scene, Size } from '../../charts/marks'
import type { Loss } from '../../engine/protocol/protocol'

const leastHeight = 320

export { t as messages }

export const data = (inputs: Inputs<LongerParams>) => new LongTexts(inputs.bench.engine, () => selectionOf(inputs))

type Data = ReturnType<typeof data>

export function output(inputs: Inputs<LongerParams>, texts: Data): Output<LongerParams> {
  const numbers: LongerNumbers = {
    ways: waysOf(inputs.params.ways),
    context: inputs.bench.engine.model?.info.max_position_embeddings ?? 0,
    loss: texts.commonLosses.of,
    map: (multiple) => texts.map(multiple),
  }
  const room = { width: inputs.width, height: Math.max(leastHeight, inputs.height - 8) }
  return Output.ofNoRun({
    scene: drawLonger(numbers, room, ramp(sequential[inputs.scheme])),
    above: [measuring(texts), ...selections(inputs, texts)],
    published: { tables: tablesOf(numbers), subject: 'beyond-the-length' },
  })
}

const selectionOf = ({ params, cursor: { layer, head } }: Inputs<LongerParams>) => ({
  ways: waysOf(params.ways),
  way: params.way,
  place: { layer, head },
})

/** Starts and stops the measuring. */
function measuring(texts: LongTexts): PanelRow<LongerParams> {
  const { isServed, isMeasuring, progress, failure } = texts
  const stoppable = isServed && isMeasuring
  const startable = isServed && !isMeasuring && !texts.isComplete
  const left = progress.seconds === undefined ? '' : `, ${t().left(progress.seconds)}`
  const start = texts.hasLosses ? t().resume : t().start
  return [
    !isServed && { kind: 'text', text: t().notServed },
    stoppable && { kind: 'button', label: t().stop, to: { act: () => texts.stop() } },
    stoppable && { kind: 'progress', label: t().progressLabel, value: progress.done, max: progress.total },
    stoppable && {
      kind: 'text',
      name: 'progress',
      text: `${t().progress(progress.done, progress.total)}${left}`,
    },
    startable && { kind: 'button', label: start, to: { act: () => texts.start() } },
    startable && { kind: 'text', text: t().duration },
    failure && { kind: 'text', role: 'alert', text: failure.message },
  ]
}

/** The ways whose losses and the way whose maps are drawn, and the masked tokens. */
function selections({ params, cursor }: Inputs<LongerParams>, texts: LongTexts): PanelRow<LongerParams>[] {
  const toggled = (id: string): readonly string[] => {
    const others = params.ways.filter((way) => way !== id)
    if (others.length === params.ways.length) return [...others, id]
    return others.length > 0 ? others : params.ways
  }
  return [
    [
      {
        kind: 'buttons',
        label: t().waysLabel,
        buttons: wayIds.map((id) => ({
          label: t().ways[id],
          pressed: params.ways.includes(id),
          to: { params: { ways: toggled(id) } },
        })),
      },
    ],
    [
      {
        kind: 'select',
        param: 'way',
        label: t().maps(headName(cursor)),
        options: wayIds.map((value) => ({ value, text: t().ways[value] })),
      },
    ],
    [
      {
        kind: 'text',
        name: 'tokens',
        text: texts.tokens > 0 ? t().tokens(texts.tokens, texts.book) : t().notStarted,
      },
    ],
  ]
}

function tablesOf({ ways, context, loss }: LongerNumbers): NamedTable[] {
  const rows = ways.flatMap((way) =>
    multiples.flatMap((multiple) => {
      const measured = loss(way, multiple)
      return measured ? [[t().ways[way], context * multiple, measured.mean, measured.labels]] : []
    }),
  )
  if (rows.length === 0) return []
  return [namedTable(t().table, t().columns, rows, (row) => row)]
}

export interface LongerNumbers {
  ways: readonly WayId[]
  context: number
  loss: (way: WayId, multiple: Multiple) => Loss | undefined
  map: (multiple: Multiple) => PooledMap | undefined
}

const dashes = [
  undefined,
  '6 3',
  '2 3',
  '8 3 2 3',
  '1 4',
  '10 4',
  '4 2 1 2',
  '12 3 2 3',
  '3 6',
  '6 2 2 2 2 2',
  '14 4',
  '5 5',
]

const gap = 14
const leastChartHeight = 190

export function drawLonger(
  { ways, context, loss, map }: LongerNumbers,
  { width, height }: Size,
  palette: Uint8Array,
): Scene {
  const side = Math.max(60, Math.min((width - 2 * gap) / 3, height - 36 - leastChartHeight))
  const below = side + 36
  const points = ways.flatMap((way) =>
    multiples.flatMap((multiple) => {
      const mean = loss(way, multiple)?.mean
      return mean === undefined || !Number.isFinite(mean) ? [] : [{ multiple, mean }]
    }),
  )
  const means = points.map(({ mean }) => mean)
  const [lowest, greatest] = means.length > 0 ? [Math.min(...means), Math.max(...means)] : [3, 4]
  const slack = Math.max(0.02, (greatest - lowest) * 0.15)
  const label = (way: WayId) => {
    const end = loss(way, greatestMultiple)
    return end ? `${t().ways[way]} ${score(end.mean)}` : t().ways[way]
  }
  const plan = chart(
    { x: 0, y: 0, width, height: height - below },
    {
      from: 1,
      to: greatestMultiple,
      name: t().across,
      log: true,
      ticks: multiples,
      format: (multiple) => t().times(multiple, context * multiple),
    },
    { from: lowest - slack, to: greatest + slack, name: t().up },
    ways.map((way) => {
      const dash = dashes[wayIds.indexOf(way)]
      return {
        points: multiples.map((multiple) => [multiple, loss(way, multiple)?.mean ?? NaN] as const),
        weight: way === 'plain' ? 2.4 : 1.6,
        label: label(way),
        ...(dash === undefined ? {} : { dash }),
      }
    }),
  )
  const marks: Mark[] = [...plan.marks]
  if (means.length === 0) {
    const [x, y] = [(plan.left + plan.right) / 2, (plan.top + plan.bottom) / 2]
    marks.push({ kind: 'text', x, y, text: t().nothing, anchor: 'middle', room: width })
  }
  for (const { multiple, mean } of points) {
    const [x, y] = [plan.x(multiple), plan.y(mean)]
    marks.push({ kind: 'circle', x, y, r: 3, fill: 'card', stroke: 'ink', weight: 1.4 })
  }
  multiples.forEach((multiple, index) => {
    const x = index * (side + gap)
    const y = height - below + 32
    const small = map(multiple)
    const text = small ? t().map(small.length, small.strongest) : t().times(multiple, context * multiple)
    marks.push({ kind: 'text', x, y: y - 6, text, size: 10.5, room: side })
    if (small) {
      const pixels = paint(small, palette)
      marks.push({ kind: 'raster', x, y, width: side, height: side, columns: small.side, rows: small.side, pixels })
    }
    marks.push({ kind: 'rect', x, y, width: side, height: side, stroke: 'rule' })
  })
  return { width, height, marks }
}

function paint({ cells }: PooledMap, palette: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(4 * cells.length)
  cells.forEach((weight, at) => {
    const colour = 3 * weightEntry(weight)
    for (let channel = 0; channel < 3; channel++) image[4 * at + channel] = palette[colour + channel] ?? 0
    image[4 * at + 3] = 255
  })
  return image
}
