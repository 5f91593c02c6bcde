import { untrack } from 'svelte'
import { longestForAllHeads } from '../engine/protocol/byDistance'
import type { HeadByDistance } from '../engine/protocol/protocol'
import type { EngineState } from './engine.svelte'
import type { Answer } from './resource.svelte'
import { streamed, type Streamed } from './series.svelte'

interface HeadsRequest {
  params: { run: number }
}

/** A run, and its number of tokens. */
export interface RunOfHeads {
  run: number
  length: number
}

const none: readonly HeadByDistance[] = []

/** All heads of the run on show by distance, read layer by layer while a view needs them, and once for all views. */
export class EveryHead {
  readonly #run: () => RunOfHeads | undefined
  #answer: Answer<HeadsRequest, Streamed<'everyHead'>> | undefined
  /** How many views need the heads. */
  #users = $state(0)
  /** The heads that are read so far, ordered by layer and head. */
  readonly heads: readonly HeadByDistance[] = $derived.by(() => {
    const latest = this.#answer?.latest
    return latest && latest.key.params.run === this.#run()?.run ? latest.value.chunks.flat() : none
  })

  constructor(engine: EngineState, run: () => RunOfHeads | undefined) {
    this.#run = run
    $effect.root(() => {
      this.#answer = streamed(engine, 'everyHead', () => {
        const current = run()
        return current && this.#users > 0 && !this.tooLong ? { params: { run: current.run } } : undefined
      })
    })
  }

  get tooLong(): boolean {
    return (this.#run()?.length ?? 0) > longestForAllHeads
  }

  /** Reads the heads while the condition holds. Call it while a component is created: it ends with that. */
  needWhile(isNeeded: () => boolean): void {
    $effect(() => {
      if (!isNeeded()) return
      untrack(() => this.#users++)
      return () => void untrack(() => this.#users--)
    })
  }
}
