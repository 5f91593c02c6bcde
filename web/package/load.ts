import type { WorkerLike } from '../engine/client/client'
import type { BackendChoice } from '../engine/protocol/protocol'
import type { WeightsChoice } from '../engine/protocol/weights'
import { Engine, type Progress } from './engine'
import type { CutWords } from '../text/chineseWords'
import { asError } from './errors'
import { Model } from './model'
import { sourceOfModel, type Source } from './source'

export interface LoadOptions {
  /** `auto`, as unless told: a hardware GPU where there is one, else the CPU. */
  backend?: BackendChoice
  /** How matrices are kept; `auto`, as unless told: the most exact way that fits into memory. */
  weights?: WeightsChoice
  onProgress?: (progress: Progress) => void
  /** Stops loading. */
  signal?: AbortSignal
  /** Of a model whose vocabulary is of Chinese words: cuts a text into words, one after the other, nothing left out, as jieba's `cut` does. */
  cutWords?: CutWords
  /** Where the worker lies, if not beside the package's code: its own files lie beside it. */
  worker?: string | URL
}

/** What of its surroundings it needs: a page's, or Node's. */
export interface Surroundings {
  spawn(worker: string | URL | undefined): WorkerLike
  /** What the addresses of folders are relative to. */
  base(): string
  /** Other kinds of addresses than those that are fetched. */
  read?(source: Source): Promise<Source>
}

/** Loads models in these surroundings. */
export function loader({ spawn, base, read }: Surroundings) {
  return async (source: Source, options: LoadOptions = {}): Promise<Model> => {
    const { backend = 'auto', weights = 'auto', onProgress, signal, worker, cutWords } = options
    signal?.throwIfAborted()
    const engine = new Engine(() => spawn(worker), { backend, weights, onProgress, cutWords })
    try {
      const found = read ? await read(source) : source
      const held = await engine.load(await sourceOfModel(found, base(), { onProgress, signal }), signal)
      return new Model(engine, held)
    } catch (reason) {
      const failed = asError(reason)
      engine.end(failed)
      signal?.throwIfAborted()
      throw failed
    }
  }
}
