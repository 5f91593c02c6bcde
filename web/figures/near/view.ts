// The paper's bound, the sum of cosines, the score of one query and key, and the smallest bases, over all distances.
import { integer, plain, score } from '../../i18n/numbers'
import { farthestCrossing } from '../../engine/protocol/mathematics'
import { namedTable, type NamedTable } from '../../ui/table'
import { slide } from '../../ui/walk'
import type { Inputs } from '../../views/module'
import { decayCommand } from '../../views/command'
import { Output, type PanelRow, type Picture } from '../../views/output'
import { siteOfCell } from '../../views/sites'
import type { NearParams } from '.'
import {
  contexts,
  curvesOf,
  nearData,
  ownBase,
  tooFine,
  type Curves,
  type NearData,
  reaches,
  nameOf,
  type OwnBase,
} from './data.svelte'
import { t } from './messages.en'
import model from '../head.json'
import {
  alikeHands,
  arrowAt,
  countsAt,
  drawHands,
  farthest,
  handsOf,
  lengthAt,
  nearDegrees,
  planHands,
  smallDialAt,
  type Hands,
} from './hands'
import type { Bench } from '../../session/bench.svelte'
import { chart, thinPoints, type Chart, type ChartCurve } from '../../charts/chart'
import type { Scene, Size } from '../../charts/marks'

export { t as messages, nearData as data }

type Data = ReturnType<typeof nearData>

export function output(inputs: Inputs<NearParams>, data: Data): Output<NearParams> {
  const { ruler, bases, curves: answer } = data
  const room = { width: inputs.width, height: Math.max(180, inputs.height - 4) }
  if (inputs.params.curve === 'arrow') return handsOutput(inputs, data)
  const above = [controlsOf(inputs.params, inputs.bench, ruler.head !== undefined)]
  if (inputs.params.curve === 'base') {
    const least = bases.current
    if (!least) return Output.ofNoRun({ message: bases.failure?.message, above })
    return Output.ofNoRun({
      scene: drawBases(least, ownBase(ruler), room),
      above,
      below: [below(leastOf(least))],
      published: { tables: [tableOfBases(least)], subject: `${ruler.headSize}-${ruler.base}` },
    })
  }
  const curves = curvesOf(inputs, data)
  if (!curves) return Output.ofNoRun({ message: data.failure?.message, above })
  const { run, last, marked } = curves
  const chart = drawNear(curves, room)
  const value = valueOf(curves)
  const remark = remarkOf(curves, inputs.params.aligned)
  // Of a head of the loaded model the score at their own distance is a number of the run.
  const ownScore =
    run && curves.curve === 'score'
      ? siteOfCell('layer.N.score.unscaled', { ...run.head, query: ruler.m, key: ruler.n }, run)
      : undefined
  const picture: Picture<NearParams> = {
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
        onAction(action) {
          const to = slide(marked, action, last, Math.max(1, Math.round(last / 10)))
          return to === undefined ? undefined : { act: () => (data.marked = to) }
        },
      },
    ],
    explains: ownScore,
    stale: answer.stale,
    published: { tables: [tableOf(curves, ownScore)], command: commandOf(curves), subject: curves.subject },
  }
  return run ? Output.of(run, picture) : Output.ofNoRun(picture)
}

const below = (text: string): PanelRow<NearParams> => [{ kind: 'text', name: 'value', text, lines: 2 }]

const leastOf = (bases: Float64Array): string =>
  t().leastOf(contexts.map((context, index) => `${integer(context)}: ${integer(Math.round(bases[index] ?? NaN))}`))

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

/** @param ownScore the site of the score of a head's own query and key */
export const tableOf = ({ curves, curve, labels, own }: Curves, ownScore?: string): NamedTable =>
  namedTable(
    t().table,
    [t().distance, ...labels.slice(0, curves.length)],
    curves[0]?.[curve] ?? [],
    (_, distance) => [distance, ...curves.map((one) => one[curve][distance] ?? NaN)],
    (_, column, distance) => (column === 1 && distance === own ? ownScore : undefined),
  )

const tableOfBases = (bases: Float64Array): NamedTable =>
  namedTable(t().leastBase, [t().context, t().leastBase], contexts, (context, at) => [context, bases[at] ?? NaN])

