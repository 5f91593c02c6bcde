// Losses and maps of texts up to four times the model's length, measured row by row once the reader starts it.
import type { Failure, Loss } from '../../engine/protocol/protocol'
import { readPublished } from '../../engine/protocol/source'
import { withMessage } from '../../engine/client/words'
import type { EngineState, LoadedModel } from '../../session/engine.svelte'
import { hasHeldOut, readHeldOut, type HeldOut, type Steps, meanOf } from '../../session/heldOut'
import { isBeyond, longestText, tokenRun } from '../../session/reading'
import type { Answer } from '../../session/resource.svelte'
import { series, type Step, Measurement, noteMeasured } from '../../session/series.svelte'
import type { HeadPlace } from '../../viewstate/choice'
import {
  changeOf,
  measurementKey,
  multiples,
  runChangeOf,
  stretchParams,
  type LongChange,
  type Multiple,
  type WayId,
  greatestMultiple,
} from './ways'

/** The held-out text whose rows have the greatest length; training/held_out.py writes it. */
const longFile = 'held-out-long.json'

export interface Selection {
  /** Whose losses are measured. */
  ways: readonly WayId[]
  /** Whose maps are shown, and of which head. */
  way: WayId
  place: HeadPlace
}

/** What was measured of a model. */
interface ModelMeasurement {
  file: HeldOut
  losses: ReadonlyMap<string, Steps>
  maps: ReadonlyMap<string, PooledMap>
  durations: Durations
}

interface LongRequest {
  model: LoadedModel
  /** Losses after the maps, or the maps alone. */
  params: { goal: 'losses'; attempt: number } | { goal: 'maps'; name: string }
}

/** The last start or stop. */
interface Plan {
  /** The maps on screen when the reader stopped: only another start measures them. */
  cancelledAt: string | undefined
}

type Task = { change: LongChange; multiple: Multiple; key: string } & ({ place: HeadPlace } | { row: number })

export class LongTexts {
  readonly #engine: EngineState
  readonly #selection: () => Selection
  readonly #fetch: typeof readPublished
  readonly #measurement: Measurement<Plan, ModelMeasurement>
  readonly #all: Answer<LongRequest, ModelMeasurement>
  /** Another head or way gets its maps at once, unless losses are being measured. */
  readonly #maps: Answer<LongRequest, ModelMeasurement>

  /** Create it while a component is created: it ends with that. */
  constructor(engine: EngineState, selection: () => Selection, fetch = readPublished) {
    this.#engine = engine
    this.#selection = selection
    this.#fetch = fetch
    this.#measurement = new Measurement(engine, 'longTexts')
    const measure = (request: LongRequest, step: Step, _: ModelMeasurement | undefined, signal: AbortSignal) =>
      this.#measure(request, step, signal)
    this.#all = series(engine, 'longTexts', () => this.#allRequest(), measure)
    this.#maps = series(engine, 'longTexts', () => this.#mapsRequest(), measure)
  }

  get isServed(): boolean {
    return this.#engine.model !== undefined && hasHeldOut(this.#engine.model.source, longFile)
  }

  get book(): string {
    return this.#measurement.value?.file.book ?? ''
  }

  get isMeasuring(): boolean {
    return this.#all.status === 'loading'
  }

