// The interventions: fields of the choice that change a model's numbers; for the engine, and in words.
import type { AttentionKind, Change, ModelInfo, NeuronPlace, PairIntervention } from '../engine/protocol/protocol'
import { readNumber, type NumberIntervention, type NumberTensor } from '../engine/protocol/numberIntervention'
import { tensors } from '../engine/protocol/siteNames'
import { objectOf } from '../engine/protocol/json'
import type { Choice, HeadPlace, MutedPairs } from '../viewstate/choice'
import { decimal, integer, headName } from '../i18n/numbers'
import type { Reading } from '../text/reading'
import { t } from './messages.en'

const none = {
  offset: 0,
  frozen: [],
  ablated: [],
  ablatedHeads: [],
  headReplacement: 'zero',
  neuronsOff: [],
  numbers: [],
  scaling: '',
  rotaryValue: false,
  rotatesValues: false,
  logN: null,
  distanceClamp: null,
  attention: '',
} as const satisfies Partial<Choice>

export type Interventions = Pick<Choice, keyof typeof none>

export const noInterventions: Interventions = none

const names = Object.keys(none) as (keyof Interventions)[]

/** Interventions in the words of a run's request, which has the offset in a field of its own. */
export type RunInterventions = Omit<Change, 'labels'> & Required<Pick<Change, 'muted' | 'ablatedHeads'>>

/** The interventions of a choice. */
export function interventionsOf(choice: Interventions): Interventions {
  return Object.fromEntries(names.map((name) => [name, choice[name]])) as unknown as Interventions
}

/** Interventions as text: equal ones are equal texts, none are the empty one. */
export function interventionsText(change: Partial<Interventions>): string {
  // Without ablated heads their replacement changes nothing.
  const { headReplacement, ...others } = change
  const effective: Partial<Interventions> = others.ablatedHeads?.length ? change : others
  const changedNames = names.filter((name) => effective[name] !== undefined && !same(effective[name], none[name]))
  return changedNames.length === 0
    ? ''
    : JSON.stringify(Object.fromEntries(changedNames.map((name) => [name, effective[name]])))
}

/** The interventions that `interventionsText` wrote. */
export function parseInterventions(key: string): Interventions {
  return key === '' ? noInterventions : { ...noInterventions, ...(JSON.parse(key) as Partial<Interventions>) }
}

/**
 * Whether numbers of a run under these interventions have explanations: other settings of the model, neurons that are off and numbers in
 * tensors have, other changes within a pass have not.
 */
export function isExplained(key: string): boolean {
  const { frozen, ablated, ablatedHeads, rotatesValues, logN, distanceClamp } = parseInterventions(key)
  const changed = [frozen, ablated, ablatedHeads].some((list) => list.length > 0)
  return !changed && !rotatesValues && logN === null && distanceClamp === null
}

/** Those of these heads that the model has, each once. */
export function existingHeads(places: readonly HeadPlace[], model: ModelInfo): HeadPlace[] {
  const existing = places.filter((place) => exists(place, model))
  return existing.filter(
    (place, at) => at === existing.findIndex(({ layer, head }) => layer === place.layer && head === place.head),
  )
}

/** Those of these neurons that the model has, each once. */
function existingNeurons(places: readonly NeuronPlace[], model: ModelInfo): NeuronPlace[] {
  const existing = places.filter(
    ({ layer, neuron }) => layer < model.num_hidden_layers && (neuron ?? 0) < model.intermediate_size,
  )
  return existing.filter(
    (place, at) => at === existing.findIndex(({ layer, neuron }) => layer === place.layer && neuron === place.neuron),
  )
}

/** Those of these numbers whose places the model has, in a text of `rows` tokens. */
function existingNumbers(numbers: readonly NumberIntervention[], model: ModelInfo, rows: number): NumberIntervention[] {
  return numbers.filter((text) => {
    const put = readNumber(text)
    if (!put) return false
    // After the last layer there are hidden states, too.
    const layers = model.num_hidden_layers + (put.tensor === 'hidden_states.N' ? 1 : 0)
    const sizes = { row: rows, ...sizesOf(put.tensor, model) }
    const isThere = tensors[put.tensor].every((axis, at) => {
      const entry = put.index[at]
      return typeof entry !== 'number' || entry < sizes[axis]
    })
    return (typeof put.layer !== 'number' || put.layer < layers) && isThere
  })
}

