// Tunes the model's products and attention to the visitor's GPU, while nothing else is asked of the engine.
import { newSlot } from '../engine/client'
import { isFailure } from '../engine/failure'
import type { Gain, ModelInfo, TuningStep } from '../engine/protocol'
import { TunedAdapters, type Tuned } from '../engine/tuned'
import type { EngineState } from './engine.svelte'

/** Models of the same sizes have work of the same classes. */
export function sizesOf(info: ModelInfo): string {
  const { architecture, num_hidden_layers, num_attention_heads, num_key_value_heads } = info
  const { hidden_size, embedding_size, intermediate_size, vocab_size, weights } = info
  const sizes = [num_hidden_layers, num_attention_heads, num_key_value_heads, hidden_size, embedding_size]
  return [architecture, ...sizes, intermediate_size, vocab_size, weights.kept].join(' ')
}

/** What it needs of the engine's state. */
export type Tunable = Pick<EngineState, 'info' | 'adapter' | 'model'> & { client: Pick<EngineState['client'], 'ask'> }

export class Tuning {
  readonly #engine: Tunable
  readonly #slot = newSlot()
  readonly #adapters: TunedAdapters
  #stop: AbortController | undefined
  /** Settles when the trials under way have ended. */
  #ended: Promise<void> = Promise.resolve()
  /** What was told last by trials that are under way. */
  step: TuningStep | undefined = $state.raw()
  running = $state(false)
  /** Of the model that is loaded, once it is known on this adapter. */
  gains: readonly Gain[] | undefined = $state.raw()

  constructor(engine: Tunable, adapters = new TunedAdapters()) {
    this.#engine = engine
    this.#adapters = adapters
  }

  /** Whether the model's forms were tried on this adapter, now or at an earlier visit. */
  recall(): boolean {
    const { adapter, model } = this.#engine
    const known = adapter === undefined ? undefined : this.#adapters.of(adapter)
    this.gains = model && known?.models.find(({ sizes }) => sizes === sizesOf(model.info))?.gains
    return this.gains !== undefined
  }

  /** Ends what is under way; what was found is kept. */
  stop(): void {
    this.#stop?.abort()
  }

  /** Tries forms until all are tried, or it is stopped. anew: those that are known, too. */
  run(anew = false): Promise<void> {
    if (this.#stop?.signal.aborted === false) return this.#ended
    const stop = new AbortController()
    this.#stop = stop
    // What was stopped ends first.
    this.#ended = this.#ended.then(() => this.#try(anew, stop))
    return this.#ended
  }

  /** A form that fails is not taken; an engine that fails says so by itself. */
  async #try(anew: boolean, stop: AbortController): Promise<void> {
    const { info, model, adapter } = this.#engine
    if (info?.backend !== 'gpu' || !model || stop.signal.aborted) {
      stop.abort()
      return
    }
    this.running = true
    if (anew && adapter !== undefined) this.#adapters.put({ adapter, forms: '', models: [] })
    const part = (step: TuningStep) => {
      this.step = step
      this.#keep(step, undefined)
    }
    try {
      const asks = { model: model.version, anew }
      const reply = await this.#engine.client.ask('tune', asks, { part, signal: stop.signal, slot: this.#slot })
      if (reply.status === 'ok') {
        this.#keep(reply.answer, sizesOf(model.info))
        this.gains = reply.answer.gains
      }
    } catch (error) {
      if (!isFailure(error)) throw error
    } finally {
      this.running = false
      this.step = undefined
      // It can be begun again.
      stop.abort()
    }
  }

  /** Remembers forms, and that a model's were all tried. */
  #keep({ forms, gains }: TuningStep, sizes: string | undefined): void {
    const { adapter } = this.#engine
    // What cannot be told from other adapters is not remembered.
    if (adapter === undefined) return
    const before: Tuned = this.#adapters.of(adapter) ?? { adapter, forms: '', models: [] }
    if (sizes === undefined && before.forms === forms) return
    const models = sizes === undefined ? before.models : before.models.filter((model) => model.sizes !== sizes)
    this.#adapters.put({ adapter, forms, models: sizes === undefined ? models : [...models, { sizes, gains }] })
  }
}

const tunings = new WeakMap<EngineState, Tuning>()

/** Tries forms that are not known yet, until what it returns is called. */
export function tuneMeanwhile(engine: EngineState): () => void {
  const tuning = tuningOf(engine)
  if (!tuning.recall()) void tuning.run()
  return () => tuning.stop()
}

/** The page's tuning of this engine. */
export function tuningOf(engine: EngineState): Tuning {
  const tuning = tunings.get(engine) ?? new Tuning(engine)
  tunings.set(engine, tuning)
  return tuning
}
