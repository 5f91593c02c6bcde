// What the view is of: a layer of a run, and a token of the text that its feed-forward network reads.
import type { NeuronNumbers, NeuronOfText } from '../../engine/protocol/neurons'
import { textStart, type PartName } from '../../engine/protocol/parts'
import { clampIndex } from '../../engine/protocol/range'
import { site, type TensorName } from '../../engine/protocol/site'
import { parseInterventions } from '../../session/interventions'
import type { Run } from '../../session/runs.svelte'
import type { Cursor, Choice } from '../../viewstate/choice'
import { inPart } from '../sites'

export interface Subject {
  run: Run
  /** The part whose feed-forward network it is: cross-attention has the decoder's. */
  part: PartName | undefined
  layer: number
  /** The position among the tokens of the views. */
  query: number
  /** The positions of the text that the network reads: the first, and one past the last. */
  from: number
  to: number
}

/** What the engine says of a subject: the strongest neurons at its token, and the selected one. */
export interface Answers extends Subject {
  strongest: readonly NeuronNumbers[]
  neuron: number
  ofText: NeuronOfText
}

export function subjectOf(run: Run, { layer, query }: Pick<Cursor, 'layer' | 'query'>): Subject {
  const { pair, ids } = run.reading
  const from = pair ? textStart(pair) : 0
  return {
    run,
    part: pair?.part === 'cross' ? 'decoder' : pair?.part,
    layer: clampIndex(layer, run.model.info.num_hidden_layers),
    query: Math.max(from, clampIndex(query, ids.length)),
    from,
    to: ids.length,
  }
}

type TensorOfNeurons = Extract<TensorName, `ffn.N${string}`>

/** A neuron's number at a token. */
export const siteOfNeuron = (
  tensor: TensorOfNeurons,
  { layer, part, from }: Pick<Subject, 'layer' | 'part' | 'from'>,
  position: number,
  neuron: number,
): string => inPart(site(tensor, layer, position - from, neuron), part)

/** What is off: nothing, this neuron, or all of its layer. */
export type Off = 'none' | 'neuron' | 'network'

/** @param neuronsOff of a choice */
export function offOf({ neuronsOff }: Pick<Choice, 'neuronsOff'>, layer: number, neuron: number): Off {
  const here = neuronsOff.filter((place) => place.layer === layer)
  if (here.some((place) => place.neuron === null)) return 'network'
  return here.some((place) => place.neuron === neuron) ? 'neuron' : 'none'
}

/** The same of a run. Interventions are of the decoder: in an encoder with one nothing is off. */
export const offIn = ({ run, part, layer }: Subject, neuron: number): Off =>
  part === 'encoder' ? 'none' : offOf(parseInterventions(run.interventions), layer, neuron)

/** With this neuron, or all of the layer (null), switched the other way. In reading order, so that the same neurons are the same change. */
export function switched(neuronsOff: Choice['neuronsOff'], layer: number, neuron: number | null): Choice['neuronsOff'] {
  const others = neuronsOff.filter((place) => place.layer !== layer || place.neuron !== neuron)
  const now = others.length < neuronsOff.length ? others : [...others, { layer, neuron }]
  return now.toSorted((one, other) => one.layer - other.layer || (one.neuron ?? -1) - (other.neuron ?? -1))
}

/** The position with the largest size; undefined where every value is 0. */
export function strongestToken(values: readonly number[]): number | undefined {
  const best = values.reduce((best, value, at) => (Math.abs(value) > Math.abs(values[best] ?? 0) ? at : best), 0)
  return values[best] ? best : undefined
}