  /** Whether any loss is measured. */
  get hasLosses(): boolean {
    return (this.#measurement.value?.losses.size ?? 0) > 0
  }

  get isComplete(): boolean {
    const [model, measured] = [this.#engine.model, this.#measurement.value]
    return model !== undefined && measured !== undefined && this.#nextLoss(model, measured) === undefined
  }

  get failure(): Failure | undefined {
    const failure = this.#all.failure ?? this.#maps.failure
    return failure && withMessage(failure)
  }

  /** The mean losses on the rows that every selected way was measured on. */
  readonly commonLosses = $derived.by(() =>
    lossesOnCommonRows(this.#selection().ways, (way, multiple) => this.#losses(way, multiple)),
  )

  /** Masked tokens that each loss is the mean of. */
  get tokens(): number {
    return this.commonLosses.of(this.#selection().ways[0] ?? 'plain', 1)?.labels ?? 0
  }

  #losses(way: WayId, multiple: Multiple): Steps {
    const { model } = this.#engine
    const key = model && measurementKey(changeOf(way, multiple, model.info), multiple)
    return (key !== undefined && this.#measurement.value?.losses.get(key)) || []
  }

  map(multiple: Multiple): PooledMap | undefined {
    const { model } = this.#engine
    return model && this.#measurement.value?.maps.get(mapKey(this.#selection(), multiple, model))
  }

  /** Rows measured of all that are selected, and the seconds that remain, once any of them is measured. */
  get progress(): { done: number; total: number; seconds: number | undefined } {
    const [model, measured] = [this.#engine.model, this.#measurement.value]
    if (!model || !measured) return { done: 0, total: 0, seconds: undefined }
    const { file, losses, durations } = measured
    const targets = new Map(
      measurements(this.#selection().ways, model).map(({ key, multiple, change }) => [
        key,
        { kind: durationKind(multiple, change), left: file.rows - Math.min(losses.get(key)?.length ?? 0, file.rows) },
      ]),
    )
    const total = targets.size * file.rows
    const kinds = [...targets.values()].flatMap(({ kind, left }) => Array<string>(left).fill(kind))
    return { done: total - kinds.length, total, seconds: secondsLeft(kinds, durations) }
  }

  /** Begins, or continues. */
  start(): void {
    this.#measurement.set({ cancelledAt: undefined })
  }

  stop(): void {
    this.#measurement.set({ cancelledAt: this.#mapsName() })
  }

  #mapsName(): string {
    const { way, place } = this.#selection()
    return `${way} ${place.layer}.${place.head}`
  }

  #allRequest(): LongRequest | undefined {
    const { model } = this.#engine
    const { plan, attempt } = this.#measurement
    if (!this.isServed || !model || !plan || plan.cancelledAt !== undefined) return undefined
    return { model, params: { goal: 'losses', attempt } }
  }

  #mapsRequest(): LongRequest | undefined {
    const { model } = this.#engine
    const { value, last } = this.#measurement
    const name = this.#mapsName()
    if (!model || !value || this.isMeasuring || last?.cancelledAt === name) return undefined
    return { model, params: { goal: 'maps', name } }
  }

  /** Each step follows the selection of its time: ways can be added while others are measured. */
  async *#measure(
    { model, params }: LongRequest,
    step: Step,
    signal: AbortSignal,
  ): AsyncGenerator<ModelMeasurement, void, void> {
    if (!hasHeldOut(model.source, longFile)) return
    let measured = this.#measurement.of(model)
    if (!measured) {
      const longest = { ...model.info, max_position_embeddings: longestText(model.info, true) }
      const file = readHeldOut(await this.#fetch(model.source, longFile, signal), longest)
      measured = { file, losses: new Map(), maps: new Map(), durations: new Map() }
    }
    for (;;) {
      this.#measurement.store(model, measured)
      yield measured
      const task =
        this.#nextMap(model, measured) ?? (params.goal === 'losses' ? this.#nextLoss(model, measured) : undefined)
      if (!task) return
      measured = await measureTask(model, measured, task, step)
      noteMeasured(model)
    }
  }

  #nextMap(model: LoadedModel, { maps }: ModelMeasurement): Task | undefined {
    const selection = this.#selection()
    const multiple = multiples.find((multiple) => !maps.has(mapKey(selection, multiple, model)))
    if (!multiple) return undefined
    const change = changeOf(selection.way, multiple, model.info)
    return { change, multiple, key: mapKey(selection, multiple, model), place: selection.place }
  }

  /** Row by row, so that all losses are of the same tokens. */
  #nextLoss(model: LoadedModel, { file, losses }: ModelMeasurement): Task | undefined {
    const targets = measurements(this.#selection().ways, model)
    const rows = targets.map(({ key }) => losses.get(key)?.length ?? 0)
    const row = Math.min(...rows)
    const target = targets[rows.indexOf(row)]
    return row < file.rows && target ? { ...target, row } : undefined
  }
}

/** What is measured of these ways. Some are equal. */
const measurements = (ways: readonly WayId[], { info }: LoadedModel) =>
  multiples.flatMap((multiple) =>
    ways.map((way) => {
      const change = changeOf(way, multiple, info)
      return { change, multiple, key: measurementKey(change, multiple) }
    }),
  )

const mapKey = ({ way, place }: Selection, multiple: Multiple, { info }: LoadedModel) =>
  `${measurementKey(changeOf(way, multiple, info), multiple)} ${place.layer}.${place.head}`

