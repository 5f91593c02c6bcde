import { isFailure } from '../engine/failure'
import type { HeadResult, RunRequest, RunResult } from '../engine/protocol'
import { thetaOfLayer } from '../engine/theta'
import { runTrouble } from '../engine/words'
import { specialPositions } from '../text/special'
import { pairOf } from '../text/pair'
import type { Reading } from '../text/reading'
import { changeKey, runChange, unchanged, type Changing } from './change'
import type { HeadPlace } from './choice'
import type { EngineState, LoadedModel } from './engine.svelte'
import { KeptHeads } from './keptHeads'
import { rowsToPredict } from './predictions'

/** How many fills of each [MASK] are read back: as many as a view has room for. */
export const fillsRead = 24

/** Bytes of heads that are kept beside those shown. */
const mostKept = 64 << 20

/** A text as a model reads it. */
export interface Read {
  model: LoadedModel
  text: string
  reading: Reading
}

/** What is run: a text, and what is changed in the model. */
export interface Wanted extends Read {
  change: Changing
}

/** The newest result, with the text and the model that it belongs to. */
export interface Shown extends Read {
  /** What was changed in the model, as `changeKey` writes it; empty: nothing. */
  changed: string
  result: RunResult
  /** The chosen head of that same run: its own, or one read after it. */
  head: HeadResult
}

/** θ of the chosen head's layer, (head_size / 2). */
export const layerTheta = ({ result, head, model }: Pick<Shown, 'result' | 'head' | 'model'>): Float64Array =>
  thetaOfLayer(result.theta, head.layer, model.info.head_size)

/** Runs texts, keeps the newest result and reads other heads of it. */
export class Runs {
  readonly #engine: EngineState
  readonly #kept = new KeptHeads(mostKept)
  shown: Shown | undefined = $state.raw()
  /** The result of the same text with nothing changed, to compare with; of what is shown itself where nothing is. */
  whole: Shown | undefined = $state.raw()
  #underWay = $state(0)
  /** The newest text that waits for the run under way to end. */
  #next: { wanted: Wanted; place: HeadPlace } | undefined
  #goingOn = false
  #newest = 0
  #newestRead = 0

  constructor(engine: EngineState) {
    this.#engine = engine
  }

  /** Whether a newer result than the one shown is on its way. */
  get coming(): boolean {
    return this.#underWay > 0
  }

  /** Runs a text, and reads this head of it; what is under way is overtaken. */
  async run(wanted: Wanted, place: HeadPlace): Promise<void> {
    this.#next = undefined
    await this.#run(wanted, place)
    await this.#goOn()
  }

  /** Runs a text when the run under way has ended: of texts that come faster than results the newest. */
  async runInTurn(wanted: Wanted, place: HeadPlace): Promise<void> {
    this.#next = { wanted, place }
    await this.#goOn()
  }

  /** The engine is left alone for as long as the last run took it, so that what else it is at gets half of its time. */
  async #goOn(): Promise<void> {
    if (this.#goingOn) return
    this.#goingOn = true
    while (this.#next && !this.coming) {
      const { wanted, place } = this.#next
      this.#next = undefined
      await this.#run(wanted, place)
      if (this.#next) await rest(this.shown?.result.report.milliseconds ?? 0)
    }
    this.#goingOn = false
  }

  async #run(wanted: Wanted, place: HeadPlace): Promise<void> {
    const run = ++this.#newest
    this.#underWay++
    try {
      const changed = changeKey(wanted.change)
      if (changed !== '' && !this.#isWhole(wanted)) {
        const whole = await this.#ask({ ...wanted, change: unchanged }, place)
        if (!whole) return
        this.whole = whole
        if (run !== this.#newest) return
      }
      const shown = await this.#ask(wanted, place)
      if (!shown) return
      this.shown = shown
      if (changed === '') this.whole = shown
      this.#engine.dismiss('run')
    } catch (error) {
      const refused = changeKey(wanted.change) !== '' && this.#isWhole(wanted)
      // Without the change the text has run: it stays on show as it is.
      if (refused && run === this.#newest && this.shown?.reading !== wanted.reading) this.shown = this.whole
      this.#tell(error, refused)
    } finally {
      this.#underWay--
    }
  }

  /** Whether the result with nothing changed is that of this text. */
  #isWhole({ model, reading }: Wanted): boolean {
    return this.whole?.model === model && this.whole.reading === reading
  }

  /** Undefined: overtaken, or of a model that was replaced meanwhile. */
  async #ask({ model, text, reading, change }: Wanted, place: HeadPlace): Promise<Shown | undefined> {
    const changed = changeKey(change)
    const request: RunRequest = {
      ids: reading.ids,
      ...pairOf(reading),
      special: Uint32Array.from(specialPositions({ model, reading })),
      rows: rowsToPredict(model, reading),
      topK: Math.min(fillsRead, model.info.vocab_size),
      ...place,
      positionOffset: change.offset,
      // Only a text that was let through is so long.
      ...(reading.ids.length > model.info.max_position_embeddings ? { beyondLength: true } : {}),
      ...(changed === '' ? {} : { change: runChange(change, model.info) }),
    }
    const result = await model.ask('run', { request })
    if (!result || this.#engine.model !== model) return undefined
    return { model, text, reading, changed, result, head: result }
  }

  /** Reads another head of the results that are shown. The model does not run. */
  async readHead(place: HeadPlace): Promise<void> {
    const read = ++this.#newestRead
    const wanted = () => read === this.#newestRead
    try {
      const { shown, whole } = this
      const found = shown && (await this.head(shown, place))
      if (!wanted()) return
      // A newer result has its own head.
      if (found && this.shown?.result.run === found.run) {
        const now = { ...this.shown, head: found }
        if (this.whole === this.shown) this.whole = now
        this.shown = now
      }
      if (!whole || whole.result.run === shown?.result.run) return
      const there = await this.head(whole, place)
      if (!wanted()) return
      const before = there ?? (await this.#aside(whole, place))
      if (!before || !wanted() || this.whole?.reading !== whole.reading || this.whole.result.run !== whole.result.run)
        return
      this.whole = { ...this.whole, result: { ...this.whole.result, run: before.run }, head: before }
    } catch (error) {
      this.#tell(error)
    }
  }

  /** A head of a result; null where the engine does not hold it any more. */
  async head({ model, result, head: own }: Shown, { layer, head }: HeadPlace): Promise<HeadResult | null> {
    this.#kept.add(own)
    const kept = this.#kept.get(result.run, { layer, head })
    if (kept) return kept
    const read = await model.ask('head', { run: result.run, layer, head })
    if (read) this.#kept.add(read)
    return read
  }

  /**
   * Under another rope the engine has given back what the text left with nothing changed. It runs once more, beside what is shown, and all
   * its heads can be read then.
   */
  #aside({ model, reading }: Shown, { layer, head }: HeadPlace): Promise<HeadResult | null> {
    return model.ask('beside', {
      ids: reading.ids,
      ...pairOf(reading),
      layer,
      head,
      positionOffset: 0,
      ...(reading.ids.length > model.info.max_position_embeddings ? { beyondLength: true } : {}),
    })
  }

  /** A restart is told of by itself, and runs the text again. */
  #tell(error: unknown, ofChange = false): void {
    if (!isFailure(error)) throw error
    if (error.code !== 'restarted') this.#engine.trouble('run', runTrouble(error, ofChange))
  }
}

const longestRest = 1000

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, longestRest)))
}
