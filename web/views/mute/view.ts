// Freezes or ablates frequency pairs and compares everything before and after.
import type { Scene } from '../../charts/marks'
import { drawSweep, planSweep } from '../../charts/sweep/draw'
import { scoreAt } from '../../charts/sweep/model'
import { percent, tokenName } from '../../i18n/numbers'
import { plainText } from '../../i18n/rich'
import { interventionsText, parseInterventions } from '../../session/interventions'
import { measuredChange, type MeasuredChange } from '../../session/heldOutLoss.svelte'
import type { AddedLoss } from '../../session/heldOut'
import { mutedOf, muteOf } from '../../session/muted'
import { spansOf } from '../../viewstate/fields'
import { layerTheta } from '../../session/runs.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Inputs } from '../module'
import type { ParamsOf } from '../../viewstate/fields'
import { runCommand } from '../command'
import { Output } from '../output'
import type { params } from '.'
import {
  muteKinds,
  fillsOf,
  lossChartOf,
  controlsOf,
  muteData,
  namedPairs,
  wavelengthsIn,
  weightsOf,
  type Compared,
  type Fills,
  type LossMeasurement,
  type MuteData,
  type MuteInputs,
  type PairLoss,
} from './data'
import { t, type MuteFacts } from './messages.en'
import { curveBox, lineOf, pictureOf, placeOf, type MuteDrawing, type Picture } from './picture'
import View from './View.svelte'

type Params = ParamsOf<typeof params>

export { t as messages, muteData as data, View as component }

type Data = ReturnType<typeof muteData>

export function output(inputs: Inputs<Params>, data: Data): Output<Params, MuteDrawing> {
  const { compared, loss, change } = data
  const picture = pictureOf(inputs, data)
  if (!compared || !picture) return data.failure ? Output.message(data.failure.message) : Output.empty()
  const { run } = compared
  const measured = measuredChange(run.interventions, run.model.info)
  const facts = factsOf(compared, measured && loss.added(measured.name))
  return Output.of(run, {
    scene: savedScene(picture, inputs.width),
    drawing: drawingOf(inputs, data, picture),
    anchors: anchorsOf(picture),
    stale: data.stale,
    failure: data.failure?.message,
    published: {
      headline: t().headline(facts),
      tables: [
        ...muteTables(compared, picture.fills),
        ...lossTables(loss, change, lossChartOf(inputs, data)?.losses ?? []),
      ],
      command: runCommand(run, ['attentions', 'query_rotated', 'key_rotated']),
    },
  })
}

function drawingOf(
  inputs: MuteInputs,
  data: MuteData,
  { compared, layout, parts, curves, marks }: Picture,
): MuteDrawing {
  const { baseline, run, query, key, pairs, score } = compared
  const wavelengths = wavelengthsIn(inputs)
  const token = (position: number) => tokenName(run.reading.display[position] ?? '', position)
  const cell = t().mapValue(token(query), token(key), ...weightsOf(baseline, run, query, key))
  return {
    controls: controlsOf(inputs, data, run.model.info),
    height: layout.height,
    marks,
    room: parts.room,
    lineOf(pointed = inputs.cursor.pair ?? undefined) {
      const read = pairs.find(({ pair }) => pair === pointed)
      return lineOf(compared, read, parts.room)
    },
    switches: parts.switches.map(({ pairs, box }) => ({
      pairs,
      label: t().switchLabel(pairs, wavelengths[pairs[0] ?? 0] ?? Infinity),
      box,
    })),
    maps: { a: layout.mapA, b: layout.mapB, length: run.head.length, query, key, label: `${t().mapLabel}. ${cell}` },
    cell,
    sweep: {
      box: curveBox(layout),
      picture: curves,
      valueText: t().sweepValue(token(key), query - key, ...score),
      read: (distance) =>
        t().ghost(distance, scoreAt(compared.curves[0], distance), scoreAt(compared.curves[1], distance)),
    },
  }
}

function anchorsOf({ layout: { parts, mapA, mapB, sweep, fills } }: Picture) {
  return { parts, baseline: mapA, muted: mapB, curve: sweep, ...(fills && { guess: fills }) }
}

