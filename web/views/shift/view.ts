// One offset is added to every position: the hands rotate, and the weights stay.
import { attentions, type ModelInfo } from '../../engine/protocol/protocol'
import { integer, capital, headName } from '../../i18n/numbers'
import type { Bench } from '../../session/bench.svelte'
import { existingChange, parseInterventions, changeInWords } from '../../session/interventions'
import type { Run } from '../../session/runs.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import { fields } from '../../viewstate/codec'
import type { Inputs } from '../module'
import { runCommand } from '../command'
import { Output, type Headline, type PanelItem, type PanelRow, type SceneSlider } from '../output'
import {
  dialsOf,
  isInvariant,
  largestOffset,
  measuredOf,
  moveOffset,
  shiftData,
  valuesOf,
  type OffsetDifferences,
  type Values,
} from './data'
import { t } from './messages.en'
import { anchorsOf, axisIn, drawShift, offsetUnder, placeName, roomOf, type Axis } from './picture'

export { t as messages, shiftData as data }

type Data = ReturnType<typeof shiftData>

export function output(inputs: Inputs, data: Data) {
  const { bench, run, cursor } = inputs
  if (!run) return Output.empty()
  const { offset } = bench.choice
  const { latest, failure: withoutDials } = data.angles
  const withoutChange = data.differences.failure
  const measurement = measuredOf(run, data)
  const at = (position: number) => ({ token: run.reading.display[position] ?? '', position: position + offset })
  const picture = {
    ...measurement,
    dials: latest ? dialsOf(latest.request.dials, latest.value) : [],
    offset,
    query: at(cursor.query),
    key: at(cursor.key),
  }
  return Output.of(run, {
    scene: drawShift(picture, roomOf(inputs)),
    stale: data.angles.stale,
    help: offset > 0 ? t().shiftedHelp : undefined,
    above: [
      [
        ...offsetControls(offset),
        ...switches(bench, run.model.info),
        offset > 0 && measurement.current && largestChange(run, measurement.current),
        // Without the angles there are no dials.
        withoutDials && { kind: 'text', role: 'status', text: withoutDials.message },
      ],
    ],
    anchors: anchorsOf(roomOf(inputs)),
    failure: (withoutDials ?? withoutChange)?.message,
    sliders: [offsetSlider(offset, measurement.current, axisIn(roomOf(inputs)))],
    published: {
      headline: headlineOf(factsOf(run, measurement.current, withoutChange?.message)),
      tables: [tableOf(measurement.measured)],
      subject: '',
      command: runCommand(run, ['attentions']),
    },
  })
}

const presets = [0, 100, 10_000, largestOffset]

const offsetControls = (offset: number): PanelItem<unknown>[] => [
  {
    kind: 'number',
    label: t().by,
    value: offset,
    min: 0,
    max: largestOffset,
    step: 1,
    to(value) {
      const read = fields.offset.read(String(value))
      return read === undefined ? undefined : { choice: { offset: read } }
    },
  },
  {
    kind: 'buttons',
    label: t().by,
    buttons: presets.map((preset) => ({
      label: integer(preset),
      pressed: preset === offset,
      to: { choice: { offset: preset } },
    })),
  },
]

