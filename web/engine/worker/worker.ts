// The engine's worker: the page's only access to the WASM.

import build from '../../wasm/ropescope_bg.wasm?url'
import shaders from '../../wasm/shaders.wgsl?url'
import plain from '../../wasm/threads_plain.wasm?url'
import relaxed from '../../wasm/threads_relaxed.wasm?url'
import { serve, startWasm } from './serve'
import type { Surface } from './handler'
import { startThreads } from './kernels'

/** The page compiles the module while this worker starts; undefined where that failed. */
let resolveModule: (module: WebAssembly.Module | undefined) => void
const compiled = new Promise<WebAssembly.Module | undefined>((resolve) => (resolveModule = resolve))

const begin = () => startWasm({ wasm: build, shaders }, compiled)
/** Started at once; after a failure the next use of the engine tries again. */
let ready: Promise<Surface> | undefined = begin()
ready.catch(() => (ready = undefined))

serve({
  surface: () => (ready ??= begin()),
  // The built file's name contains its hash.
  build: import.meta.env.PROD ? build : undefined,
  threads: (surface, helpers) => startThreads(surface, navigator.hardwareConcurrency, { relaxed, plain }, helpers),
  receiveModule: (module) => resolveModule(module),
})
