// The page's threads: fetched where it is isolated, behind the first result.

import plain from '../../wasm/threads_plain.wasm?url'
import relaxed from '../../wasm/threads_relaxed.wasm?url'
import type { Surface } from './surface'
import { startThreads } from './threads'

export function pageThreads(surface: Surface): Promise<number> {
  return startThreads(surface, navigator.hardwareConcurrency, {
    relaxed,
    plain,
    spawn: () => new Worker(new URL('./helper.ts', import.meta.url), { type: 'module' }),
  })
}
