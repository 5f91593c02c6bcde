import { untrack } from 'svelte'
import type { BackendChoice, HeadResult, ModelSource, WeightsChoice } from '../engine/protocol/protocol'
import type { Reading } from '../text/reading'
import { type Choice, type HeadPlace, clampHead } from '../viewstate/choice'
import type { Request } from './answers'
import type { EngineState, LoadedModel } from './engine.svelte'
import { readBy, runOf } from './reading'
import { resource, type ValueWithRequest, type Resource } from './resource.svelte'

/** A model, with a text and a head of it. */
export interface SecondModelInput {
  source: ModelSource
  backend: BackendChoice
  weights: WeightsChoice
  text: string
  choice: Pick<Choice, 'beyond' | 'part'>
  place: HeadPlace
}

type HeadRequest = Request<'comparisonHead'> & { model: LoadedModel; text: string; reading: Reading }

/** A head of a second model, in an engine and a worker of its own: they end when there is no input. */
export class SecondModel {
  #active: { engine: EngineState; head: Resource<'comparisonHead', HeadRequest> } | undefined = $state.raw()

  /** Create it while a component is created: it ends with that. `input` gives the same source as long as it means the same model. */
  constructor(first: EngineState, input: () => SecondModelInput | undefined) {
    const present = $derived(input())
    const source = $derived(present?.source)
    const backend = $derived(present?.backend)
    const weights = $derived(present?.weights)
    $effect(() => {
      if (!source || !backend || !weights) return
      const engine = untrack(() => {
        const engine = first.another()
        engine.start(backend, weights)
        engine.load(source)
        return engine
      })
      const text = $derived(present?.text ?? '')
      const beyond = $derived(present?.choice.beyond ?? false)
      const part = $derived(present?.choice.part ?? 'cross')
      const reading = $derived(engine.model && readBy(engine.model, text, { beyond, part }))
      $effect.pre(() => {
        const selected = part
        untrack(() => engine.selectPart(selected))
      })
      const head = resource(engine, 'comparisonHead', (): HeadRequest | undefined => {
        const { model } = engine
        if (!present || present.source !== model?.source || !reading || reading.ids.length === 0) return undefined
        const { layer, head } = clampHead(present.place, model.info)
        return { model, params: { ...runOf({ model, reading, interventions: '' }), layer, head }, text, reading }
      })
      this.#active = { engine, head }
      return () => {
        engine.end()
        this.#active = undefined
      }
    })
  }

  /** The head of the present input, with its request. */
  get head(): ValueWithRequest<HeadRequest, HeadResult> | undefined {
    const head = this.#active?.head
    return head && !head.stale ? head.latest : undefined
  }

  /** Why there is no head. */
  get trouble(): string | undefined {
    if (!this.#active) return undefined
    const { engine, head } = this.#active
    const { load, engine: crash, silent } = engine.troubles
    return (load ?? crash ?? silent)?.().text ?? head.failure?.message
  }
}
