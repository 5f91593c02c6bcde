// One offset is added to every position: the hands rotate, and the weights stay.
import { headName } from '../../i18n/format'
import { t as changeMessages } from '../../session/changes.en'
import { changeKey, existingHeads, readChange } from '../../session/change'
import type { Run } from '../../session/runs.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import { viewBody } from '../body'
import { runCommand } from '../command'
import { OfRun, type Headline } from '../output'
import { dialsOf, isInvariant, measuredOf, shiftData, valuesOf, type Measured, type Values } from './data'
import { t, type Shift } from './messages.en'
import { drawShift, placeName, roomOf } from './picture'
import View from './View.svelte'

export default viewBody(
  {},
  {
    messages: t,
    data: shiftData,
    component: View,
    output(inputs, data) {
      const { bench, run, cursor } = inputs
      if (!run) return {}
      const { offset } = bench.choice
      const { latest, failure } = data.angles
      const measurement = measuredOf(run, data)
      const at = (position: number) => ({ token: run.reading.display[position] ?? '', position: position + offset })
      const picture = {
        ...measurement,
        dials: latest ? dialsOf(latest.key.dials, latest.value) : [],
        offset,
        query: at(cursor.query),
        key: at(cursor.key),
      }
      return {
        scene: drawShift(picture, roomOf(inputs)),
        // Without the angles there are no dials.
        ...(failure && { caption: failure.message }),
        published: OfRun.from(
          { run },
          {
            headline: headlineOf(factsOf(run, measurement.current, data.differences.failure?.message)),
            tables: [tableOf(measurement.measured)],
            command: runCommand(run, ['attentions']),
          },
        ),
      }
    },
  },
)

export interface ShiftFacts {
  /** Undefined where there is no offset. */
  shift: Shift | undefined
  measured: Measured | undefined
  /** Why nothing is measured. */
  failure: string | undefined
  values: Values
  heads: number
  /** Of all heads. */
  weights: number
  place: string
}

function factsOf(run: Run, measured: Measured | undefined, failure: string | undefined): ShiftFacts {
  const { info } = run.model
  const change = readChange(run.changed)
  const { offset } = change
  // The sentence itself tells of the values.
  const ablatedHeads = existingHeads(change.ablatedHeads, info)
  const named = { ...change, rotaryValue: false, rotatesValues: false, ablatedHeads }
  const shift = {
    offset,
    isAlone: changeKey({ ...named, offset: 0 }) === '',
    inEnglish: changeMessages().beginning(named, info.num_attention_heads),
  }
  const heads = info.num_hidden_layers * info.num_attention_heads
  return {
    shift: offset === 0 ? undefined : shift,
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
  if (!shift) return { title: headline.unshifted, line: headline.unshiftedLine[values] }
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

const tableOf = (measured: readonly Measured[]): NamedTable =>
  namedTable(t().table, t().columns, measured, ({ offset, weight, layer, head, query, key, logit }) => [
    offset,
    weight,
    layer,
    head,
    query,
    key,
    logit,
  ])
