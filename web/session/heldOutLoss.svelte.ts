import { untrack } from 'svelte'
import { failure, isFailure } from '../engine/protocol/failure'
import type { Change, Failure, Loss, ModelInfo } from '../engine/protocol/protocol'
import { readPublished } from '../engine/protocol/source'
import { inWords } from '../i18n/failures'
import { words } from '../i18n/words'
import { changeKey, readChange, runChange } from './change'
import type { EngineState, LoadedModel } from './engine.svelte'
import { hasHeldOut, heldOutName, readHeldOut, rowsOf, type HeldOut } from './heldOut'
import { noteMeasured } from './measuredModels'
import { addedBy, firstLook, meanOf, nextStep, type Added, type Steps } from './losses'

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

/** What is wanted: the loss of the model as it is and of one change, or of each of many changes. */
export type Goal = 'change' | 'each'

/** Rows that are asked for at once: whatever else is asked for goes in between. */
const rowsAtOnce = 4

/** Name of the model with nothing changed. */
const whole = ''

interface Kept {
  file: HeldOut
  measured: ReadonlyMap<string, Steps>
}

/** What was measured of a model, for as long as it is loaded: a view that comes back goes on there. */
const kept = new WeakMap<LoadedModel, Kept>()

/**
 * Losses on a text that the model has not seen: the text that came with it. Nothing is fetched or asked before it is wanted. A first few rows
 * of every change come first, then more; another change has its first look and waits there to be gone on with.
 */
export class HeldOutLoss {
  readonly #engine: EngineState
  readonly #fetch: typeof readPublished
  readonly #changed: () => MeasuredChange | undefined
  readonly #each: () => readonly MeasuredChange[]
  /** Counts what is under way: what belongs to an earlier one is dropped. */
  #turn = 0
  #stop: AbortController | undefined
  #file: HeldOut | undefined = $state.raw()
  #measured: ReadonlyMap<string, Steps> = $state.raw(new Map())
  /** What is being measured. */
  #goal: Goal | undefined = $state()
  /** What was wanted at any time since the model is there. */
  #asked: { readonly [G in Goal]: boolean } = $state.raw({ change: false, each: false })
  problem: Failure | undefined = $state.raw()

  /**
   * `changed`: the change that is looked at, undefined where there is none; `each`: the many. Make it while a component is made: it ends with
   * that.
   */
  constructor(
    engine: EngineState,
    changed: () => MeasuredChange | undefined,
    each: () => readonly MeasuredChange[],
    fetch = readPublished,
  ) {
    this.#engine = engine
    this.#changed = changed
    this.#each = each
    this.#fetch = fetch
    $effect(() => {
      const before = engine.model && kept.get(engine.model)
      this.#file = before?.file
      this.#measured = before?.measured ?? new Map()
      this.#asked = { change: before !== undefined, each: false }
      this.problem = undefined
      return () => this.stop()
    })
    let last: string | undefined
    $effect(() => {
      const name = changed()?.name
      if (last !== undefined && last !== (name ?? whole)) untrack(() => this.#lookAt())
      last = name ?? whole
    })
  }

  /** Whether a text came with the loaded model. */
  get served(): boolean {
    return this.#engine.model !== undefined && hasHeldOut(this.#engine.model.source)
  }

  get book(): string {
    return this.#file?.book ?? ''
  }

  /** What is under way; undefined: nothing. */
  get measuring(): Goal | undefined {
    return this.#goal
  }

  /** Whether it was wanted before. */
  wanted(goal: Goal): boolean {
    return this.#asked[goal]
  }

  /** Whether there is nothing left to measure. */
  complete(goal: Goal): boolean {
    return this.#file !== undefined && this.#next(this.#targets(goal, Infinity)) === undefined
  }

  /** Of the model with nothing changed. */
  get before(): Loss | undefined {
    return meanOf(this.#of(whole))
  }

  /** Of a change: what it adds, on the tokens that it was measured on. */
  added(name: string): Added | undefined {
    return addedBy(this.#of(whole), this.#of(name))
  }

  /** Begins, or goes on. */
  start(goal: Goal): Promise<void> {
    return this.#measure(goal, Infinity)
  }

  stop(): void {
    this.#turn++
    this.#stop?.abort()
    this.#stop = undefined
    this.#goal = undefined
  }

  /** A first look at another change, where one was wanted before. */
  #lookAt(): void {
    this.stop()
    if ((this.#asked.change || this.#asked.each) && this.#file) void this.#measure('change', firstLook)
  }

  async #measure(goal: Goal, steps: number): Promise<void> {
    this.stop()
    const { model } = this.#engine
    if (!model || !hasHeldOut(model.source)) return
    const turn = this.#turn
    const stop = new AbortController()
    this.#stop = stop
    this.#goal = goal
    this.#asked = { ...this.#asked, [goal]: true }
    this.problem = undefined
    try {
      const file = this.#file ?? readHeldOut(await this.#fetch(model.source, heldOutName, stop.signal), model.info)
      if (turn !== this.#turn) return
      this.#file = file
      const targets = this.#targets(goal, steps)
      for (let next = this.#next(targets); next; next = this.#next(targets)) {
        const reply = await this.#ask(model, file, next, stop.signal)
        if (turn !== this.#turn) break
        if (reply.status !== 'ok') throw failure('gone', words.troubles.gone.model, true)
        this.#measured = new Map(this.#measured).set(next.name, [...this.#of(next.name), reply.result])
        kept.set(model, { file, measured: this.#measured })
        noteMeasured(model)
      }
    } catch (error) {
      if (!isFailure(error)) throw error
      // A restart is told of by itself; the model that comes back is measured anew.
      if (turn === this.#turn && error.code !== 'restarted') this.problem = inWords(error)
    }
    if (turn === this.#turn) this.stop()
  }

  #ask(model: LoadedModel, file: HeldOut, { name, step }: { name: string; step: number }, signal: AbortSignal) {
    const first = step * rowsAtOnce
    const batch = Math.min(rowsAtOnce, file.rows - first)
    const change = name === whole ? {} : this.#change(name)
    const asks = { ...rowsOf(file, first, batch), batch, change }
    return model.ask('loss', asks, { signal })
  }

  #change(name: string): MeasuredChange['change'] {
    const changed = this.#changed()
    return [...(changed ? [changed] : []), ...this.#each()].find((one) => one.name === name)?.change ?? {}
  }

  /** Names of what is measured, with how many steps each is wanted for: the whole model as many as any other. */
  #targets(goal: Goal, steps: number): Map<string, number> {
    const all = Math.min(steps, Math.ceil((this.#file?.rows ?? 0) / rowsAtOnce))
    const changed = this.#changed()
    const changes = goal === 'each' ? this.#each() : changed ? [changed] : []
    return new Map([whole, ...changes.map(({ name }) => name)].map((name) => [name, all]))
  }

  #next(targets: ReadonlyMap<string, number>) {
    return nextStep(targets, (name) => this.#of(name).length)
  }

  #of(name: string): Steps {
    return this.#measured.get(name) ?? []
  }
}
