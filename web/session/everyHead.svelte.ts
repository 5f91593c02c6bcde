import { untrack } from 'svelte'
import { longestForAllHeads } from '../engine/protocol/byDistance'
import type { HeadByDistance } from '../engine/protocol/protocol'
import type { EngineState } from './engine.svelte'
import { series, stream, type Series, type SeriesRequest, type Step } from './series.svelte'

interface HeadsRequest extends SeriesRequest {
  run: number
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
  #series: Series<HeadsRequest, readonly HeadByDistance[]> | undefined
  /** How many views need the heads. */
  #users = $state(0)
  /** Names the heads of the run on show for one worker. */
  readonly #name = $derived.by(() => `everyHead:${this.#engine.generation}:${this.#run()?.run}`)
  readonly #engine: EngineState

  constructor(engine: EngineState, run: () => RunOfHeads | undefined) {
    this.#engine = engine
    this.#run = run
    const request = () => {
      const current = run()
      return current && this.#users > 0 && !this.tooLong ? { name: this.#name, run: current.run } : undefined
    }
    $effect.root(() => {
      this.#series = series(engine, request, readHeads)
    })
  }

  /** The heads that are read so far, ordered by layer and head. */
  get heads(): readonly HeadByDistance[] {
    const latest = this.#series?.latest
    return latest?.key.name === this.#name ? latest.value : none
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

async function* readHeads({ run }: HeadsRequest, step: Step, before = none) {
  const heads: HeadByDistance[] = []
  for await (const { chunk } of stream(step, 'everyHead', { params: { run } })) {
    if (chunk) heads.push(...chunk)
    if (heads.length > before.length) yield [...heads]
  }
}
