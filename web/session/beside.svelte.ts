import { untrack } from 'svelte'
import { newSlot } from '../engine/client/client'
import { failure, isFailure } from '../engine/protocol/failure'
import type { Reply } from '../engine/protocol/messages'
import type { Failure, HeadResult } from '../engine/protocol/protocol'
import type { Reading } from '../text/reading'
import { words } from '../i18n/words'
import { readChange } from './change'
import type { HeadPlace } from '../viewstate/choice'
import type { LoadedModel } from './engine.svelte'
import { runOf } from './request'

/** What is run beside the text shown: another text, or this one with something else changed in the model. */
export interface BesideRun {
  model: LoadedModel
  reading: Reading
  /** As `changeKey` writes it. */
  changed: string
}

/** A run that is gone is run again so often. */
const tries = 3

/** A head of a run beside the one shown. The model runs once for all of its heads. */
export class Beside {
  /** The newest answer, and the run that it is of. */
  value: { of: BesideRun; head: HeadResult } | undefined = $state.raw()
  failure: Failure | undefined = $state.raw()
  #run: { of: BesideRun; first: Promise<Reply<HeadResult>> } | undefined
  readonly #slot = newSlot()
  #newest = 0

  /** `wanted` is undefined while nothing is to run. Make it while a component is made: it ends with that. */
  constructor(wanted: () => (BesideRun & { place: HeadPlace }) | undefined) {
    $effect(() => {
      const now = wanted()
      untrack(() => {
        this.#newest++
        if (now) void this.#follow(now, now.place)
      })
      // What is asked goes on: whose component is gone asks for nothing more.
      return () => void this.#newest++
    })
  }

  async #follow(of: BesideRun, place: HeadPlace): Promise<void> {
    const newest = this.#newest
    const wanted = () => newest === this.#newest
    try {
      let reply = await this.#head(of, place)
      for (let left = tries; reply.status !== 'ok' && wanted() && left > 0; left--) {
        // The engine holds one such run, and another requester has taken its place.
        this.#run = undefined
        reply = await this.#head(of, place)
      }
      if (!wanted()) return
      if (reply.status !== 'ok') throw failure('gone', words.troubles.gone.model, true)
      this.value = { of, head: reply.result }
      this.failure = undefined
    } catch (error) {
      if (!isFailure(error)) throw error
      this.#run = undefined
      if (wanted() && error.code !== 'restarted') this.failure = error
    }
  }

  async #head(of: BesideRun, place: HeadPlace): Promise<Reply<HeadResult>> {
    const run = this.#run && same(this.#run.of, of) ? this.#run : { of, first: this.#ask(of, place) }
    this.#run = run
    const first = await run.first
    if (first.status !== 'ok') return first
    const { run: number, layer, head } = first.result
    if (layer === place.layer && head === place.head) return first
    return of.model.ask('head', { run: number, layer: place.layer, head: place.head }, { slot: this.#slot })
  }

  #ask({ model, reading, changed }: BesideRun, { layer, head }: HeadPlace): Promise<Reply<HeadResult>> {
    const asks = { ...runOf({ model, reading }, readChange(changed)), layer, head }
    return model.ask('beside', asks, { slot: this.#slot })
  }
}

const same = (one: BesideRun, other: BesideRun) =>
  one.model === other.model && one.reading === other.reading && one.changed === other.changed
