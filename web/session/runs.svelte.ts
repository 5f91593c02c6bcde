import { newSlot } from '../engine/client/client'
import { isFailure, isOfEngine } from '../engine/protocol/failure'
import type { Reply } from '../engine/protocol/messages'
import type { HeadResult, RunResult } from '../engine/protocol/protocol'
import type { RunRequest } from '../engine/protocol/requests'
import { thetaOfLayer } from '../engine/protocol/mathematics'
import { goneTrouble, runTrouble } from '../engine/client/words'
import { specialPositions } from './reading'
import { changeKey, unchanged, type Changing } from './change'
import type { HeadPlace } from '../viewstate/choice'
import type { EngineState } from './engine.svelte'
import { rowsToPredict } from './predictions'
import { runOf, type Read } from './request'
import { goneFailure } from './resource.svelte'

/** Fills of each [MASK] that are read: a view has room for no more. */
export const fillsRead = 24

/** A text and its interventions, to be run. */
export interface RunInput extends Read {
  change: Changing
}

/** A result with its text and its model. */
export interface Run extends Read {
  /** The interventions, as `changeKey` writes them; empty: none. */
  changed: string
  result: RunResult
  /** The selected head: the one that came with the run, or one that was read later. */
  head: HeadResult
}

/** θ of the selected head's layer, (head_size / 2). */
export const layerTheta = ({ result, head, model }: Pick<Run, 'result' | 'head' | 'model'>): Float64Array =>
  thetaOfLayer(result.theta, head.layer, model.info.head_size)

/** Runs texts, keeps the newest result and reads other heads of it. */
export class Runs {
  readonly #engine: EngineState
  readonly #slot = newSlot()
  latest: Run | undefined = $state.raw()
  /** The result of the same text without interventions; `latest` itself where it has none. */
  baseline: Run | undefined = $state.raw()
  #underWay = $state(0)
  /** The newest text that waits for the present run to end. */
  #next: { input: RunInput; place: HeadPlace } | undefined
  #goingOn = false
  #newest = 0
  #newestRead = 0

  constructor(engine: EngineState) {
    this.#engine = engine
  }

  /** Whether a newer result is being computed. */
  get pending(): boolean {
    return this.#underWay > 0
  }

  /** Runs a text and reads this head of it. It supersedes a run in progress. */
  async run(input: RunInput, place: HeadPlace): Promise<void> {
    this.#next = undefined
    await this.#run(input, place)
    await this.#goOn()
  }

  /** Runs a text once the present run has ended; of several texts that wait, the newest. */
  async runInTurn(input: RunInput, place: HeadPlace): Promise<void> {
    this.#next = { input, place }
    await this.#goOn()
  }

