import build from '../../wasm/ropescope_bg.wasm?url'
import { sharedAt } from '../../wasm/ropescope_shared.js'
import type { WorkerLike } from './client'
import { provideHelpers } from './helpers'
import type { ModuleMessage } from '../protocol/messages'
import type { ModelSource } from '../protocol/protocol'
import { compile } from '../protocol/sharing'

/** Compiled once, for all workers. */
let module: Promise<WebAssembly.Module | undefined> | undefined

let preparedWorker: WorkerLike | undefined

/** Starts a worker ahead of its first use; it fetches the files of this model. */
export function prepareWorker(source: ModelSource | undefined): void {
  preparedWorker = createWorker()
  if (source) preparedWorker.postMessage({ type: 'prefetch', source })
}

/** The prepared worker at the first call, then a new one. */
export function spawnWorker(): WorkerLike {
  const worker = preparedWorker ?? createWorker()
  preparedWorker = undefined
  return worker
}

function createWorker(): WorkerLike {
  const worker = provideHelpers(
    new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'ropescope engine' }),
    () => new Worker(new URL('../worker/helper.ts', import.meta.url), { type: 'module', name: 'ropescope helper' }),
  )
  module ??= compile({ url: build, sharedAt }).catch(() => undefined)
  void module.then((module) => worker.postMessage({ type: 'module', module } satisfies ModuleMessage))
  return worker
}
