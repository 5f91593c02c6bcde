import { untrack } from 'svelte'
import { newSlot } from '../engine/client/client'
import { isFailure, isOfEngine } from '../engine/protocol/failure'
import type { HeadResult, RunResult } from '../engine/protocol/protocol'
import type { RunRequest } from '../engine/protocol/requests'
import { thetaOfLayer } from '../engine/protocol/mathematics'
import { goneTrouble, runTrouble } from '../engine/client/words'
import { specialPositions, runOf, type Read } from './reading'
import { interventionsText, noInterventions, type Interventions } from './interventions'
import { samePlace, type HeadPlace } from '../viewstate/choice'
import type { EngineState } from './engine.svelte'
import { rowsToPredict } from './predictions'
import { resource, resultOf, type Resource } from './resource.svelte'

/** Fills of each [MASK] that are read: a view has room for no more. */
export const fillsRead = 24

/** A text and its interventions, to be run. */
export interface RunInput extends Read {
  change: Interventions
}

/** A result with its text and its model. */
export interface Run extends Read {
  /** The engine's number of it. */
  id: number
  /** The interventions, as `interventionsText` writes them; empty: none. */
  interventions: string
  result: Omit<RunResult, 'run' | 'attention' | 'query' | 'key'>
  /** The head on show: the one that came with the run, or one that was read later. */
  head: HeadResult
}

/** θ of the selected head's layer, (head_size / 2). */
export const layerTheta = ({ result, head, model }: Pick<Run, 'result' | 'head' | 'model'>): Float64Array =>
  thetaOfLayer(result.theta, head.layer, model.info.head_size)

const headRequest = ({ id }: Run, { layer, head }: HeadPlace) => ({ params: { run: id, layer, head } })

/** A head of a baseline: the worker runs the text again where the engine has dropped that run. */
const baselineRequest = (run: Run, { layer, head }: HeadPlace) => ({
  model: run.model,
  params: { ...runOf({ ...run, interventions: '' }), layer, head },
})

/** Runs texts, keeps the newest result and reads other heads of it and of its baseline. */
export class Runs {
  readonly #engine: EngineState
  readonly #slot = newSlot()
  latest: Run | undefined = $state.raw()
  /** The result of the same text without interventions; `latest` itself where it has none. */
  baseline: Run | undefined = $state.raw()
  #running = $state(0)
  /** The newest text that waits for the present run to end. */
  #waiting: { input: RunInput; place: HeadPlace } | undefined
  #isRunningWaiting = false
  #newest = 0
  #head!: Resource<'head'>
  #baselineHead!: Resource<'comparisonHead'>

