// Parts, score, weight, fills and loss before (A, the baseline) and after muting (B).
import type { Inputs } from '../module'
import { bySpeed, wavelengthsOf } from '../../charts/labels'
import { weightAt } from '../../charts/matrix'
import { explainRequest, reachFor, type ScoreCurve } from '../../charts/sweep/model'
import type { ScoreParts } from '../../engine/protocol/mathematics'
import type { ModelInfo } from '../../engine/protocol/protocol'
import {
  interventionsText,
  parseInterventions,
  interventionsForRun,
  noInterventions,
} from '../../session/interventions'
import { HeldOutLoss, measuredChange, type MeasuredChange } from '../../session/heldOutLoss.svelte'
import type { AddedLoss } from '../../session/heldOut'
import {
  mute,
  mutedElsewhere,
  mutedOf,
  muteOf,
  presetOf,
  type Extent,
  type MuteKind,
  type Preset,
} from '../../session/muted'
import { predictions } from '../../session/predictions'
import { newest, resource } from '../../session/resource.svelte'
import { layerTheta, type Run } from '../../session/runs.svelte'
import type { HeadPlace } from '../../viewstate/choice'
import type { ParamsOf } from '../../viewstate/fields'
import type { Target } from '../output'
import type { params } from '.'
import { t } from './messages.en'

export type MuteInputs = Inputs<ParamsOf<typeof params>>

/** A and B: one query, key and head of one text. */
export interface Compared {
  baseline: Run
  run: Run
  query: number
  key: number
  pairs: readonly PairParts[]
  score: readonly [before: number, after: number]
  curves: readonly [before: ScoreCurve, after: ScoreCurve]
}

export type MuteData = ReturnType<typeof muteData>

export function muteData(inputs: MuteInputs) {
  const { engine } = inputs.bench
  const subject = () => {
    const { run, baseline } = inputs
    const { query, key } = inputs.cursor
    if (!run || !baseline || !comparable(baseline, run)) return undefined
    return { baseline, run, query, key, reach: reachFor(query - key) }
  }
  const before = resource(engine, 'explain', () => {
    const of = subject()
    return of && explainRequest(of.baseline, of, of.reach)
  })
  const after = resource(engine, 'explain', () => {
    const of = subject()
    return of && explainRequest(of.run, of, of.reach)
  })
  const compared = newest((): Compared | undefined => {
    const of = subject()
    const [a, b] = [before.current, after.current]
    if (!of || !a || !b) return undefined
    const { baseline, run, query, key, reach } = of
    const curves = [a, b].map(({ sweep }) => ({ values: sweep, reach })) as [ScoreCurve, ScoreCurve]
    return { baseline, run, query, key, pairs: pairParts(baseline, run, a, b), score: [a.score, b.score], curves }
  })
  const change = () => inputs.run && measuredChange(inputs.run.interventions, inputs.run.model.info)
  const each = () => (inputs.run ? eachAlone(orderOf(inputs), inputs.run.model.info) : [])
  return {
    /** The newest complete comparison. */
    get compared() {
      return compared.value
    },
    get stale() {
      return compared.stale
    },
    get failure() {
      return before.failure ?? after.failure
    },
    loss: new HeldOutLoss(engine, change, each),
    /** The current interventions, for the loss. */
    get change() {
      return change()
    },
  }
}

/** The wavelengths 2π/θ_i in the baseline, by pair. */
export const wavelengthsIn = ({ baseline }: Pick<MuteInputs, 'baseline'>): Float64Array =>
  wavelengthsOf(baseline ? layerTheta(baseline) : new Float64Array())

/** All pairs, fastest first. */
export const orderOf = (inputs: Pick<MuteInputs, 'baseline'>): number[] => bySpeed(wavelengthsIn(inputs))

/** The selected head's muted pairs by the switches, which may be ahead of the run. */
export function mutedPairs({ run, bench, cursor: { layer, head } }: MuteInputs): Map<number, MuteKind> {
  const muted = run && mutedOf(bench.choice, { layer, head }, run.model.info)
  return new Map(muteKinds.flatMap((kind) => (muted?.[kind] ?? []).map((pair) => [pair, kind] as const)))
}

