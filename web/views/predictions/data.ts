// What a model predicts of a text: now and without interventions, before and after the sampling settings, at every layer, and with
// heads ablated.
import { leastPitch } from '../../charts/bars'
import type { LensResult } from '../../engine/protocol/protocol'
import { HeldOutLoss, measuredChange, type MeasuredChange } from '../../session/heldOutLoss.svelte'
import { predictedPosition, type Verdict } from '../../session/predictions'
import { runOf } from '../../session/reading'
import { resource } from '../../session/resource.svelte'
import { samePlace, type HeadPlace } from '../../viewstate/choice'
import type { ParamsOf } from '../../viewstate/fields'
import type { Inputs } from '../module'
import type { params } from '.'

/** What a model predicts of a text. */
export type Predicted = 'tokens' | 'verdict' | 'nothing'

export type PredictionInputs = Inputs<ParamsOf<typeof params>>

export type PredictionsData = ReturnType<typeof predictionsData>

/** The lens, and the loss that the interventions add on held-out text. */
export function predictionsData(inputs: PredictionInputs) {
  const { engine } = inputs.bench
  const change = (): MeasuredChange | undefined =>
    inputs.run && measuredChange(inputs.run.interventions, inputs.run.model.info)
  const lens = resource(engine, 'lens', () => {
    const { run, cursor, bench } = inputs
    const position = run && predictedPosition(run.result.rows, cursor.query)
    // A token that is written waits for no lens.
    if (bench.generation.writing || !isLensOn(inputs) || !run || position === undefined) return undefined
    const params = { ...runOf(run), rows: Uint32Array.of(position), topK: lensFills }
    return { model: run.model, params, run, position }
  })
  return {
    lens,
    loss: new HeldOutLoss(engine, change, () => []),
    get change() {
      return change()
    },
  }
}

/** From this width on the switches stand beside the bars, … */
export const wide = 620
/** … and from this one the layers and the sums between them. */
export const wider = 900

type Shape = Pick<PredictionInputs, 'run' | 'params' | 'width' | 'height'>

export const isLensOn = ({ run, params, width }: Shape): boolean =>
  isOn(params.lens, width >= wider) && run?.model.info.predicts_tokens === true

/** Whether the cumulative probability is open. By itself it takes no room from the layers. */
export function areSumsOn({ run, params, width, height }: Shape): boolean {
  const rows = (run?.model.info.num_hidden_layers ?? 0) + 1
  return isOn(params.sums, width >= wider && (width >= 1280 || height >= aboveLens + rows * leastPitch + sumsHeight))
}

const isOn = (state: 'auto' | 'on' | 'off', usual: boolean): boolean => (state === 'auto' ? usual : state === 'on')

/** Px of the button, the title and the sentence of the lens, and of the curve of sums. */
export const aboveLens = 110
export const sumsHeight = 190

/** A token with its probability among the whole vocabulary, before the sampling settings and after them. */
export interface Option {
  id: number
  token: string
  before: number
  /** Undefined where nothing is sampled. */
  after?: number
}

/** After each option the sum of all up to it. */
export function cumulative(options: readonly Option[], of: (option: Option) => number): number[] {
  let sum = 0
  return options.map((option) => (sum += of(option)))
}

/** How many of the most likely options have this share of the probability; undefined if more than are listed. */
export function countForShare(options: readonly Option[], share: number): number | undefined {
  const index = cumulative(options, ({ before }) => before).findIndex((sum) => sum >= share)
  return index < 0 ? undefined : index + 1
}

/** The probability before the settings of those listed options that are among the `left` best. */
export const massOfLeft = (options: readonly Option[], left: number): number =>
  options.slice(0, left).reduce((sum, { before }) => sum + before, 0)

/** Tokens by label, the commonest first. */
export function labelCounts({ tokens }: Extract<Verdict, { kind: 'tokens' }>): [label: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { label } of tokens) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1])
}

/** Fills of each layer. */
const lensFills = 3

/** The best fills of one layer's hidden states, best first. */
export type LensLayer = readonly { id: number; token: string; probability: number }[]

/** The layers of a lens on one row, the embeddings first. */
export function lensLayers(
  { layers, topIds, topProbabilities }: LensResult,
  token: (id: number) => string,
): LensLayer[] {
  const count = topIds.length / (layers + 1)
  return Array.from({ length: layers + 1 }, (_, layer) =>
    Array.from(topIds.subarray(layer * count, (layer + 1) * count), (id, rank) => ({
      id,
      token: token(id),
      probability: topProbabilities[layer * count + rank] ?? 0,
    })),
  )
}

/** The first hidden state from which on the best fill is that of the last. */
export function settledAt(layers: readonly LensLayer[]): number {
  const last = layers.at(-1)?.[0]?.id
  return layers.findLastIndex(([best]) => best?.id !== last) + 1
}

export interface Heads {
  layers: number
  heads: number
}

export type Preset = 'head' | 'layer' | 'none'

export function isAblated(ablated: readonly HeadPlace[], place: HeadPlace): boolean {
  return ablated.some((other) => samePlace(other, place))
}

/** In reading order, so that the same heads are the same change. */
export function toggled(ablated: readonly HeadPlace[], place: HeadPlace): HeadPlace[] {
  const others = ablated.filter((other) => !samePlace(other, place))
  const now = others.length < ablated.length ? others : [...ablated, place]
  return now.sort((one, other) => one.layer - other.layer || one.head - other.head)
}

/** The heads that a preset ablates, with this head selected. */
export function presetHeads(preset: Preset, { layer, head }: HeadPlace, { heads }: Heads): HeadPlace[] {
  if (preset === 'none') return []
  return preset === 'head' ? [{ layer, head }] : Array.from({ length: heads }, (_, index) => ({ layer, head: index }))
}

/** The preset that ablates just these heads, if one does. */
export function presetOf(ablated: readonly HeadPlace[], selected: HeadPlace, heads: Heads): Preset | undefined {
  const presets: readonly Preset[] = ['none', 'head', 'layer']
  return presets.find((preset) => {
    const places = presetHeads(preset, selected, heads)
    return places.length === ablated.length && places.every((place) => isAblated(ablated, place))
  })
}
