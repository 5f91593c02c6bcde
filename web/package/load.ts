// Loads a model from a folder's address, from files, or from the hub. The two platforms, a page and Node, differ in where a worker and files come from.
import type { WorkerLike } from '../engine/client/client'
import type { BackendChoice, WeightsChoice, ModelSource } from '../engine/protocol/protocol'
import { Engine, type Progress } from './engine'
import type { CutWords } from '../text/chineseWords'
import { asError } from './errors'
import { Model } from './model'
import { configName } from '../engine/protocol/folder'
import type { FetchOptions } from './hub'

export interface LoadOptions {
  /** By default `auto`: a hardware GPU where there is one, else the CPU. */
  backend?: BackendChoice
  /** The format of the weights in memory. By default `auto`: the most exact one that fits. */
  weights?: WeightsChoice
  /** Called while files load. */
  onProgress?: (progress: Progress) => void
  /** Stops loading. */
  signal?: AbortSignal
  /** Splits a text into words, without gaps, as jieba's `cut` does. Only a model with a vocabulary of Chinese words needs it. */
  cutWords?: CutWords
  /** The address of worker.js. By default it lies in the package's folder, as the worker's own files do. */
  worker?: string | URL
}

interface Platform {
  spawn(worker: string | URL | undefined): WorkerLike
  /** The address that folders' addresses are relative to. */
  base(): string
  /** Reads sources that cannot be fetched. */
  read?(source: Source): Promise<Source>
}

export function loader({ spawn, base, read }: Platform) {
  return async (source: Source, options: LoadOptions = {}): Promise<Model> => {
    const { backend = 'auto', weights = 'auto', onProgress, signal, worker, cutWords } = options
    signal?.throwIfAborted()
    const engine = new Engine(() => spawn(worker), { backend, weights, onProgress, cutWords })
    try {
      const readable = read ? await read(source) : source
      const model = await engine.load(await sourceOfModel(readable, base(), { onProgress, signal }), signal)
      return new Model(engine, model)
    } catch (reason) {
      const failure = asError(reason)
      engine.end(failure)
      signal?.throwIfAborted()
      throw failure
    }
  }
}

/** A model of huggingface.co: "owner/name", or "owner/name@revision". */
export interface OnHub {
  hub: string
}

export type Source = string | URL | readonly File[] | OnHub

/** @param base the address that `source` may be relative to. @throws {Failure} */
async function sourceOfModel(source: Source, base: string, options: FetchOptions): Promise<ModelSource> {
  if (typeof source === 'string' || source instanceof URL) {
    const folder = new URL(source, base)
    if (!folder.pathname.endsWith('/')) folder.pathname += '/'
    return { kind: 'url', base: folder.href, name: nameOf(folder.pathname) }
  }
  if ('hub' in source) return (await import('./hub')).fromHub(source.hub, options)
  const config = source.find(({ name }) => name === configName)
  return { kind: 'files', files: [...source], name: nameOf(folderOf(config)) }
}

/** A File of Node has no `webkitRelativePath`. */
const folderOf = (file: (Omit<File, 'webkitRelativePath'> & { webkitRelativePath?: string }) | undefined) =>
  (file?.webkitRelativePath ?? '').replace(configName, '')

const nameOf = (path: string) => decodeURIComponent(path.split('/').filter(Boolean).at(-1) ?? 'model')
