// Models that several elements show: each is loaded once, and given back when the last that shows it has gone.
import type { Progress } from '../engine'
import type { LoadOptions } from '../load'
import type { Model } from '../model'
import type { Source } from '../source'
import type { ModelWanted } from './attributes'

type Hear = (progress: Progress) => void

interface Held {
  model: Promise<Model>
  stop: AbortController
  /** Who shows it, and hears how it comes. */
  holders: Set<Hear>
}

export class SharedModels {
  readonly #load: (source: Source, options: LoadOptions) => Promise<Model>
  readonly #later: (work: () => void) => void
  readonly #held = new Map<string, Held>()

  /** `later`: an element that is moved in the page goes and comes back at once. */
  constructor(load: (source: Source, options: LoadOptions) => Promise<Model>, later: (work: () => void) => void) {
    this.#load = load
    this.#later = later
  }

  /** The model, and what gives it back, to be called once. */
  hold(wanted: ModelWanted, hear: Hear): { model: Promise<Model>; release: () => void } {
    const name = nameOf(wanted)
    const held = this.#held.get(name) ?? this.#begin(name, wanted)
    // Each holder counts by itself, whatever it was given to hear with.
    const holder: Hear = (progress) => hear(progress)
    held.holders.add(holder)
    return {
      model: held.model,
      release: () => {
        held.holders.delete(holder)
        this.#later(() => this.#end(name, held))
      },
    }
  }

  #begin(name: string, { source, backend, worker }: ModelWanted): Held {
    const [holders, stop] = [new Set<Hear>(), new AbortController()]
    const model = this.#load(source, {
      backend,
      onProgress: (progress) => holders.forEach((hear) => hear(progress)),
      signal: stop.signal,
      ...(worker === undefined ? {} : { worker }),
    })
    const held = { model, stop, holders }
    this.#held.set(name, held)
    // Whoever asks next tries again.
    model.catch(() => this.#forget(name, held))
    return held
  }

  #end(name: string, held: Held): void {
    if (held.holders.size > 0) return
    this.#forget(name, held)
    held.stop.abort()
    held.model.then(
      (model) => model.dispose(),
      () => {},
    )
  }

  #forget(name: string, held: Held): void {
    if (this.#held.get(name) === held) this.#held.delete(name)
  }
}

/** The same for elements that show the same model. */
export const nameOf = ({ source, backend, worker }: ModelWanted): string => JSON.stringify([source, backend, worker])
