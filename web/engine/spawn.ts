import type { WorkerLike } from './client'

let prepared: WorkerLike | undefined

/** Has a worker's code fetched before the page asks for one. */
export function prepareWorker(): void {
  prepared = made()
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
