// The npm package: a small transformer in a worker of a page.
import { loader } from './load'

/**
 * Loads a model from a folder's address, from files, or from `{ hub: 'owner/name' }`. @throws {RopescopeError}, or the signal's reason where it
 * was aborted.
 */
export const load = loader({
  // Bundlers find the worker by this expression.
  spawn: (worker) =>
    worker === undefined
      ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
      : new Worker(worker, { type: 'module' }),
  base: () => document.baseURI,
})

export type * from './types'
export { RopescopeError } from './errors'