  /** Waits as long as the last run took: other requests get half of the engine's time. */
  async #goOn(): Promise<void> {
    if (this.#goingOn) return
    this.#goingOn = true
    while (this.#next && !this.pending) {
      const { input, place } = this.#next
      this.#next = undefined
      await this.#run(input, place)
      if (this.#next) await rest(this.latest?.result.report.milliseconds ?? 0)
    }
    this.#goingOn = false
  }

  async #run(input: RunInput, place: HeadPlace): Promise<void> {
    const run = ++this.#newest
    this.#underWay++
    try {
      const changed = changeKey(input.change)
      if (changed !== '' && !this.#isBaseline(input)) {
        const baseline = await this.#ask({ ...input, change: unchanged }, place, run)
        if (!baseline) return
        this.baseline = baseline
        if (run !== this.#newest) return
      }
      const latest = await this.#ask(input, place, run)
      if (!latest) return
      this.latest = latest
      if (changed === '') this.baseline = latest
      this.#engine.dismiss('run')
    } catch (error) {
      const refused = changeKey(input.change) !== '' && this.#isBaseline(input)
      // The baseline has run: it stays on show.
      if (refused && run === this.#newest && this.latest?.reading !== input.reading) this.latest = this.baseline
      this.#tell(error, refused)
    } finally {
      this.#underWay--
    }
  }

  /** Whether the baseline is of this text. */
  #isBaseline({ model, reading }: RunInput): boolean {
    return this.baseline?.model === model && this.baseline.reading === reading
  }

  /** Undefined: superseded, or the model was replaced meanwhile. */
  async #ask({ model, text, reading, change }: RunInput, place: HeadPlace, run: number): Promise<Run | undefined> {
    const changed = changeKey(change)
    const request: RunRequest = {
      ...runOf({ model, reading }, change),
      special: Uint32Array.from(specialPositions({ model, reading })),
      rows: rowsToPredict(model, reading),
      topK: Math.min(fillsRead, model.info.vocab_size),
      ...place,
    }
    const reply = await model.ask('run', { request }, { slot: this.#slot })
    if (this.#engine.model !== model) return undefined
    // Nothing else will run this text.
    if (reply.status === 'gone' && run === this.#newest) throw goneFailure()
    if (reply.status !== 'ok') return undefined
    const { result } = reply
    return { model, text, reading, changed, result, head: result }
  }

  /** Reads another head of the run on show and of its baseline. The model does not run. */
  async readHead(place: HeadPlace): Promise<void> {
    const read = ++this.#newestRead
    const isNewest = () => read === this.#newestRead
    try {
      const { latest, baseline } = this
      const found = latest && (await this.head(latest, place))
      if (!isNewest()) return
      // A newer result has its own head.
      if (found?.status === 'ok' && this.latest?.result.run === found.result.run) {
        const now = { ...this.latest, head: found.result }
        if (this.baseline === this.latest) this.baseline = now
        this.latest = now
      }
      if (!baseline || baseline.result.run === latest?.result.run) return
      let reply = await this.#baselineHead(baseline, place)
      // An equal request of another requester was in flight, and that requester has moved on.
      while (reply.status === 'superseded' && isNewest()) reply = await this.#baselineHead(baseline, place)
      if (
        !isNewest() ||
        this.baseline?.reading !== baseline.reading ||
        this.baseline.result.run !== baseline.result.run
      )
        return
      if (reply.status !== 'ok') throw goneFailure()
      this.baseline = { ...this.baseline, head: reply.result }
    } catch (error) {
      this.#tell(error)
    }
  }

  /** Shows a trouble where a request named the run on show, the engine has dropped it, and no newer one is being computed. */
  checkGone(): void {
    const { gone, troubles } = this.#engine
    if (gone === undefined || gone !== this.latest?.result.run || this.pending || troubles.run) return
    // Once: the visitor may dismiss it.
    this.#engine.gone = undefined
    this.#engine.trouble('run', goneTrouble)
  }

  head({ result, head: own }: Run, { layer, head }: HeadPlace): Promise<Reply<HeadResult>> {
    const { answers } = this.#engine
    const of = (place: HeadPlace) => ({ params: { run: result.run, layer: place.layer, head: place.head } })
    answers.add('head', of(own), own)
    return answers.fetch('head', of({ layer, head }), this.#slot)
  }

  /** A head of the baseline: the worker runs the text again where the engine has dropped that run. */
  #baselineHead({ model, reading, head: own }: Run, place: HeadPlace): Promise<Reply<HeadResult>> {
    const { answers } = this.#engine
    const run = runOf({ model, reading }, unchanged)
    const of = ({ layer, head }: HeadPlace) => ({ model, params: { ...run, layer, head } })
    answers.add('comparisonHead', of(own), own)
    return answers.fetch('comparisonHead', of(place), this.#slot)
  }

  #tell(error: unknown, ofChange = false): void {
    if (!isFailure(error)) throw error
    if (!isOfEngine(error)) this.#engine.trouble('run', () => runTrouble(error, ofChange))
  }
}

const longestRest = 1000

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, longestRest)))
}