/** The scene of a saved picture, with title and curves. */
function savedScene({ compared, layout, parts, curves, marks }: Picture, width: number): Scene {
  const title = plainText(lineOf(compared, undefined, parts.room))
  return {
    width,
    height: layout.height,
    marks: [
      ...marks,
      { kind: 'text', x: 0, y: 13, text: title, size: 13, tone: 'ink' },
      ...drawSweep(planSweep(curveBox(layout), curves), curves),
    ],
  }
}

/** @param loss that the interventions add on held-out text, if it is measured */
export function factsOf(compared: Compared, loss?: MuteFacts['loss']): MuteFacts {
  const { baseline, run, query, key, pairs, score } = compared
  const { info } = run.model
  const change = parseInterventions(run.interventions)
  const { ablated, frozen } = mutedOf(change, run.head, info)
  const named = (some: readonly number[]) => {
    const { pairs, preset } = namedPairs(some, layerTheta(baseline))
    return { pairs, preset, spans: spansOf(pairs) }
  }
  const tokens = run.reading.display
  const token = (position: number) => ({ text: tokens[position] ?? '', position })
  return {
    query: token(query),
    key: token(key),
    layer: run.head.layer,
    head: run.head.head,
    heads: info.num_hidden_layers * info.num_attention_heads,
    ablated: named(ablated),
    frozen: named(frozen),
    extent: muteOf(change, run.head, info, { how: 'ablated', where: 'head' }).where,
    changed: run.interventions !== '',
    otherwise: interventionsText({ ...change, frozen: [], ablated: [] }) !== '',
    weight: weightsOf(baseline, run, query, key),
    score,
    gave: pairs.reduce((sum, { kind, before }) => (kind === 'ablated' ? sum + before : sum), 0),
    guess: guessOf(compared),
    loss,
  }
}

function guessOf({ baseline, run }: Compared): MuteFacts['guess'] {
  const [a, b] = [fillsOf(baseline, baseline, 1), fillsOf(run, run, 1)]
  const [before, after] = [a?.fills[0], b?.fills[0]]
  if (!a || !before || !after) return undefined
  return {
    place: placeOf(a, run),
    before: before.token,
    after: after.token,
    chance: [percent(before.before ?? 0), percent(after.before ?? 0)],
  }
}

export function muteTables({ pairs, curves }: Compared, fills: Fills | undefined): NamedTable[] {
  const [before] = curves
  return [
    namedTable(t().pairTable, t().pairHeader, pairs, ({ pair, wavelength, before, after, kind }) => [
      pair,
      wavelength,
      before,
      after,
      t().kinds[kind],
    ]),
    namedTable(t().sweepTable, t().sweepHeader, { length: 2 * before.reach + 1 }, (_, index) => [
      index - before.reach,
      ...curves.map((curve) => scoreAt(curve, index - before.reach)),
    ]),
    ...(fills
      ? [
          namedTable(t().fillTable, t().fillHeader, fills.fills, ({ token, before, after }) => [
            token,
            before ?? '',
            after ?? '',
          ]),
        ]
      : []),
  ]
}

/** Empty until something is measured. */
export function lossTables(
  measured: LossMeasurement,
  change: MeasuredChange | undefined,
  losses: readonly PairLoss[],
): NamedTable[] {
  const { before } = measured
  if (!before) return []
  const now = change && measured.added(change.name)
  const row = (name: string, { before, added, error, labels }: AddedLoss) => [
    name,
    before + added,
    added,
    error ?? '',
    labels,
  ]
  const rows = [
    [t().loss.baseline, before.mean, 0, '', before.labels],
    ...(now ? [row(t().loss.now, now)] : []),
    ...losses.flatMap((of) =>
      muteKinds.flatMap((kind) => {
        const loss = of[kind]
        return loss ? [row(t().loss.alone(of.pair, kind), loss)] : []
      }),
    ),
  ]
  return [namedTable(t().loss.table, t().loss.header, rows, (row) => row)]
}
