import { untrack } from 'svelte'
import { newSlot } from '../engine/client/client'
import { longestWalk } from '../engine/protocol/byDistance'
import { isFailure } from '../engine/protocol/failure'
import type { HeadByDistance } from '../engine/protocol/protocol'
import type { EngineState } from './engine.svelte'

/** A run whose heads are walked. */
export interface Walked {
  run: number
  length: number
}

const none: readonly HeadByDistance[] = []

/**
 * All heads of the run on show by distance, layer by layer as the engine tells them: only while a view wants them, and once for all views.
 */
export class EveryHead {
  readonly #engine: EngineState
  readonly #slot = newSlot()
  readonly #shown: () => Walked | undefined
  /** How many views want them. */
  #wanting = $state(0)
  #told: { run: number; generation: number; heads: readonly HeadByDistance[]; whole: boolean } | undefined =
    $state.raw()

  /** The run to be walked: a result that is shown anew with another head is the same run. */
  readonly #wanted: number | undefined = $derived.by(() =>
    this.#wanting > 0 && !this.tooLong ? this.#shown()?.run : undefined,
  )

  constructor(engine: EngineState, shown: () => Walked | undefined) {
    this.#engine = engine
    this.#shown = shown
    $effect.root(() => {
      $effect(() => {
        const run = this.#wanted
        const { generation } = engine
        const told = untrack(() => this.#told)
        if (run === undefined || (told?.run === run && told.generation === generation && told.whole)) return
        const stop = new AbortController()
        void this.#walk(run, generation, stop.signal)
        return () => stop.abort()
      })
    })
  }

  /** Of the run on show, as far as they are told: ordered by layer and head. */
  get heads(): readonly HeadByDistance[] {
    const told = this.#told
    return told && told.run === this.#shown()?.run && told.generation === this.#engine.generation ? told.heads : none
  }

  get tooLong(): boolean {
    return (this.#shown()?.length ?? 0) > longestWalk
  }

  /** Call it in an effect: they are wanted until that ends. */
  want(): () => void {
    untrack(() => this.#wanting++)
    return () => void untrack(() => this.#wanting--)
  }

  async #walk(run: number, generation: number, signal: AbortSignal): Promise<void> {
    const heads: HeadByDistance[] = []
    const tell = (whole: boolean) => {
      if (!signal.aborted) this.#told = { run, generation, heads: [...heads], whole }
    }
    const onChunk = (layer: readonly HeadByDistance[]) => {
      heads.push(...layer)
      tell(false)
    }
    try {
      const { status } = await this.#engine.client.ask('everyHead', { run }, { onChunk, signal, slot: this.#slot })
      if (status === 'ok') tell(true)
    } catch (error) {
      // What failed is told by views that ask for one head; a restart asks anew.
      if (!isFailure(error)) throw error
    }
  }
}
