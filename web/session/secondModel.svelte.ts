import { untrack } from 'svelte'
import type { BackendChoice, ModelSource } from '../engine/protocol/protocol'
import type { WeightsChoice } from '../engine/protocol/weights'
import type { Trouble } from '../engine/client/words'
import { unchanged } from './change'
import type { Choice, HeadPlace } from '../viewstate/choice'
import { clampHead } from '../viewstate/clamp'
import type { EngineState } from './engine.svelte'
import { readBy } from './readBy'
import { Runs, type Run } from './runs.svelte'

/** What a second model is to show. */
export interface SecondModelInput {
  source: ModelSource
  backend: BackendChoice
  weights: WeightsChoice
  text: string
  /** How the text is read. */
  choice: Pick<Choice, 'beyond' | 'part'>
  place: HeadPlace
}

/** Another model beside the one of the bench, in an engine and a worker of its own, which end when it is not wanted any more. */
export class SecondModel {
  #at: { engine: EngineState; runs: Runs } | undefined = $state.raw()

  /** Make it while a component is made: it ends with that. `wanted` gives the same source as long as it means the same model. */
  constructor(first: EngineState, input: () => SecondModelInput | undefined) {
    const now = $derived(input())
    const source = $derived(now?.source)
    const backend = $derived(now?.backend)
    const weights = $derived(now?.weights)
    $effect(() => {
      if (!source || !backend || !weights) return
      const engine = untrack(() => {
        const engine = first.another()
        engine.start(backend, weights)
        engine.load(source)
        this.#at = { engine, runs: new Runs(engine) }
        return engine
      })
      return () => {
        engine.end()
        this.#at = undefined
      }
    })
    const text = $derived(now?.text ?? '')
    const beyond = $derived(now?.choice.beyond ?? false)
    const part = $derived(now?.choice.part ?? 'cross')
    const model = $derived(this.#at?.engine.model)
    const reading = $derived(model && readBy(model, text, { beyond, part }))
    $effect.pre(() => {
      const [engine, regarded] = [this.#at?.engine, part]
      untrack(() => engine?.regard(regarded))
    })
    $effect(() => {
      const at = this.#at
      if (!at || !model || !reading || reading.ids.length === 0) return
      untrack(() => void at.runs.run({ model, text, reading, change: unchanged }, clampHead(place(), model.info)))
    })
    $effect(() => this.#at?.runs.checkGone())
    const place = () => now?.place ?? { layer: 0, head: 0 }
    $effect(() => {
      const { run } = this
      if (!run) return
      const to = clampHead(place(), run.model.info)
      if (to.layer !== run.head.layer || to.head !== run.head.head) untrack(() => void this.#at?.runs.readHead(to))
    })
  }

  /** Its newest result; undefined before one. */
  get run(): Run | undefined {
    return this.#at?.runs.latest
  }

  /** What went wrong with it first. */
  get trouble(): Trouble | undefined {
    const { engine, silent, load, run } = this.#at?.engine.troubles ?? {}
    return load ?? run ?? engine ?? silent
  }
}