/** Whether values are rotated, and rotated back: one switch is on at most. For a RoFormer also the kind of attention. */
function switches(bench: Bench, info: ModelInfo): PanelRow<unknown> {
  const values = valuesOf(bench.choice, info)
  const isRoFormer = info.architecture.startsWith('RoFormer')
  const rotatedHint = info.rotary_value ? t().rotatedAlready : isRoFormer ? t().rotatedHint : t().rotatedOnly
  const attention = bench.choice.attention || info.attention
  const { name, kinds, hints } = t().attention
  return [
    {
      kind: 'buttons',
      label: t().values,
      labelled: true,
      buttons: [
        {
          label: t().rotated,
          help: rotatedHint,
          pressed: values === 'rotated',
          disabled: info.rotary_value || !isRoFormer,
          to: { choice: { rotaryValue: values !== 'rotated', rotatesValues: false } },
        },
        {
          label: t().rotatedBack,
          help: t().rotatedBackHint,
          pressed: values === 'rotatedBack',
          to: { choice: { rotaryValue: false, rotatesValues: values !== 'rotatedBack' } },
        },
      ],
    },
    isRoFormer && {
      kind: 'select',
      label: name,
      help: hints[attention],
      options: attentions.map((value) => ({ value, text: kinds[value] })),
      value: attention,
      to(value) {
        const kind = attentions.find((one) => one === value) ?? info.attention
        return { choice: { attention: kind === info.attention ? '' : kind } }
      },
    },
  ]
}

/** Leads to the place of the largest change. */
function largestChange(run: Run, measured: OffsetDifferences): PanelItem<unknown> {
  const { layer, head, query, key } = measured
  return {
    kind: 'button',
    label: t().largest(headName(measured), placeName(run, measured)),
    to: { cursor: { layer, head, query, key } },
  }
}

function offsetSlider(offset: number, measured: OffsetDifferences | undefined, axis: Axis): SceneSlider<unknown> {
  const { left, right, top, bottom } = axis
  return {
    label: t().offsetLabel,
    max: largestOffset,
    now: offset,
    text: t().slider(offset, measured?.offset === offset ? measured.weight : undefined),
    follows: 'drag',
    box: { x: left - 12, y: top, width: right - left + 24, height: bottom - top + 28 },
    hit: (x) => ({ choice: { offset: offsetUnder(x, axis) } }),
    onAction(action) {
      const to = moveOffset(offset, action)
      return to === undefined ? undefined : { choice: { offset: to } }
    },
  }
}

export interface ShiftFacts {
  /** It and the other interventions, as a headline begins; undefined where there is no offset. */
  shift: string | undefined
  measured: OffsetDifferences | undefined
  /** Why nothing is measured. */
  failure: string | undefined
  values: Values
  heads: number
  /** Of all heads. */
  weights: number
  place: string
}

function factsOf(run: Run, measured: OffsetDifferences | undefined, failure: string | undefined): ShiftFacts {
  const { info } = run.model
  const change = parseInterventions(run.interventions)
  const { offset } = change
  // The sentence itself tells of the values.
  const named = { ...existingChange(change, info), rotaryValue: false, rotatesValues: false }
  const heads = info.num_hidden_layers * info.num_attention_heads
  return {
    shift: offset === 0 ? undefined : capital(changeInWords(named, info.num_attention_heads)),
    measured,
    failure,
    values: valuesOf(change, info),
    heads,
    weights: heads * run.head.attention.length,
    place: measured ? placeName(run, measured) : '',
  }
}

export function headlineOf({ shift, measured, failure, values, heads, weights, place }: ShiftFacts): Headline {
  const { headline } = t()
  if (!shift) {
    const title =
      measured && isInvariant(measured) ? headline.sample(measured.offset, measured.weight) : headline.unshifted
    return { title, line: headline.unshiftedLine[values] }
  }
  if (!measured) {
    return {
      title: headline.shifted(shift),
      line: failure === undefined ? headline.loading : headline.failed(failure),
    }
  }
  const { weight, logit } = measured
  if (isInvariant(measured)) {
    return { title: headline.invariant(shift, weight), line: headline.invariantLine(weights, heads, logit, values) }
  }
  const line = values === 'rotated' ? headline.rotatedLine : headline.movesLine
  return { title: headline.moves(shift, weight, logit), line: line(headName(measured), place, weight) }
}

const tableOf = (measured: readonly OffsetDifferences[]): NamedTable =>
  namedTable(t().table, t().columns, measured, ({ offset, weight, layer, head, query, key, logit }) => [
    offset,
    weight,
    layer,
    head,
    query,
    key,
    logit,
  ])