/** The command line has plain ropes and no rows. */
export const commandOf = ({ curve, rope, maxDistance, alike }: Curves): string | undefined =>
  curve === 'score' || !rope || alike ? undefined : decayCommand(rope.headSize, rope.base, maxDistance, curve)

const modelHands = handsOf(model.theta, model.query.row, model.key.row)

/** Distances of the table: each near one, and then a few of each power of ten. */
const listed = [0, 1, 2, 5].flatMap((first) => [1, 10, 100, 1000].map((power) => first * power)).concat(farthest)
const rows = [...new Set(listed)].sort((one, other) => one - other)

function handsOutput(inputs: Inputs<NearParams>, { theta, ruler }: NearData): Output<NearParams> {
  const { params, width, height, bench } = inputs
  const ofModel = params.hands === 'model'
  const hands = ofModel ? modelHands : theta.current && alikeHands(theta.current)
  const above: PanelRow<NearParams>[] = [controlsOf(params, bench, ruler.head !== undefined)]
  if (!hands) return Output.ofNoRun({ message: theta.failure?.message, above })
  const plan = planHands(width, height)
  const { at, ...scene } = drawHands(plan, hands, params.at)
  const to = (distance: number) => ({ params: { at: Math.max(1, Math.min(farthest, Math.round(distance))) } })
  const value = arrowInWords(hands, params.at)
  return Output.ofNoRun({
    scene,
    help: ofModel ? t().helpOfModel(model) : t().helpOfArrow,
    above,
    below: [[{ kind: 'text', name: 'value', text: value, lines: 2 }]],
    sliders: [
      {
        label: t().label,
        min: 1,
        max: farthest,
        now: params.at,
        text: value,
        follows: 'drag',
        box: { ...plan.chart, height: plan.band.y + plan.band.height },
        hit: (x) => to(at(x)),
        onAction(action) {
          const next = slide(params.at, action, farthest, Math.max(10, Math.round(params.at / 2)))
          return next === undefined ? undefined : to(next)
        },
      },
      {
        label: t().three,
        min: 1,
        max: 200,
        now: params.at,
        text: value,
        follows: 'click',
        box: { x: 0, y: plan.strip.y, width, height: plan.strip.height },
        hit(x, y) {
          const distance = smallDialAt(plan, x, y)
          return distance === undefined ? undefined : to(distance)
        },
        onAction: (action) => (action === 'first' ? to(1) : action === 'last' ? to(200) : undefined),
      },
    ],
    published: {
      tables: [
        namedTable(t().table, [t().distance, t().arrowLength, t().near(nearDegrees)], rows, (distance) => [
          distance,
          lengthAt(hands, distance),
          countsAt(hands, distance).near,
        ]),
      ],
      subject: ofModel ? model.model : `${ruler.headSize}-${ruler.base}`,
    },
  })
}

/** The arrow in words. */
function arrowInWords(hands: Hands, distance: number): string {
  const { near, round } = countsAt(hands, distance)
  const { along } = arrowAt(hands, distance)
  const length = lengthAt(hands, distance)
  return t().arrow({ distance, length, along, near, round, hands: hands.theta.length, angle: nearDegrees })
}

/** Distances of the arrow. */
const stops = [1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300, 500, 700, 1000, 2000, 5000, 10_000]

