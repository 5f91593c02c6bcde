import { untrack } from 'svelte'
import { isFailure } from '../engine/failure'
import type { Failure, HeadResult } from '../engine/protocol'
import { pairOf } from '../text/pair'
import type { Reading } from '../text/reading'
import { readChange, runChange } from './change'
import type { HeadPlace } from './choice'
import type { LoadedModel } from './engine.svelte'

/** What is run beside the text shown: another text, or this one with something else changed in the model. */
export interface BesideRun {
  model: LoadedModel
  reading: Reading
  /** As `changeKey` writes it. */
  changed: string
}

/** A head of a run beside the one shown. The model runs once for all of its heads. */
export class Beside {
  /** The newest answer, and the run that it is of. */
  value: { of: BesideRun; head: HeadResult } | undefined = $state.raw()
  failure: Failure | undefined = $state.raw()
  #run: { of: BesideRun; first: Promise<HeadResult | null> } | undefined
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
      let head = await this.#head(of, place)
      if (!head && wanted()) {
        // The engine holds it no more.
        this.#run = undefined
        head = await this.#head(of, place)
      }
      if (!wanted() || !head) return
      this.value = { of, head }
      this.failure = undefined
    } catch (error) {
      if (!isFailure(error)) throw error
      this.#run = undefined
      if (wanted() && error.code !== 'restarted') this.failure = error
    }
  }

  async #head(of: BesideRun, place: HeadPlace): Promise<HeadResult | null> {
    const run = this.#run && same(this.#run.of, of) ? this.#run : { of, first: this.#ask(of, place) }
    this.#run = run
    const first = await run.first
    if (!first || (first.layer === place.layer && first.head === place.head)) return first
    return of.model.ask('head', { run: first.run, layer: place.layer, head: place.head })
  }

  #ask({ model, reading, changed }: BesideRun, { layer, head }: HeadPlace): Promise<HeadResult | null> {
    const { offset: positionOffset, ...change } = readChange(changed)
    return model.ask('beside', {
      ids: reading.ids,
      ...pairOf(reading),
      layer,
      head,
      positionOffset,
      // Only a text that was let through is so long.
      ...(reading.ids.length > model.info.max_position_embeddings ? { beyondLength: true } : {}),
      ...(changed === '' ? {} : { change: runChange(change, model.info) }),
    })
  }
}

const same = (one: BesideRun, other: BesideRun) =>
  one.model === other.model && one.reading === other.reading && one.changed === other.changed
