import { isFailure } from '../engine/failure'
import type { HeadResult, RunRequest, RunResult } from '../engine/protocol'
import { runTrouble } from '../engine/words'
import type { Reading } from '../text/reading'
import type { EngineState, LoadedModel } from './engine.svelte'
import { rowsToPredict } from './predictions'

/** How many fills each [MASK] shows. */
export const fillsShown = 5

/** A text as a model reads it. */
export interface Read {
  model: LoadedModel
  text: string
  reading: Reading
}

/** The newest result, with the text and the model that it belongs to. */
export interface Shown extends Read {
  result: RunResult
  /** The chosen head of that same run: its own, or one read after it. */
  head: HeadResult
}

/** Which head is chosen. */
export interface Place {
  layer: number
  head: number
}

/** Runs texts, keeps the newest result and reads other heads of it. */
export class Runs {
  readonly #engine: EngineState
  shown: Shown | undefined = $state.raw()
  #underWay = $state(0)
  /** The newest text that waits for the run under way to end. */
  #next: { read: Read; place: Place } | undefined
  #goingOn = false

  constructor(engine: EngineState) {
    this.#engine = engine
  }

  /** Whether a newer result than the one shown is on its way. */
  get coming(): boolean {
    return this.#underWay > 0
  }

  /** Runs a text, and reads this head of it; what is under way is overtaken. */
  async run(read: Read, place: Place): Promise<void> {
    this.#next = undefined
    await this.#run(read, place)
    await this.#goOn()
  }

  /** Runs a text when the run under way has ended: of texts that come faster than results the newest. */
  async runInTurn(read: Read, place: Place): Promise<void> {
    this.#next = { read, place }
    await this.#goOn()
  }

  /** The engine is left alone for as long as the last run took it, so that what else it is at gets half of its time. */
  async #goOn(): Promise<void> {
    if (this.#goingOn) return
    this.#goingOn = true
    while (this.#next && !this.coming) {
      const { read, place } = this.#next
      this.#next = undefined
      await this.#run(read, place)
      if (this.#next) await rest(this.shown?.result.report.milliseconds ?? 0)
    }
    this.#goingOn = false
  }

  async #run(read: Read, { layer, head }: Place): Promise<void> {
    const { model, reading } = read
    const request: RunRequest = {
      ids: reading.ids,
      rows: rowsToPredict(model, reading),
      topK: fillsShown,
      layer,
      head,
      positionOffset: 0,
    }
    this.#underWay++
    try {
      const result = await this.#engine.client.ask('run', { model: model.version, request })
      if (!result || this.#engine.model !== model) return
      this.shown = { ...read, result, head: result }
      this.#engine.dismiss('run')
    } catch (error) {
      this.#tell(error)
    } finally {
      this.#underWay--
    }
  }

  /** Reads another head of the result that is shown. The model does not run. */
  async readHead({ layer, head }: Place): Promise<void> {
    const run = this.shown?.result.run
    if (run === undefined) return
    try {
      const found = await this.#engine.client.ask('head', { run, layer, head })
      // A newer result has its own head.
      if (found && this.shown?.result.run === found.run) this.shown = { ...this.shown, head: found }
    } catch (error) {
      this.#tell(error)
    }
  }

  /** A restart is told of by itself, and runs the text again. */
  #tell(error: unknown): void {
    if (!isFailure(error)) throw error
    if (error.code !== 'restarted') this.#engine.trouble('run', runTrouble(error))
  }
}

const longestRest = 1000

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, longestRest)))
}
