import type { Change, Failure, Loss, ModelInfo } from '../engine/protocol/protocol'
import { readPublished } from '../engine/protocol/source'
import { withMessage } from '../engine/client/failures'
import { changeKey, readChange, runChange } from './change'
import type { EngineState, LoadedModel } from './engine.svelte'
import { hasHeldOut, heldOutName, readHeldOut, rowsOf, type HeldOut } from './heldOut'
import { noteMeasured } from './unsaved'
import { addedBy, firstRound, meanOf, nextStep, type Added, type Steps } from './losses'
import { series, type Series, type SeriesRequest, type Step } from './series.svelte'

/** A change whose loss is measured. Equal names are the same change. */
export interface MeasuredChange {
  name: string
  change: Omit<Change, 'labels'>
}

/** The interventions of a result, to be measured; an offset alone changes no loss. */
export function measuredChange(changed: string, info: ModelInfo): MeasuredChange | undefined {
  const change = { ...readChange(changed), offset: 0 }
  const name = changeKey(change)
  return name === '' ? undefined : { name, change: runChange(change, info) }
}

/** The loss of the baseline and of one change, or of each of many changes. */
export type Goal = 'change' | 'each'

/** Rows per request: other requests are answered in between. */
const rowsAtOnce = 4

/** The name of the model without interventions. */
const baseline = ''

/** The text, and what was measured on it by name of the change. */
interface Measured {
  file: HeldOut
  losses: ReadonlyMap<string, Steps>
}

interface LossRequest extends SeriesRequest {
  model: LoadedModel
  goal: Goal
  changes: readonly MeasuredChange[]
  /** Steps per change at most. */
  most: number
}

/** The last start, with the change that was present then. */
interface Plan {
  change: string
  goal: Goal | undefined
  model: LoadedModel | undefined
  /** Of the worker: a model that is read again is measured only by another start. */
  generation: number
  /** Counts starts: each measures again where it stopped or failed. */
  attempt: number
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
  readonly #series: Series<LossRequest, Measured>
  #plan: Plan = $state.raw({ change: baseline, goal: undefined, model: undefined, generation: 0, attempt: 0 })
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
    this.#plan = this.#newPlan(undefined)
    this.#series = series(
      engine,
      () => this.#request(),
      (request, step, _, signal) => this.#measure(request, step, signal),
    )
  }

  /** Whether a text came with the model. */
  get isServed(): boolean {
    return this.#engine.model !== undefined && hasHeldOut(this.#engine.model.source)
  }

  get book(): string {
    return this.#measured?.file.book ?? ''
  }

  /** What is being measured. */
  get measuring(): Goal | undefined {
    return this.#series.status === 'loading' ? this.#request()?.goal : undefined
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
    const measured = this.#measured
    return measured !== undefined && nextOf(measured, this.#changesOf(goal), Infinity) === undefined
  }

  /** The loss without interventions. */
  get before(): Loss | undefined {
    return meanOf(this.#of(baseline))
  }

  /** What a change adds, on the tokens that it was measured on. */
  added(name: string): Added | undefined {
    return addedBy(this.#of(baseline), this.#of(name))
  }

  /** Begins, or continues. */
  start(goal: Goal): void {
    this.#plan = this.#newPlan(goal)
    if (goal === 'each') this.#eachOf = this.#engine.model
  }

  stop(): void {
    this.#plan = this.#newPlan(undefined)
  }

  #newPlan(goal: Goal | undefined): Plan {
    return {
      change: this.#change()?.name ?? baseline,
      goal,
      model: this.#engine.model,
      generation: this.#engine.generation,
      attempt: this.#plan.attempt + 1,
    }
  }

  #request(): LossRequest | undefined {
    const { model, generation } = this.#engine
    if (!model || !hasHeldOut(model.source)) return undefined
    const { attempt, ...plan } = this.#plan
    const change = this.#change()?.name ?? baseline
    const isPresent = plan.change === change && plan.model === model && plan.generation === generation
    // A change that came after the start gets its first rows only.
    const goal = isPresent ? plan.goal : plan.change !== change && this.#cached(model) ? 'change' : undefined
    if (!goal) return undefined
    const name = `${nameOf(model)} ${isPresent ? attempt : 'first'} ${goal} ${change}`
    return { name, model, goal, changes: this.#changesOf(goal), most: isPresent ? Infinity : firstRound }
  }

  async *#measure(
    { model, changes, most }: LossRequest,
    step: Step,
    signal: AbortSignal,
  ): AsyncGenerator<Measured, void, void> {
    const { answers } = this.#engine
    if (!hasHeldOut(model.source)) return
    let measured = this.#cached(model) ?? {
      file: readHeldOut(await this.#fetch(model.source, heldOutName, signal), model.info),
      losses: new Map<string, Steps>(),
    }
    answers.addMeasured(nameOf(model), measured, undefined)
    yield measured
    for (let next = nextOf(measured, changes, most); next; next = nextOf(measured, changes, most)) {
      const { name, step: at } = next
      const first = at * rowsAtOnce
      const batch = Math.min(rowsAtOnce, measured.file.rows - first)
      const change = changes.find((one) => one.name === name)?.change ?? {}
      const loss = await step('loss', { model, params: { ...rowsOf(measured.file, first, batch), batch, change } })
      const steps = [...(measured.losses.get(name) ?? []), loss]
      measured = { ...measured, losses: new Map(measured.losses).set(name, steps) }
      answers.addMeasured(nameOf(model), measured, undefined)
      noteMeasured(model)
      yield measured
    }
  }

  #changesOf(goal: Goal): readonly MeasuredChange[] {
    if (goal === 'each') return this.#each()
    const change = this.#change()
    return change ? [change] : []
  }

  /** Of the present model. */
  get #measured(): Measured | undefined {
    const { model } = this.#engine
    if (!model) return undefined
    const { latest } = this.#series
    return latest?.key.model === model ? latest.value : this.#cached(model)
  }

  #cached(model: LoadedModel): Measured | undefined {
    return this.#engine.answers.measured(nameOf(model)) as Measured | undefined
  }

  #of(name: string): Steps {
    return this.#measured?.losses.get(name) ?? []
  }
}

const nameOf = ({ version }: LoadedModel) => `held-out-loss:${version}`

/** The next step: of the baseline as many as of any change. */
function nextOf({ file, losses }: Measured, changes: readonly MeasuredChange[], most: number) {
  const all = Math.min(most, Math.ceil(file.rows / rowsAtOnce))
  const targets = new Map([baseline, ...changes.map(({ name }) => name)].map((name) => [name, all]))
  return nextStep(targets, (name) => losses.get(name)?.length ?? 0)
}
