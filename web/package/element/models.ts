// Models that several elements share: each is loaded once, and disposed of with its last element.
import type { Progress } from '../engine'
import type { LoadOptions, Source } from '../load'
import type { Model } from '../model'
import type { ModelRequest } from './attributes'

type OnProgress = (progress: Progress) => void

interface SharedModel {
  model: Promise<Model>
  stop: AbortController
  /** One for each element. */
  users: Set<OnProgress>
}

export class SharedModels {
  readonly #loadModel: (source: Source, options: LoadOptions) => Promise<Model>
  readonly #later: (work: () => void) => void
  readonly #models = new Map<string, SharedModel>()

  /** @param later runs work after the current task: an element that moves in the page is disconnected and connected again at once */
  constructor(load: (source: Source, options: LoadOptions) => Promise<Model>, later: (work: () => void) => void) {
    this.#loadModel = load
    this.#later = later
  }

  /** The model, and the function that releases it, to be called once. */
  acquire(request: ModelRequest, onProgress: OnProgress): { model: Promise<Model>; release: () => void } {
    const name = nameOf(request)
    const shared = this.#models.get(name) ?? this.#load(name, request)
    // A function of its own: two elements may pass the same one.
    const user: OnProgress = (progress) => onProgress(progress)
    shared.users.add(user)
    return {
      model: shared.model,
      release: () => {
        shared.users.delete(user)
        this.#later(() => this.#end(name, shared))
      },
    }
  }

  #load(name: string, { source, backend, weights, worker }: ModelRequest): SharedModel {
    const [users, stop] = [new Set<OnProgress>(), new AbortController()]
    const model = this.#loadModel(source, {
      backend,
      weights,
      onProgress: (progress) => users.forEach((user) => user(progress)),
      signal: stop.signal,
      ...(worker === undefined ? {} : { worker }),
    })
    const shared = { model, stop, users }
    this.#models.set(name, shared)
    // The next element tries again.
    model.catch(() => this.#forget(name, shared))
    return shared
  }

  #end(name: string, shared: SharedModel): void {
    if (shared.users.size > 0) return
    this.#forget(name, shared)
    shared.stop.abort()
    shared.model.then(
      (model) => model.dispose(),
      () => {},
    )
  }

  #forget(name: string, shared: SharedModel): void {
    if (this.#models.get(name) === shared) this.#models.delete(name)
  }
}

/** Equal for elements that share a model. */
export const nameOf = ({ source, backend, weights, worker }: ModelRequest): string =>
  JSON.stringify([source, backend, weights, worker])
