// Weights of a head by distance, measured and predicted from its mean query and mean key, and what each frequency pair adds.
import { exact, headName } from '../../i18n/numbers'
import { attentionOf } from '../../session/interventions'
import { newest, resource } from '../../session/resource.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../module'
import type { ParamsOf } from '../../viewstate/fields'
import { runCommand } from '../command'
import { Output, type Headline, type Published, type Target } from '../output'
import { diagonal, partsOfMap, siteOfCell } from '../sites'
import type { params } from '.'
import {
  cellAt,
  constancyOf,
  curvesOf,
  peakOf,
  predictionParams,
  strongestOf,
  walk,
  weightAt,
  type Answer,
  type Curves,
  type Prediction,
} from './data'
import { t } from './messages.en'
import { drawDistance, drawingOf, hitAt, place, type DistanceDrawing } from './picture'
import View from './View.svelte'

type Params = ParamsOf<typeof params>

export { t as messages, View as component }

export function data(inputs: Inputs<Params>) {
  const { engine } = inputs.bench
  const predicted = resource(
    engine,
    'prediction',
    () => inputs.run && { params: predictionParams(inputs.run), run: inputs.run },
  )
  const answer = newest((): Answer | undefined => {
    const { latest } = predicted
    if (!latest) return undefined
    const { run, params } = latest.request
    return { run, params, predicted: latest.value, curves: curvesOf(run.head, latest.value.weights, params.causal) }
  })
  // Of the answer alone: neither the cursor nor the pointer changes it.
  const published = newest(() => answer.value && publishedOf(answer.value))
  return { predicted, answer, published }
}

type Data = ReturnType<typeof data>

export function output(
  inputs: Inputs<Params>,
  { predicted, answer, published }: Data,
): Output<Params, DistanceDrawing> {
  if (!predicted.latest || !answer.value) return Output.message(predicted.failure?.message ?? t().loading)
  const { run, curves } = answer.value
  if (attentionOf(run) !== 'softmax') return Output.of(run, { message: t().linear, help: '' })
  const { picture, selected, layout } = place(answer.value, inputs)
  const select = (to: { distance: number } | { pair: number | null } | undefined): Target | undefined => {
    if (!to) return undefined
    if ('pair' in to) {
      const pair = to.pair ?? strongestOf(selected.pairs)
      const { strength = 0, wants = NaN } = selected.pairs[pair] ?? {}
      return { cursor: to, say: t().movedPair(pair, strength, wants) }
    }
    const cell = cellAt(to.distance, inputs.cursor.query, curves.length)
    const [measured, predicted] = [curves.measured, curves.predicted].map((curve) =>
      weightAt(curves, curve, to.distance),
    )
    const token = run.reading.display[cell?.key ?? -1] ?? ''
    return cell && { cursor: cell, say: t().moved(to.distance, token, measured ?? 0, predicted ?? 0) }
  }
  return Output.of(run, {
    scene: drawDistance(picture, layout),
    drawing: drawingOf(picture, layout, inputs.params.reach === 'all'),
    label: t().label,
    stale: predicted.stale,
    published: published.value,
    explains: run && siteOfCell('attentions.N', inputs.cursor, run),
    hit: (x, y) => select(hitAt(x, y, selected, layout)),
    onAction: (action) => {
      const { query, key } = inputs.cursor
      const from = { query, key, pair: selected.pair, causal: curves.causal }
      return select(walk(action, from, curves.length, selected.pairs.length))
    },
  })
}

function publishedOf(answer: Answer): Published {
  const { run, params, curves, predicted } = answer
  const queries = params.counted.reduce((sum, one) => sum + one, 0)
  return {
    headline: headlineOf(headName(run.head), curves, predicted, queries),
    parts: partsOfMap(run.head, diagonal(peakOf(curves, curves.measured), curves.length), run),
    tables: tablesOf(curves, predicted, params.theta),
    command: runCommand(run, ['attentions', 'query_rotated', 'key_rotated']),
  }
}

/** @param queries the number of tokens in the means */
export function headlineOf(
  head: string,
  curves: Curves,
  { correlation, pairs }: Prediction,
  queries: number,
): Headline {
  const distance = peakOf(curves, curves.measured)
  const likeliest = peakOf(curves, curves.predicted)
  return t().headline({
    head,
    queries,
    correlation,
    constancy: constancyOf(pairs),
    peak: {
      distance,
      measured: weightAt(curves, curves.measured, distance),
      predicted: weightAt(curves, curves.predicted, distance),
    },
    predicted: { distance: likeliest, weight: weightAt(curves, curves.predicted, likeliest) },
  })
}

export function tablesOf(curves: Curves, { scores, pairs }: Prediction, theta: Float64Array): NamedTable[] {
  const { tables } = t()
  // In reading order: the farthest key behind first.
  const first = curves.length - 1
  const distances = curves.causal ? curves.length : Math.max(0, 2 * curves.length - 1)
  const number = (value: number) => (Number.isFinite(value) ? exact(value) : '')
  const { measured, predicted, even } = curves
  return [
    namedTable(tables.distances, tables.distance, { length: distances }, (_, index) => {
      const distance = first - index
      const weights = [measured, predicted, even, scores].map((curve) => weightAt(curves, curve, distance))
      return [Math.abs(distance), tables.side(distance), ...weights]
    }),
    namedTable(tables.pairs, tables.pair, pairs, ({ strength, queryConstancy, keyConstancy, phase, wants }, pair) => [
      pair,
      theta[pair] ?? 0,
      strength,
      queryConstancy,
      keyConstancy,
      phase,
      number(wants),
    ]),
  ]
}
