// What the reader starts and stops, what was measured of the model so far, and what a reload would lose of all that.
import type { EngineState, LoadedModel } from './engine.svelte'
import type { Bench } from './bench.svelte'

let lastAttempt = 0

/** Holds for one model in one worker: a model that is read again is measured only by another start. */
export class Measurement<P, V> {
  readonly #engine: EngineState
  readonly #kind: string
  #plan: { of: P; model: LoadedModel | undefined; generation: number } | undefined = $state.raw()
  /** Each start has its own, also of another view: it goes on where the one before stopped or failed. */
  attempt = 0

  /** @param kind names what is measured, for all that measure it */
  constructor(engine: EngineState, kind: string) {
    this.#engine = engine
    this.#kind = kind
  }

  /** What was started or stopped last. */
  get last(): P | undefined {
    return this.#plan?.of
  }

  /** The same, where it was of the present model. */
  get plan(): P | undefined {
    const [plan, { model, generation }] = [this.#plan, this.#engine]
    return plan && plan.model === model && plan.generation === generation ? plan.of : undefined
  }

  /** Starts, continues or stops. */
  set(of: P): void {
    const { model, generation } = this.#engine
    this.attempt = ++lastAttempt
    this.#plan = { of, model, generation }
  }

  /** What was measured of the present model. */
  get value(): V | undefined {
    const { model } = this.#engine
    return model && this.of(model)
  }

  of(model: LoadedModel): V | undefined {
    return this.#engine.answers.ofModel.get(this.#nameOf(model)) as V | undefined
  }

  /** It stays as long as the model, whichever view measured it. */
  store(model: LoadedModel, value: V): void {
    this.#engine.answers.ofModel.set(this.#nameOf(model), value)
  }

  #nameOf({ version }: LoadedModel): string {
    return `${this.#kind} ${version}`
  }
}

const measuredModels = new WeakSet<object>()

/** Notes that losses of this model were measured: a reload loses them. */
export function noteMeasured(model: object): void {
  measuredModels.add(model)
}

/** What only this tab has. */
export type Unsaved = 'files' | 'writing' | 'losses' | 'undo'

/** What a reload would lose: the link restores all else. */
export function unsavedOf({ engine: { model }, generation, undoable }: Bench): Unsaved[] {
  const found: Record<Unsaved, boolean> = {
    files: model?.source.kind === 'files',
    writing: generation.writing,
    losses: model !== undefined && measuredModels.has(model),
    undo: undoable.undo || undoable.redo,
  }
  return (Object.keys(found) as Unsaved[]).filter((what) => found[what])
}
