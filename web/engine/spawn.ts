import type { WorkerLike } from './client'

/** A new worker with an engine in it. */
export function spawnWorker(): WorkerLike {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'ropescope engine' })
}