  /** @param place of the head to show */
  constructor(engine: EngineState, place: () => HeadPlace) {
    this.#engine = engine
    $effect.root(() => {
      this.#head = resource(engine, 'head', () => {
        const { latest } = this
        return latest && !samePlace(latest.head, place()) ? headRequest(latest, place()) : undefined
      })
      this.#baselineHead = resource(engine, 'comparisonHead', () => {
        const { latest, baseline } = this
        if (!baseline || baseline.id === latest?.id || samePlace(baseline.head, place())) return undefined
        return baselineRequest(baseline, place())
      })
      $effect(() => {
        const { latest, baseline } = this
        const head = this.#head.current
        if (!latest || !head) return
        this.latest = { ...latest, head }
        if (baseline === latest) this.baseline = this.latest
      })
      $effect(() => {
        const { baseline } = this
        const head = this.#baselineHead.current
        if (baseline && head) this.baseline = { ...baseline, head }
      })
      $effect(() => {
        const failure = this.#head.failure ?? this.#baselineHead.failure
        if (failure) untrack(() => this.#report(failure))
      })
    })
  }

  /** Whether a newer result is being computed. */
  get pending(): boolean {
    return this.#running > 0
  }

  /** Runs a text and reads this head of it. It supersedes a run in progress. */
  async run(input: RunInput, place: HeadPlace): Promise<void> {
    this.#waiting = undefined
    await this.#run(input, place)
    await this.#runWaiting()
  }

  /** Runs a text once the present run has ended; of several texts that wait, the newest. */
  async runInTurn(input: RunInput, place: HeadPlace): Promise<void> {
    this.#waiting = { input, place }
    await this.#runWaiting()
  }

  /** Waits as long as the last run took: other requests get half of the engine's time. */
  async #runWaiting(): Promise<void> {
    if (this.#isRunningWaiting) return
    this.#isRunningWaiting = true
    while (this.#waiting && !this.pending) {
      const { input, place } = this.#waiting
      this.#waiting = undefined
      await this.#run(input, place)
      if (this.#waiting) await rest(this.latest?.result.report.milliseconds ?? 0)
    }
    this.#isRunningWaiting = false
  }

  async #run(input: RunInput, place: HeadPlace): Promise<void> {
    const run = ++this.#newest
    this.#running++
    try {
      const interventions = interventionsText(input.change)
      if (interventions !== '' && !this.#isBaseline(input)) {
        const baseline = await this.#ask({ ...input, change: noInterventions }, place, run)
        if (!baseline) return
        this.baseline = baseline
        if (run !== this.#newest) return
      }
      const { baseline } = this
      if (interventions !== '' && baseline)
        this.#baselineHead.accept(baselineRequest(baseline, baseline.head), baseline.head)
      const latest = await this.#ask(input, place, run)
      if (!latest) return
      this.#head.accept(headRequest(latest, latest.head), latest.head)
      this.latest = latest
      if (interventions === '') this.baseline = latest
      this.#engine.dismiss('run')
    } catch (error) {
      const refused = interventionsText(input.change) !== '' && this.#isBaseline(input)
      // The baseline has run: it stays on show.
      if (refused && run === this.#newest && this.latest?.reading !== input.reading) this.latest = this.baseline
      this.#report(error, refused)
    } finally {
      this.#running--
    }
  }

  /** Whether the baseline is of this text. */
  #isBaseline({ model, reading }: RunInput): boolean {
    return this.baseline?.model === model && this.baseline.reading === reading
  }

  /** Undefined: superseded, or the model was replaced meanwhile. @throws {Failure} */
  async #ask({ model, text, reading, change }: RunInput, place: HeadPlace, run: number): Promise<Run | undefined> {
    const interventions = interventionsText(change)
    const request: RunRequest = {
      ...runOf({ model, reading, interventions }),
      special: Uint32Array.from(specialPositions({ model, reading })),
      rows: rowsToPredict(model, reading),
      topK: Math.min(fillsRead, model.info.vocab_size),
      ...place,
    }
    const reply = await model.ask('run', { request }, { slot: this.#slot })
    if (reply.status === 'superseded') return undefined
    // Another model's run, or a newer one, says what is gone.
    if (reply.status !== 'failed' && this.#engine.model !== model) return undefined
    if (reply.status === 'gone' && run !== this.#newest) return undefined
    const { run: id, attention, query, key, ...result } = resultOf(reply)
    const { layer, head, length } = result
    return {
      id,
      model,
      text,
      reading,
      interventions,
      result,
      head: { run: id, layer, head, length, attention, query, key },
    }
  }

  /** Shows a trouble where a request named the run on show, the engine has dropped it, and no newer one is being computed. */
  checkGone(): void {
    const { gone, troubles } = this.#engine
    if (gone === undefined || gone !== this.latest?.id || this.pending || troubles.run) return
    // Once: the visitor may dismiss it.
    this.#engine.gone = undefined
    this.#engine.trouble('run', goneTrouble)
  }

  #report(error: unknown, ofChange = false): void {
    if (!isFailure(error)) throw error
    if (!isOfEngine(error)) this.#engine.trouble('run', () => runTrouble(error, ofChange))
  }
}

const longestRest = 1000

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, longestRest)))
}
