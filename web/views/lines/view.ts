// Tokens as queries on the left and as keys on the right, with a line for every weight above a threshold.
import { weightFormula } from '../../charts/attention-map/formula'
import { attentionOf } from '../../session/interventions'
import type { Inputs } from '../module'
import { Output } from '../output'
import { siteOfCell } from '../sites'
import type { LinesParams } from '.'
import { LinesData, type LinesDrawing } from './data.svelte'
import { t } from './messages.en'
import View from './View.svelte'

export { t as messages, View as component }

export const data = (inputs: Inputs<LinesParams>) => new LinesData(inputs)

type Data = ReturnType<typeof data>

export function output({ run, cursor }: Inputs<LinesParams>, data: Data): Output<LinesParams, LinesDrawing> {
  const { head, tokens } = data
  if (!head) return Output.empty()
  return Output.of(head, {
    scene: { ...tokens, marks: [...data.curves, ...tokens.marks] },
    drawing: data.drawing,
    label: t().label(head.layer, head.head),
    source: t().sourceOf(run !== undefined && attentionOf(run) !== 'softmax'),
    formula: run && weightFormula(run),
    published: data.published,
    explains: run && siteOfCell('attentions.N', { ...cursor, layer: head.layer, head: head.head }, run),
  })
}

export const figure = ({ width }: Inputs<LinesParams>, data: Data, crosshair: boolean) =>
  data.map ? data.figure(width, crosshair) : undefined
