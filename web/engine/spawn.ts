import type { WorkerLike } from './client'
import type { ModelSource } from './protocol'

let prepared: WorkerLike | undefined

/** Starts a worker before the page asks for one, and has it ask for the files of the model that the page will want. */
export function prepareWorker(source: ModelSource | undefined): void {
  prepared = made()
  if (source) prepared.postMessage({ type: 'expect', source })
}

/** A worker with an engine in it: the prepared one the first time, then a new one. */
export function spawnWorker(): WorkerLike {
  const worker = prepared ?? made()
  prepared = undefined
  return worker
}

function made(): WorkerLike {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'ropescope engine' })
}