async function measureTask(
  model: LoadedModel,
  measured: ModelMeasurement,
  task: Task,
  step: Step,
): Promise<ModelMeasurement> {
  const { change: longChange, multiple, key } = task
  const { file, losses, maps, durations } = measured
  const { stretch } = longChange
  const frequencies = stretch && (await step('contextExtensions', { params: stretchParams(stretch, model.info) }))
  const change = runChangeOf(longChange, model.info, frequencies)
  if ('row' in task) {
    const { ids, labels, batch } = splitRow(file, task.row, multiple)
    const beyondLength = isBeyond(ids.length / batch, model.info)
    const params = { ...tokenRun({ ids }, { change, beyondLength }), labels, batch }
    const began = performance.now()
    const loss = await step('loss', { model, params })
    return {
      ...measured,
      losses: new Map(losses).set(key, [...(losses.get(key) ?? []), loss]),
      durations: addDuration(durations, durationKind(multiple, longChange), performance.now() - began),
    }
  }
  const { ids, batch } = splitRow(file, 0, multiple)
  const length = ids.length / batch
  const { layer, head } = task.place
  const run = tokenRun({ ids: ids.slice(0, length) }, { change, beyondLength: isBeyond(length, model.info) })
  const { attention } = await step('comparisonHead', { model, params: { ...run, layer, head } })
  return { ...measured, maps: new Map(maps).set(key, maxPool(attention, length)) }
}

/** Splits a row of the file into texts of equal length. */
export function splitRow(
  file: HeldOut,
  row: number,
  multiple: Multiple,
): { ids: Uint32Array; labels: Int32Array; batch: number } {
  const batch = greatestMultiple / multiple
  const [from, to] = [row * file.length, (row + 1) * file.length]
  const [first = 0, last = 0] = [file.ids[from], file.ids[to - 1]]
  /** Tokens of a text between its first and its last one. */
  const inner = Math.floor((file.length - 2) / batch)
  const ids = new Uint32Array(batch * (inner + 2))
  const labels = new Int32Array(ids.length).fill(-1)
  for (let text = 0; text < batch; text++) {
    const start = from + 1 + text * inner
    const into = text * (inner + 2)
    ids[into] = first
    ids.set(file.ids.subarray(start, start + inner), into + 1)
    ids[into + inner + 1] = last
    labels.set(file.labels.subarray(start, start + inner), into + 1)
  }
  return { ids, labels, batch }
}

/** A max-pooled map. */
export interface PooledMap {
  length: number
  side: number
  /** (side, side) */
  cells: Float32Array
  /** The mean over the queries of their greatest weight. */
  strongest: number
}

/** @param weights (length, length) */
export function maxPool(weights: Float32Array, length: number, largest = 128): PooledMap {
  const side = Math.min(largest, length)
  const cells = new Float32Array(side * side)
  let sum = 0
  for (let query = 0; query < length; query++) {
    const row = Math.floor((query * side) / length) * side
    let strongest = 0
    for (let key = 0; key < length; key++) {
      const weight = weights[query * length + key] ?? 0
      if (weight > strongest) strongest = weight
      const at = row + Math.floor((key * side) / length)
      if (weight > (cells[at] ?? 0)) cells[at] = weight
    }
    sum += strongest
  }
  return { length, side, cells, strongest: sum / Math.max(length, 1) }
}

/** The mean losses on the rows that every way was measured on. */
export function lossesOnCommonRows(
  ways: readonly WayId[],
  losses: (way: WayId, multiple: Multiple) => Steps,
): { rows: number; of: (way: WayId, multiple: Multiple) => Loss | undefined } {
  const rows = Math.min(...ways.flatMap((way) => multiples.map((multiple) => losses(way, multiple).length)))
  // Until each way has its first row, those that have one show it.
  return { rows, of: (way, multiple) => meanOf(losses(way, multiple), Math.max(rows, 1)) }
}

/** How long steps took, by kind. */
export type Durations = ReadonlyMap<string, { steps: number; milliseconds: number }>

/** Steps of a kind take about equally long: clamped distances take longer. */
export const durationKind = (multiple: Multiple, { distanceClamp }: LongChange) =>
  `${multiple} ${distanceClamp === undefined ? '' : 'clamped'}`

export function addDuration(durations: Durations, kind: string, milliseconds: number): Durations {
  const before = durations.get(kind) ?? { steps: 0, milliseconds: 0 }
  return new Map(durations).set(kind, {
    steps: before.steps + 1,
    milliseconds: before.milliseconds + milliseconds,
  })
}

/** Seconds for steps of these kinds, where unknown kinds count as the slowest known one; undefined while none is known. */
export function secondsLeft(kinds: readonly string[], durations: Durations): number | undefined {
  if (durations.size === 0) return undefined
  const each = new Map([...durations].map(([kind, { steps, milliseconds }]) => [kind, milliseconds / steps]))
  const slowest = Math.max(...each.values())
  return kinds.reduce((sum, kind) => sum + (each.get(kind) ?? slowest), 0) / 1000
}
