// An element's state: the map of its head, or the progress of loading, or why there is no map. Its colours follow the
// background that it lies on.
import { untrack } from 'svelte'
import { bytes, rgb, sequential, type Scheme } from '../../styles/colours'
import type { Numbers } from '../../charts/attention-map/mapState.svelte'
import { extentOf, greatest, headMap, type MapCell, rowOf } from '../../charts/attention-map/model'
import { elementMessages as messages } from '../messages.en'
import { asError } from '../errors'
import type { Model } from '../model'
import { nameOf, type SharedModels } from './models'
import type { MapRequest } from './attributes'

export class ElementState {
  #model = $state.raw<Model>()
  #failure = $state('')
  /** The part of the current file that has loaded, 0 … 1; undefined where it is unknown. */
  progress = $state<number>()
  numbers = $state.raw<Numbers>()
  /** 256 × 3 sRGB bytes. */
  palette = $state.raw<Uint8Array>()

  /** @param request what the attributes ask for, or a sentence that says what is wrong with them */
  constructor(request: () => MapRequest | string, background: () => Background, models: SharedModels) {
    const current = $derived(request())
    // A name, so that another text or head of the same model loads nothing.
    const name = $derived(typeof current === 'string' ? undefined : nameOf(current.model))
    $effect(() => {
      const first = untrack(() => current)
      if (name === undefined || typeof first === 'string') return
      return this.#load(models, first)
    })
    $effect(() => {
      const model = this.#model
      if (!model || typeof current === 'string') return
      return this.#follow(
        (signal) => run(model, current, signal),
        (numbers) => {
          this.#failure = ''
          this.numbers = numbers
        },
      )
    })
    $effect(() => {
      const model = this.#model
      const stops = bytes(stopsOn(background()))
      if (!model) return
      const ask = (signal: AbortSignal) => model.ask('palette', { stops }, { signal })
      return this.#follow(ask, (palette) => (this.palette = palette))
    })
    this.#mistake = () => (typeof current === 'string' ? current : '')
  }

  /** What is wrong with the attributes. */
  readonly #mistake: () => string

  /** The model's name and backend; empty while there is no model. */
  get name(): string {
    const model = this.#model
    return model ? messages.runs(model.info.name, model.engine?.backend ?? 'cpu') : ''
  }

  /** Why there is no map; empty where there is one, or while it loads. */
  get problem(): string {
    return this.#mistake() || this.#failure
  }

  /** What the element is doing before there is a map. */
  get activity(): string {
    if (this.problem || this.numbers) return ''
    return this.#model ? messages.running : messages.loading
  }

  #load(models: SharedModels, { model: request }: MapRequest): () => void {
    let current = true
    this.#failure = ''
    const { model, release } = models.acquire(request, ({ loaded, total }) => {
      if (current) this.progress = total > 0 ? loaded / total : undefined
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

  /** Uses the answer, unless the caller ends it before. @returns what ends it */
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

  #fail(reason: unknown): void {
    this.numbers = undefined
    this.#failure = messages.failed(asError(reason).message)
  }
}

async function run(model: Model, { text, layer, head, part }: MapRequest, signal: AbortSignal): Promise<Numbers> {
  const { tokens: names, weights, causal, source } = await model.attention(text, { layer, head, part, signal })
  const subject = { mean: 'head', layer, head, count: 1 } as const
  const [values, linear] = [weights.data, model.info.attention !== 'softmax']
  return { subject, kind: 'weight', values, weights: values, names, causal, source, linear }
}

/** Where the cursor is before a visitor moves it: the requested cell, else the second token and the key with its greatest weight. */
export function firstCursor(
  { values, names, causal, source }: Pick<Numbers, 'values' | 'names' | 'causal' | 'source'>,
  requested: Partial<MapCell>,
): MapCell {
  const map = headMap({ values, names, causal, source })
  const { queries, keys } = extentOf(map)
  const first = source ?? 0
  const row = Math.max(0, Math.min((requested.query ?? first + 1) - first, queries - 1))
  const [most] = greatest(rowOf(map, row), 1)
  return { query: first + row, key: Math.min(requested.key ?? most?.key ?? 0, keys - 1) }
}

export interface Background {
  scheme: Scheme
  /** #rrggbb */
  card: string
}

/** @param rgb sRGB bytes */
export function backgroundOf([red, green, blue]: readonly [number, number, number]): Background {
  const card = `#${[red, green, blue].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  return { scheme: 0.299 * red + 0.587 * green + 0.114 * blue < 128 ? 'dark' : 'light', card }
}

/** Stops of the weights' colours. A weight of 0 has the background's colour. */
export const stopsOn = ({ scheme, card }: Background): string[] => [card, ...sequential[scheme].slice(1)]

/** A computed CSS colour as sRGB bytes. */
export function bytesOf(colour: string): [number, number, number] {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return rgb(sequential.light[0])
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}