function sizesOf(tensor: NumberTensor, model: ModelInfo): Record<'head' | 'column' | 'neuron', number> {
  const head =
    tensor === 'layer.N.key' || tensor === 'layer.N.value' ? model.num_key_value_heads : model.num_attention_heads
  const isOfHeads = tensors[tensor].length === 3
  const ofStream = tensor === 'embeddings' ? model.embedding_size : model.hidden_size
  return { head, column: isOfHeads ? model.head_size : ofStream, neuron: model.intermediate_size }
}

/**
 * The change without heads, neurons and places of numbers that the model and a text of so many rows do not have. `decoder`: of an
 * encoder–decoder.
 */
export function existingChange(
  change: Interventions,
  model: ModelInfo,
  decoder: ModelInfo = model,
  rows = Infinity,
): Interventions {
  return {
    ...change,
    ablatedHeads: existingHeads(change.ablatedHeads, model),
    neuronsOff: existingNeurons(change.neuronsOff, decoder),
    numbers: existingNumbers(change.numbers, decoder, rows),
  }
}

/**
 * Interventions for a run, limited to the layers, heads, pairs, neurons and rows that the model and the text have. `decoder`, `rows`: of an
 * encoder–decoder the decoder, and of its text.
 */
export function interventionsForRun(
  change: Omit<Interventions, 'offset'>,
  model: ModelInfo,
  decoder: ModelInfo = model,
  rows = Infinity,
): RunInterventions {
  const { frozen, ablated, scaling, rotaryValue, rotatesValues, logN, distanceClamp, attention } = change
  const muted = [...expand(frozen, 'frozen', model), ...expand(ablated, 'ablated', model)]
  const ablatedHeads = existingHeads(change.ablatedHeads, model)
  const neuronsOff = existingNeurons(change.neuronsOff, decoder)
  const numbers = existingNumbers(change.numbers, decoder, rows)
  return {
    muted,
    ablatedHeads,
    ...(ablatedHeads.length > 0 && change.headReplacement !== 'zero'
      ? { headReplacement: change.headReplacement }
      : {}),
    ...(neuronsOff.length > 0 ? { neuronsOff } : {}),
    ...(numbers.length > 0 ? { numbers } : {}),
    ...(scaling === '' ? {} : { ropeScaling: scaling }),
    ...(rotaryValue ? { rotaryValue } : {}),
    ...(rotatesValues ? { rotatesValues } : {}),
    ...(logN === null ? {} : { logN }),
    ...(distanceClamp === null ? {} : { distanceClamp }),
    ...(attention === '' || attention === model.attention ? {} : { attention }),
  }
}

/** Rows of the text that interventions are in: of an encoder–decoder those of the decoder. */
export const rowsOf = ({ pair, ids }: Pick<Reading, 'pair' | 'ids'>): number => (pair?.text ?? ids).length

/** How heads weighed values in a run. */
export function attentionOf({ model, interventions }: RunOf): AttentionKind {
  const { attention } = parseInterventions(interventions)
  return attention === '' ? model.info.attention : attention
}

/** The factor of a run's scores: 1 for linear attention, which has no softmax. */
export function scaleOf(run: RunOf): number {
  const { info } = run.model
  if (attentionOf(run) !== 'softmax') return 1
  return info.attention === 'softmax' ? info.scale : 1 / Math.sqrt(info.head_size)
}

interface RunOf {
  model: { info: Pick<ModelInfo, 'attention' | 'scale' | 'head_size'> }
  interventions: string
}

const same = (one: unknown, other: unknown) =>
  one === other || (Array.isArray(one) && Array.isArray(other) && one.length + other.length === 0)

function expand(muted: readonly MutedPairs[], kind: 'frozen' | 'ablated', model: ModelInfo): PairIntervention[] {
  return muted.flatMap(({ layer, head, pairs }) => {
    const existing = pairs.filter((pair) => pair < model.head_size / 2)
    const layers = layer === null ? Array.from({ length: model.num_hidden_layers }, (_, index) => index) : [layer]
    return layers
      .filter((layer) => exists({ layer, head: head ?? 0 }, model) && existing.length > 0)
      .map((layer) => ({ layer, head, pairs: existing, kind }))
  })
}

function exists({ layer, head }: HeadPlace, model: ModelInfo): boolean {
  return layer < model.num_hidden_layers && head < model.num_attention_heads
}

/** More heads or pairs are counted instead of named. */
const mostNamed = 3