/** Which pairs are muted, how and where; and where a click leads. */
export interface MuteControls {
  /** All pairs, fastest first. */
  order: readonly number[]
  /** The muted ones, ascending. */
  pairs: readonly number[]
  act: { how: MuteKind; where: Extent }
  place: HeadPlace
  notes: readonly string[]
  /** Mutes exactly these pairs of the head. */
  mute: (pairs: readonly number[]) => Target
  /** Mutes the muted ones in another way; while there are none, says how the next ones are. */
  change: (to: { how?: MuteKind; where?: Extent }) => Target
  /** Unmutes every pair of every head. */
  clear: Target
  loss: HeldOutLoss
  /** The present interventions, for the loss. */
  lossChange: MeasuredChange | undefined
}

export function controlsOf(inputs: MuteInputs, data: MuteData, info: ModelInfo): MuteControls {
  const { params, cursor } = inputs
  const { frozen, ablated } = inputs.bench.choice
  const muting = { frozen, ablated }
  const place = { layer: cursor.layer, head: cursor.head }
  const act = muteOf(muting, place, info, { how: params.how, where: params.in })
  const pairs = [...mutedPairs(inputs).keys()].sort((one, other) => one - other)
  const keyGroup = info.num_attention_heads / Math.max(info.num_key_value_heads, 1)
  const muted = (pairs: readonly number[], as: typeof act): Target => ({
    choice: { ...mute(muting, place, info, pairs, as) },
  })
  return {
    order: orderOf(inputs),
    pairs,
    act,
    place,
    notes: [
      ...(act.how === 'frozen' && keyGroup > 1 ? [t().shared(keyGroup)] : []),
      ...(mutedElsewhere(muting, place, info) ? [t().elsewhere] : []),
    ],
    mute: (pairs) => muted(pairs, act),
    change: ({ how = act.how, where = act.where }) =>
      pairs.length > 0 ? muted(pairs, { how, where }) : { params: { how, in: where } },
    clear: { choice: { frozen: [], ablated: [] } },
    loss: data.loss,
    lossChange: data.change,
  }
}

/** A pair on the axis. */
export interface PairParts {
  pair: number
  wavelength: number
  /** Its part of the score in A and in B. */
  before: number
  after: number
  /** Its state in B. */
  kind: 'turns' | 'frozen' | 'ablated'
}

export function pairParts(baseline: Run, run: Run, before: ScoreParts, after: ScoreParts): PairParts[] {
  // A frozen pair keeps its place: wavelengths are A's.
  const wavelengths = wavelengthsOf(layerTheta(baseline))
  const { frozen, ablated } = mutedOf(parseInterventions(run.interventions), run.head, run.model.info)
  return bySpeed(wavelengths).map((pair) => ({
    pair,
    wavelength: wavelengths[pair] ?? Infinity,
    before: before.parts[pair] ?? 0,
    after: after.parts[pair] ?? 0,
    kind: ablated.includes(pair) ? 'ablated' : frozen.includes(pair) ? 'frozen' : 'turns',
  }))
}

/** Muted pairs, as a preset or by number. */
interface NamedPairs {
  pairs: readonly number[]
  preset: Preset | null
}

export function namedPairs(pairs: readonly number[], theta: Float64Array): NamedPairs {
  const sorted = [...pairs].sort((one, other) => one - other)
  return { pairs: sorted, preset: presetOf(sorted, bySpeed(wavelengthsOf(theta))) }
}

/** True if A and B have the same text and head. */
export function comparable(baseline: Run | undefined, run: Run | undefined): boolean {
  return (
    baseline !== undefined &&
    run !== undefined &&
    baseline.reading === run.reading &&
    baseline.model === run.model &&
    baseline.head.layer === run.head.layer &&
    baseline.head.head === run.head.head
  )
}

export const weightsOf = (baseline: Run, run: Run, query: number, key: number): [before: number, after: number] => [
  weightAt(baseline.head, query, key),
  weightAt(run.head, query, key),
]

/** A token that A or B predicts. An undefined probability is below `least`. */
interface Fill {
  token: string
  before: number | undefined
  after: number | undefined
}

export interface Fills {
  position: number
  fills: Fill[]
  /** The smallest known probability in A and in B. */
  least: [before: number, after: number]
}

