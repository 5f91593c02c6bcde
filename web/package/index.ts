// The npm package: a small model with rotary position embedding in a page, in a worker of its own.
import { loader } from './load'

/**
 * Loads a model: the address of a folder, its files, or `{ hub: 'owner/name' }`. @throws {RopescopeError}; the signal's reason where it was
 * aborted.
 */
export const load = loader({
  // Written so that bundlers find the worker.
  spawn: (worker) =>
    worker === undefined
      ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
      : new Worker(worker, { type: 'module' }),
  base: () => document.baseURI,
})

export type * from './types'
export { RopescopeError } from './errors'