/** "head L2·H6", "layer 2", "heads L2·H6 and L1·H1", "7 heads". `heads`: how many a layer has. */
export function headsNamed(places: readonly HeadPlace[], heads: number): string {
  const [first] = places
  if (first && heads > 1 && places.length === heads && places.every(({ layer }) => layer === first.layer)) {
    return t().change.layer(first.layer)
  }
  if (places.length > mostNamed) return t().change.manyHeads(places.length)
  return first && places.length === 1 ? t().change.head(headName(first)) : t().change.heads(places.map(headName))
}

/** "neuron L2·N17", "the feed-forward network of layer 2", "7 neurons". */
function neuronsNamed(places: readonly NeuronPlace[]): string {
  const name = ({ layer, neuron }: NeuronPlace) => `L${layer}·N${neuron}`
  const [first] = places
  if (first && places.length === 1) {
    return first.neuron === null ? t().change.network(first.layer) : t().change.neuron(name(first))
  }
  const isNamed = places.length <= mostNamed && places.every(({ neuron }) => neuron !== null)
  return isNamed ? t().change.neurons(places.map(name)) : t().change.manyNeurons(places.length)
}

/** "hidden_states.2[4,17] = −0.5", "7 numbers". */
function numbersNamed(numbers: readonly NumberIntervention[]): string {
  if (numbers.length > mostNamed) return t().change.manyNumbers(numbers.length)
  return numbers.map((text) => text.replace('=', ' = ')).join(', ')
}

function pairsNamed(muted: readonly MutedPairs[]): string {
  const [only] = muted
  if (!only || muted.length > 1) return t().change.pairsOfSeveral
  const { layer, head, pairs } = only
  const where =
    layer === null
      ? t().change.allHeads
      : head === null
        ? t().change.layer(layer)
        : t().change.head(headName({ layer, head }))
  return pairs.length > mostNamed ? t().change.manyPairs(pairs.length, where) : t().change.pairs(pairs, where)
}

/** The JSON comes from links: only a short name and a number of it are shown. */
function scalingNamed(json: string): string {
  const { rope_type, type, factor } = objectOf(json)
  const name = [rope_type, type].find((one): one is string => typeof one === 'string' && /^\w{1,20}$/.test(one))
  return t().change.scaling(name, typeof factor === 'number' && Number.isFinite(factor) ? amount(factor) : undefined)
}

/** With two decimals unless it is an integer. */
const amount = (value: number) => (Number.isInteger(value) ? integer(value) : decimal(value, 2))

/** Each intervention in words, by its name in the choice. */
export function changesInWords(change: Interventions, heads: number): { name: keyof Interventions; text: string }[] {
  const { offset, frozen, ablated, ablatedHeads, neuronsOff, numbers, scaling, logN, distanceClamp, attention } = change
  const by = (name: keyof Interventions, is: boolean, text: () => string) => (is ? [{ name, text: text() }] : [])
  return [
    ...by('ablatedHeads', ablatedHeads.length > 0, () =>
      t().change[change.headReplacement === 'mean' ? 'mean' : 'without'](headsNamed(ablatedHeads, heads)),
    ),
    ...by('neuronsOff', neuronsOff.length > 0, () => t().change.without(neuronsNamed(neuronsOff))),
    ...by('numbers', numbers.length > 0, () => t().change.numbers(numbersNamed(numbers))),
    ...by('frozen', frozen.length > 0, () => t().change.frozen(pairsNamed(frozen))),
    ...by('ablated', ablated.length > 0, () => t().change.ablated(pairsNamed(ablated))),
    ...by('scaling', scaling !== '', () => scalingNamed(scaling)),
    ...by('rotaryValue', change.rotaryValue, () => t().change.rotaryValue),
    ...by('rotatesValues', change.rotatesValues, () => t().change.rotatesValues),
    ...by('logN', logN !== null, () => t().change.logN(amount(logN ?? 0))),
    ...by('distanceClamp', distanceClamp !== null, () => t().change.distanceClamp(distanceClamp ?? 0)),
    ...by('attention', attention !== '', () => (attention === '' ? '' : t().change.attention[attention])),
    ...by('offset', offset > 0, () => t().change.offset(offset)),
  ]
}

/** "without head L2·H6, shifted by 10,000 positions"; empty where there are none. */
export function changeInWords(change: Interventions, heads: number): string {
  return changesInWords(change, heads)
    .map(({ text }) => text)
    .join(', ')
}