/** The most probable tokens at the first mask, or next tokens: A's, and B's best. */
export function fillsOf(baseline: Run, run: Run, most: number): Fills | undefined {
  const token = (id: number) => run.model.tokenizer.display(id)
  const [before] = predictions(baseline.result, token)
  const [after] = predictions(run.result, token)
  if (!before || !after || before.position !== after.position) return undefined
  const chances = (prediction: typeof before) =>
    new Map(prediction.fills.map(({ id, probability }) => [id, probability]))
  const [of, now] = [chances(before), chances(after)]
  const first = after.fills[0]
  const named = before.fills.slice(0, most)
  if (first && !named.some(({ id }) => id === first.id)) named.splice(most - 1, 1, first)
  const least = (prediction: typeof before) => prediction.fills.at(-1)?.probability ?? 0
  return {
    position: before.position,
    fills: named.map(({ id, token }) => ({ token, before: of.get(id), after: now.get(id) })),
    least: [least(before), least(after)],
  }
}

/** The minimum width of a switch, in CSS px. */
const leastSwitch = 24

export function pairsPerSwitch(pairs: number, width: number): number {
  return Math.max(1, Math.ceil((leastSwitch * pairs) / Math.max(width, 1)))
}

/** In two rows each pair has a switch where in one row each two of them would share one. */
export const switchRows = (pairs: number, width: number): number => (pairsPerSwitch(pairs, width) === 2 ? 2 : 1)

/** The pairs of each switch, fastest first. */
export function switches(order: readonly number[], each: number): number[][] {
  return Array.from({ length: Math.ceil(order.length / each) }, (_, index) =>
    order.slice(index * each, (index + 1) * each),
  )
}

export const muteKinds: readonly MuteKind[] = ['ablated', 'frozen']

const alone = (pair: number, kind: MuteKind) => {
  const muted = [{ layer: null, head: null, pairs: [pair] }]
  return { ...noInterventions, [kind]: muted }
}

/** One measurement for each pair and kind: muted alone, in all heads. */
export function eachAlone(order: readonly number[], info: ModelInfo): MeasuredChange[] {
  return order.flatMap((pair) =>
    muteKinds.map((kind) => ({
      name: interventionsText(alone(pair, kind)),
      change: interventionsForRun(alone(pair, kind), info),
    })),
  )
}

/** The loss that muting one pair adds; undefined until measured. */
export interface PairLoss {
  pair: number
  ablated: AddedLoss | undefined
  frozen: AddedLoss | undefined
}

export type LossMeasurement = Pick<HeldOutLoss, 'before' | 'added'>

export function pairLosses(order: readonly number[], measured: LossMeasurement): PairLoss[] {
  const of = (pair: number, kind: MuteKind) => measured.added(interventionsText(alone(pair, kind)))
  return order.map((pair) => ({ pair, ablated: of(pair, 'ablated'), frozen: of(pair, 'frozen') }))
}

/** The slowest pairs whose freezing adds less than `most`, fastest first. */
export function needNotTurn(losses: readonly PairLoss[], most: number): number[] {
  const last = losses.findLastIndex(({ frozen }) => frozen === undefined || frozen.added >= most)
  return losses.slice(last + 1).map(({ pair }) => pair)
}

/** The smallest number of tokens behind any of the losses. */
export function tokensOf(losses: readonly PairLoss[]): number {
  const counts = losses
    .flatMap(({ ablated, frozen }) => [ablated, frozen])
    .flatMap((loss) => (loss ? [loss.labels] : []))
  return counts.length === 0 ? 0 : Math.min(...counts)
}

export interface LossChart {
  /** Fastest pair first. */
  losses: readonly PairLoss[]
  heads: number
  book: string
  /** True once every pair is measured on all of the text. */
  complete: boolean
}

/** Undefined until a measurement starts. */
export function lossChartOf(inputs: MuteInputs, { loss }: Pick<MuteData, 'loss'>): LossChart | undefined {
  const losses = pairLosses(orderOf(inputs), loss)
  if (!loss.hasEach && losses.every(({ ablated, frozen }) => !ablated && !frozen)) return undefined
  const info = inputs.run?.model.info
  const heads = info ? info.num_hidden_layers * info.num_attention_heads : 0
  return { losses, heads, book: loss.book, complete: loss.isComplete('each') }
}
