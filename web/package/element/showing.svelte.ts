// What one element shows: the map of its head, or how far it is, or why there is none.
import { untrack } from 'svelte'
import { bytes } from '../../styles/colours'
import type { Numbers } from '../../charts/attention-map/mapState.svelte'
import { said } from '../../i18n/ropeAttention'
import { asError } from '../errors'
import type { Model } from '../model'
import { nameOf, type SharedModels } from './models'
import type { Asked } from './attributes'
import { stopsOn, type Ground } from './colours'

export class Showing {
  #model = $state.raw<Model>()
  #failed = $state('')
  /** Of the largest file that is on its way, 0 … 1; undefined: not known. */
  part = $state<number>()
  numbers = $state.raw<Numbers>()
  /** 256 × 3 sRGB bytes, as the engine has them. */
  palette = $state.raw<Uint8Array>()

  /** `asked`: what is wanted, or a sentence that says what is wrong with it. */
  constructor(asked: () => Asked | string, ground: () => Ground, models: SharedModels) {
    const wanted = $derived(asked())
    // By its name: another text or head is no other model.
    const name = $derived(typeof wanted === 'string' ? undefined : nameOf(wanted.model))
    $effect(() => {
      const now = untrack(() => wanted)
      if (name === undefined || typeof now === 'string') return
      return this.#hold(models, now)
    })
    $effect(() => {
      const model = this.#model
      if (!model || typeof wanted === 'string') return
      return this.#follow(
        (signal) => run(model, wanted, signal),
        (numbers) => this.#use(numbers),
      )
    })
    $effect(() => {
      const model = this.#model
      const stops = bytes(stopsOn(ground()))
      if (!model) return
      const asks = (signal: AbortSignal) => model.ask('palette', { stops }, { signal })
      return this.#follow(asks, (palette) => (this.palette = palette))
    })
    this.#wrong = () => (typeof wanted === 'string' ? wanted : '')
  }

  readonly #wrong: () => string

  /** Of the model, and what runs it; empty while there is none. */
  get name(): string {
    const model = this.#model
    return model ? said.runs(model.info.name, model.engine?.backend ?? 'cpu') : ''
  }

  /** Why there is no map; empty where there is one, or one is on its way. */
  get problem(): string {
    return this.#wrong() || this.#failed
  }

  /** What is waited for, in words. */
  get waiting(): string {
    if (this.problem || this.numbers) return ''
    return this.#model ? said.running : said.loading
  }

  #hold(models: SharedModels, { model: wanted }: Asked): () => void {
    let current = true
    this.#failed = ''
    const { model, release } = models.hold(wanted, ({ loaded, total }) => {
      if (current) this.part = total > 0 ? loaded / total : undefined
    })
    model.then(
      (model) => current && (this.#model = model),
      (reason) => current && this.#fail(reason),
    )
    return () => {
      current = false
      this.#model = undefined
      this.numbers = undefined
      release()
    }
  }

  /** What is asked of the model, until something else is. */
  #follow<T>(ask: (signal: AbortSignal) => Promise<T>, use: (answer: T) => void): () => void {
    const stop = new AbortController()
    ask(stop.signal).then(
      (answer) => {
        if (!stop.signal.aborted) use(answer)
      },
      (reason) => stop.signal.aborted || this.#fail(reason),
    )
    return () => stop.abort()
  }

  #use(numbers: Numbers): void {
    this.#failed = ''
    this.numbers = numbers
  }

  #fail(reason: unknown): void {
    this.numbers = undefined
    this.#failed = said.failed(asError(reason).message)
  }
}

async function run(model: Model, { text, layer, head, part }: Asked, signal: AbortSignal): Promise<Numbers> {
  const { tokens: names, weights, causal } = await model.attention(text, { layer, head, part, signal })
  const subject = { mean: 'head', layer, head, count: 1 } as const
  const [values, linear] = [weights.data, model.info.attention !== 'softmax']
  return { subject, kind: 'weight', values, weights: values, names, causal, linear }
}