/** Controls of the curve and of its range. */
function controlsOf(params: NearParams, { choice }: Bench, ofHead: boolean): PanelRow<NearParams> {
  const { curve, alike, seed } = params
  const ofArrow = curve === 'arrow'
  const ofDistance = curve !== 'base' && !ofArrow
  const ofScore = curve === 'score'
  return [
    {
      kind: 'segmented',
      param: 'curve',
      label: t().curve,
      labelled: true,
      options: (['arrow', 'bound', 'cosines', 'score', 'base'] as const).map((value) => ({
        value,
        text: t().curves[value],
      })),
    },
    ofArrow && {
      kind: 'segmented',
      param: 'hands',
      label: t().hands,
      labelled: true,
      options: (['alike', 'model'] as const).map((value) => ({
        value,
        text: value === 'model' ? t().handsOf.model(model) : t().handsOf.alike,
      })),
    },
    ofArrow && {
      kind: 'slider',
      label: t().between,
      value: params.at,
      stops: [...new Set([...stops, params.at])].sort((one, other) => one - other),
      format: t().tokens,
      to: (at) => ({ params: { at } }),
    },
    ofDistance && { kind: 'button', label: t().alike, pressed: alike, to: { params: { alike: !alike } } },
    ofScore &&
      !ofHead && {
        kind: 'number',
        label: t().aligned,
        value: params.aligned,
        min: 0,
        max: 8192,
        to: (value) => ({ params: { aligned: Math.max(0, Math.min(8192, Math.round(value || 0))) } }),
      },
    ofScore &&
      choice.vectors === 'random' && { kind: 'button', label: t().seed, to: { params: { seed: (seed % 9999) + 1 } } },
    ofDistance && {
      kind: 'slider',
      label: t().reach,
      value: choice.maxDistance,
      stops: reaches,
      format: t().tokens,
      to: (maxDistance) => ({ choice: { maxDistance } }),
    },
  ]
}

/** The smallest base for each context, and where the ruler's rope stands: context across, base up. */
export function drawBases(bases: Float64Array, own: OwnBase, { width, height }: Size): Scene {
  const points = contexts.map((context, index) => [context, bases[index] ?? NaN] as const)
  const known = points.map(([, base]) => base).filter((base) => base > 0)
  const across = { from: Math.min(256, own.context), to: Math.max(8192, own.context) }
  const up = { from: Math.min(100, own.base, ...known), to: Math.max(1e6, own.base, ...known) * 1.5 }
  const plan = chart(
    { x: 0, y: 0, width, height },
    { ...across, name: t().context, log: true, ticks: [...new Set([...contexts, own.context])] },
    { ...up, name: t().base, log: true, format: power },
    [{ points, weight: 2.4, label: t().leastBase }],
  )
  const marks = [...plan.marks]
  points.forEach(([context, base]) => {
    if (!(base > 0)) return
    marks.push({
      kind: 'circle',
      x: plan.x(context),
      y: plan.y(base),
      r: 3.5,
      fill: 'card',
      stroke: 'ink',
      weight: 1.4,
    })
  })
  const [x, y] = [plan.x(own.context), plan.y(own.base)]
  const end = x > (plan.left + plan.right) / 2
  marks.push({ kind: 'circle', x, y, r: 5, fill: 'key' })
  marks.push({
    kind: 'text',
    x: end ? x - 9 : x + 9,
    y: y + 4,
    text: nameOf(own.rope),
    size: 10.5,
    tone: 'key',
    ...(end ? { anchor: 'end' as const } : {}),
  })
  return { width, height, marks }
}

/** Powers of ten as such. */
function power(value: number): string {
  const digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']
  return `10${digits[Math.round(Math.log10(value))] ?? ''}`
}

export function drawNear({ curves, curve, labels, last, marked }: Curves, { width, height }: Size): Chart {
  const all = curves.map((one) => one[curve])
  let [least, most] = [0, 0]
  for (const values of all) for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)]
  if (most - least < 1e-9) [least, most] = [-1, 1]
  const looks = [{ weight: 2.4 }, { weight: 1.3 }, { weight: 1.3, dash: '5 3' }]
  const drawn = all.map((values, index): ChartCurve => {
    const label = curves.length > 1 ? labels[index] : undefined
    return { points: thinPoints(values, width), ...looks[index], ...(label === undefined ? {} : { label }) }
  })
  const x = { from: 0, to: last, name: t().distance, integers: true }
  const plan = chart({ x: 0, y: 0, width, height }, x, { from: least, to: most * 1.04, name: t().up[curve] }, drawn)
  const at = plan.x(marked)
  plan.marks.push({
    kind: 'line',
    x1: at,
    x2: at,
    y1: plan.top,
    y2: plan.bottom,
    stroke: 'key',
    dash: '2 2',
    weight: 1.4,
  })
  const value = all[0]?.[marked]
  if (value !== undefined) plan.marks.push({ kind: 'circle', x: at, y: plan.y(value), r: 4, fill: 'key' })
  return plan
}
