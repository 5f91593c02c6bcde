import { untrack } from 'svelte'
import type { Change, Failure, Loss, ModelInfo } from '../engine/protocol/protocol'
import { readPublished } from '../engine/protocol/source'
import { withMessage } from '../engine/client/words'
import { interventionsText, parseInterventions, interventionsForRun } from './interventions'
import type { EngineState, LoadedModel } from './engine.svelte'
import {
  hasHeldOut,
  heldOutName,
  readHeldOut,
  rowsOf,
  type HeldOut,
  addedBy,
  firstRound,
  meanOf,
  nextStep,
  type AddedLoss,
  type Steps,
} from './heldOut'
import { tokenRun } from './reading'
import type { Answer } from './resource.svelte'
import { series, type Step, Measurement, noteMeasured } from './series.svelte'

/** A change whose loss is measured. Equal names are the same change. */
export interface MeasuredChange {
  name: string
  change: Omit<Change, 'labels'>
}

/** The interventions of a result, to be measured; an offset alone changes no loss, and a number in one row is of another text. */
export function measuredChange(interventions: string, info: ModelInfo): MeasuredChange | undefined {
  const change = { ...parseInterventions(interventions), offset: 0 }
  const name = interventionsText(change)
  return name === '' ? undefined : { name, change: interventionsForRun(change, info, info, 0) }
}

/** The loss of the baseline and of one change, or of each of many changes. */
export type Goal = 'change' | 'each'

/** Rows per request: other requests are answered in between. */
const rowsAtOnce = 4

/** The name of the model without interventions. */
const baseline = ''

/** The text, and what was measured on it by name of the change. */
interface TextMeasurement {
  file: HeldOut
  losses: ReadonlyMap<string, Steps>
}

interface LossRequest {
  model: LoadedModel
  params: { goal: Goal; change: string; attempt: number }
  changes: readonly MeasuredChange[]
  /** Steps per change at most. */
  most: number
}

/** The last start or stop, with the change that was present then. */
interface Plan {
  change: string
  goal: Goal | undefined
}

/**
 * Losses on the held-out text that came with the model. Nothing is fetched or measured before `start`. The first rows of every change are
 * measured before more; a new change gets its first rows, and waits there for `start`.
 */
export class HeldOutLoss {
  readonly #engine: EngineState
  readonly #change: () => MeasuredChange | undefined
  readonly #each: () => readonly MeasuredChange[]
  readonly #fetch: typeof readPublished
  readonly #series: Answer<LossRequest, TextMeasurement>
  readonly #measurement: Measurement<Plan, TextMeasurement>
  /** The model that `start` was called for with each change. */
  #eachOf: LoadedModel | undefined = $state.raw()

  /**
   * Create it while a component is created: it ends with that.
   *
   * @param change the present interventions, if there are any
   * @param each further changes, measured only by `start('each')`
   */
  constructor(
    engine: EngineState,
    change: () => MeasuredChange | undefined,
    each: () => readonly MeasuredChange[],
    fetch = readPublished,
  ) {
    this.#engine = engine
    this.#change = change
    this.#each = each
    this.#fetch = fetch
    this.#measurement = new Measurement(engine, 'heldOutLoss')
    this.#setPlan(undefined)
    this.#series = series(
      engine,
      'heldOutLoss',
      () => this.#request(),
      (request, step, _, signal) => this.#measure(request, step, signal),
    )
  }

  /** Whether a text came with the model. */
  get isServed(): boolean {
    return this.#engine.model !== undefined && hasHeldOut(this.#engine.model.source)
  }

  get book(): string {
    return this.#measurement.value?.file.book ?? ''
  }

  /** What is being measured. */
  get measuring(): Goal | undefined {
    return this.#series.status === 'loading' ? this.#request()?.params.goal : undefined
  }

  get failure(): Failure | undefined {
    const { failure } = this.#series
    return failure && withMessage(failure)
  }

  /** Whether the loss of each change was started. */
  get hasEach(): boolean {
    return this.#eachOf !== undefined && this.#eachOf === this.#engine.model
  }

  /** Whether nothing remains to measure. */
  isComplete(goal: Goal): boolean {
    const measured = this.#measurement.value
    return measured !== undefined && nextOf(measured, this.#changesOf(goal), Infinity) === undefined
  }

  /** All masked tokens of the text. */
  get masked(): number {
    return this.#measurement.value?.file.masked ?? 0
  }

  /** The loss without interventions. */
  get before(): Loss | undefined {
    return meanOf(this.#of(baseline))
  }

  /** What a change adds, on the tokens that it was measured on. */
  added(name: string): AddedLoss | undefined {
    return addedBy(this.#of(baseline), this.#of(name))
  }

  /** Begins, or continues. */
  start(goal: Goal): void {
    this.#setPlan(goal)
    if (goal === 'each') this.#eachOf = this.#engine.model
  }

  stop(): void {
    this.#setPlan(undefined)
  }

  #setPlan(goal: Goal | undefined): void {
    this.#measurement.set({ change: this.#change()?.name ?? baseline, goal })
  }

  #request(): LossRequest | undefined {
    const { model } = this.#engine
    if (!model || !hasHeldOut(model.source)) return undefined
    const { plan, last, attempt } = this.#measurement
    // Untracked: what another view measures starts nothing here.
    const value = untrack(() => this.#measurement.value)
    const change = this.#change()?.name ?? baseline
    const isPresent = plan?.change === change
    // A change that came after the start gets its first rows only.
    const goal = isPresent ? plan.goal : last?.change !== change && value ? 'change' : undefined
    if (!goal) return undefined
    const params = { goal, change, attempt: isPresent ? attempt : 0 }
    return { model, params, changes: this.#changesOf(goal), most: isPresent ? Infinity : firstRound }
  }

  async *#measure(
    { model, changes, most }: LossRequest,
    step: Step,
    signal: AbortSignal,
  ): AsyncGenerator<TextMeasurement, void, void> {
    if (!hasHeldOut(model.source)) return
    let measured = this.#measurement.of(model) ?? {
      file: readHeldOut(await this.#fetch(model.source, heldOutName, signal), model.info),
      losses: new Map<string, Steps>(),
    }
    this.#measurement.store(model, measured)
    yield measured
    for (let next = nextOf(measured, changes, most); next; next = nextOf(measured, changes, most)) {
      const { name, step: at } = next
      const first = at * rowsAtOnce
      const batch = Math.min(rowsAtOnce, measured.file.rows - first)
      const change = changes.find((one) => one.name === name)?.change ?? {}
      const { ids, labels } = rowsOf(measured.file, first, batch)
      const loss = await step('loss', { model, params: { ...tokenRun({ ids }, { change }), labels, batch } })
      const steps = [...(measured.losses.get(name) ?? []), loss]
      measured = { ...measured, losses: new Map(measured.losses).set(name, steps) }
      this.#measurement.store(model, measured)
      noteMeasured(model)
      yield measured
    }
  }

  #changesOf(goal: Goal): readonly MeasuredChange[] {
    if (goal === 'each') return this.#each()
    const change = this.#change()
    return change ? [change] : []
  }

  #of(name: string): Steps {
    return this.#measurement.value?.losses.get(name) ?? []
  }
}

/** The next step: of the baseline as many as of any change. */
function nextOf({ file, losses }: TextMeasurement, changes: readonly MeasuredChange[], most: number) {
  const all = Math.min(most, Math.ceil(file.rows / rowsAtOnce))
  const targets = new Map([baseline, ...changes.map(({ name }) => name)].map((name) => [name, all]))
  return nextStep(targets, (name) => losses.get(name)?.length ?? 0)
}
