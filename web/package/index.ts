// The npm package: a small transformer in a worker of a page.
import { provideHelpers } from '../engine/client/helpers'
import { loader } from './load'

/**
 * Loads a model from a folder's address, from files, or from `{ hub: 'owner/name' }`. @throws {RopescopeError}, or the signal's reason where it
 * was aborted.
 */
export const load = loader({
  // Bundlers find the workers by these expressions.
  spawn: (worker) =>
    worker === undefined
      ? provideHelpers(
          new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
          () => new Worker(new URL('./helper.js', import.meta.url), { type: 'module' }),
        )
      : provideHelpers(
          new Worker(worker, { type: 'module' }),
          () => new Worker(new URL('helper.js', new URL(worker, document.baseURI)), { type: 'module' }),
        ),
  base: () => document.baseURI,
})

export type * from './types'
export { RopescopeError } from './errors'
