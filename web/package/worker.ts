// The package's worker. Its files lie in the same folder.
import { serve, startWasm } from '../engine/worker/serve'
import type { Surface } from '../engine/worker/handler'
import { startThreads } from '../engine/worker/kernels'

/** Of the package: package/bundle.js puts it in. */
declare const VERSION: string

let ready: Promise<Surface> | undefined

serve({
  surface: () =>
    (ready ??= startWasm({
      wasm: new URL('./ropescope_bg.wasm', import.meta.url),
      shaders: new URL('./shaders.wgsl', import.meta.url),
    })),
  // An adapter that passed the check is remembered for this version of the package.
  build: `ropescope@${VERSION}`,
  threads: (surface, helpers) =>
    startThreads(
      surface,
      navigator.hardwareConcurrency,
      {
        relaxed: new URL('./threads_relaxed.wasm', import.meta.url),
        plain: new URL('./threads_plain.wasm', import.meta.url),
      },
      helpers,
    ),
})
