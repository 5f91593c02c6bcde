import type { ModelSource } from '../protocol/protocol'
import { openSource, type IncomingModel, type Progress } from '../protocol/source'

/** A model's files, asked for before the page says that it wants the model. */
export class Expected {
  readonly #source: ModelSource
  readonly #incoming: IncomingModel
  readonly #abort = new AbortController()
  /** What was told of each file while nobody heard of it. */
  readonly #told = new Map<string, Parameters<Progress>>()
  #progress: Progress | undefined

  constructor(source: ModelSource) {
    this.#source = source
    this.#incoming = openSource(source, (...told) => this.#tell(told), this.#abort.signal)
  }

  /** The files, if they are those of this model; else they are let go. */
  take(source: ModelSource, progress: Progress, signal: AbortSignal): IncomingModel | undefined {
    if (source.kind !== 'url' || this.#source.kind !== 'url' || source.base !== this.#source.base) {
      this.#abort.abort()
      return undefined
    }
    signal.addEventListener('abort', () => this.#abort.abort())
    this.#progress = progress
    for (const told of this.#told.values()) progress(...told)
    return this.#incoming
  }

  #tell(told: Parameters<Progress>): void {
    if (this.#progress) this.#progress(...told)
    else this.#told.set(told[0], told)
  }
}
