import build from '../../wasm/ropescope_bg.wasm?url'
import { sharedAt } from '../../wasm/ropescope_shared.js'
import type { WorkerLike } from './client'
import type { Compiled } from '../protocol/messages'
import type { ModelSource } from '../protocol/protocol'
import { compile } from '../protocol/sharing'

/** Compiled once for all workers, while the first one starts. */
let module: Promise<WebAssembly.Module | undefined> | undefined

let preparedWorker: WorkerLike | undefined

/** Starts a worker before the page asks for one, and has it ask for the files of the model that the page will want. */
export function prepareWorker(source: ModelSource | undefined): void {
  preparedWorker = createWorker()
  if (source) preparedWorker.postMessage({ type: 'prefetch', source })
}

/** A worker with an engine in it: the prepared one the first time, then a new one. */
export function spawnWorker(): WorkerLike {
  const worker = preparedWorker ?? createWorker()
  preparedWorker = undefined
  return worker
}

function createWorker(): WorkerLike {
  const worker = new Worker(new URL('../worker/worker.ts', import.meta.url), {
    type: 'module',
    name: 'ropescope engine',
  })
  module ??= compile({ url: build, sharedAt }).catch(() => undefined)
  void module.then((module) => worker.postMessage({ type: 'module', module } satisfies Compiled))
  return worker
}
