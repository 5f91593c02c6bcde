// Switches of the selected neuron and of its network, and what they change.
import { number, token } from '../../i18n/rich'
import {
  changeInWords,
  existingChange,
  interventionsText,
  parseInterventions,
  rowsOf,
} from '../../session/interventions'
import type { ParamsOf } from '../../viewstate/fields'
import type { Inputs } from '../module'
import type { PanelItem, PanelRow } from '../output'
import { siteOfBest } from '../sites'
import { writeParams } from '../view'
import { params } from '.'
import { t } from './messages.en'
import { predictionChange } from './prediction'
import { offOf, switched, type Answers } from './subject'

type Params = ParamsOf<typeof params>
type NeuronInputs = Inputs<Params>

/** Of the choice, which may be ahead of the run. */
export function switchesOf({ bench }: NeuronInputs, { layer, neuron, part }: Answers): PanelItem<Params>[] {
  if (part === 'encoder') return [{ kind: 'text', name: 'no-switches', text: t().noSwitches }]
  const { choice } = bench
  const off = offOf(choice, layer, neuron)
  // A neuron that is off is no longer the strongest: it stays selected by its number, in the same step of undo.
  const viewParams = writeParams({ id: 'neurons', params }, { neuron }, choice.viewParams)
  const to = (neuron: number | null) => ({
    choice: { neuronsOff: switched(choice.neuronsOff, layer, neuron), viewParams },
  })
  const isOff = choice.neuronsOff.some((place) => place.layer === layer && place.neuron === neuron)
  return [
    {
      kind: 'buttons',
      label: t().switches,
      labelled: true,
      buttons: [
        { label: t().offNeuron(neuron), help: t().offHelp, pressed: isOff, to: to(neuron) },
        { label: t().offNetwork(layer), help: t().offHelp, pressed: off === 'network', to: to(null) },
      ],
    },
  ]
}

/** What the run's interventions do to the best prediction, in a sentence; empty without any. */
export function changeRow({ baseline }: NeuronInputs, { run, query }: Answers): PanelRow<Params> {
  if (run.interventions === '' || !baseline || baseline.reading !== run.reading) return []
  const { info, fullInfo } = run.model
  const existing = existingChange(parseInterventions(run.interventions), info, fullInfo, rowsOf(run.reading))
  if (interventionsText(existing) === '') return []
  const words = changeInWords(existing, info.num_attention_heads)
  const change = predictionChange(baseline, run, query)
  const text = change ? sentenceOf(words, change) : t().nothingPredicted(words)
  return [{ kind: 'text', name: 'change', role: 'status', text }]

  function sentenceOf(words: string, { position, before, after }: NonNullable<typeof change>) {
    const isMask = run.reading.ids[position] === run.model.tokenizer.maskId
    const text = run.reading.display[position] ?? ''
    const place = isMask ? token({ text, position }) : t().next
    const now = number(after.chance, siteOfBest(run, position))
    return before.token === after.token
      ? t().stays(words, place, after.token, before.chance, now)
      : t().turns(words, place, before.token, before.chance, after.token, now)
  }
}
