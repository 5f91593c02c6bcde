// The model's predictions of masks or of the next token, or its verdict, with heads on and off.
import { parseInterventions } from '../../session/interventions'
import { fillsRead } from '../../session/runs.svelte'
import type { Inputs } from '../module'
import type { ParamsOf } from '../../viewstate/fields'
import { fillMaskCommand, runCommand } from '../command'
import { Output } from '../output'
import { siteOfBest } from '../sites'
import type { params } from '.'
import { isLensOn, predictionsData } from './data'
import { t } from './messages.en'
import { contentsOf, drawingOf, type PredictionsDrawing } from './picture'
import View from './View.svelte'

type Params = ParamsOf<typeof params>

export { t as messages, predictionsData as data, View as component }

type Data = ReturnType<typeof predictionsData>

export function output(inputs: Inputs<Params>, data: Data): Output<Params, PredictionsDrawing> {
  const contents = contentsOf(inputs, data)
  if (!contents) return Output.message(t().lens.loading)
  const { run, hasMasks, current } = contents
  const { scene, headline, tables } = current
  // Only `ropescope run` takes an offset.
  const fills = hasMasks && parseInterventions(run.interventions).offset === 0
  const command = fills ? fillMaskCommand(run, fillsRead) : runCommand(run, [])
  return Output.of(run, {
    scene,
    help: t().helpOf(contents.predicted, !run.model.info.adds_positions),
    drawing: drawingOf(inputs, data, contents),
    stale: isLensOn(inputs) && !inputs.bench.generation.writing && data.lens.stale,
    published: { headline, tables, subject: '', command },
    explains: siteOfBest(run, contents.position ?? inputs.cursor.query),
  })
}
