// The engine's worker: the page's only access to the WASM.

import init, * as wasm from '../../wasm/ropescope.js'
import build from '../../wasm/ropescope_bg.wasm?url'
import { sharedAt } from '../../wasm/ropescope_shared.js'
import shaders from '../../wasm/shaders.wgsl?url'
import plain from '../../wasm/threads_plain.wasm?url'
import relaxed from '../../wasm/threads_relaxed.wasm?url'
import { fetchText, serve } from './serve'
import { start } from '../protocol/sharing'
import type { Surface } from './surface'
import { startThreads } from './threads'

/** The page compiles the module while this worker starts; undefined where that failed. */
let resolveModule: (module: WebAssembly.Module | undefined) => void
const module = new Promise<WebAssembly.Module | undefined>((resolve) => (resolveModule = resolve))

/** Only a browser with WebGPU fetches the shaders. */
const shaderTexts = async () => (navigator.gpu ? fetchText(shaders) : '')

/** Started at once; after a failure the next use of the engine tries again. */
let ready: Promise<Surface> | undefined = begin()
ready.catch(() => (ready = undefined))

async function begin(): Promise<Surface> {
  const started = module.then((module) => start(init, { url: build, sharedAt }, module))
  const [texts, memory] = await Promise.all([shaderTexts(), started])
  wasm.giveShaders(texts)
  return { ...wasm, memory }
}

serve({
  surface: () => (ready ??= begin()),
  // The built file's name contains its hash.
  build: import.meta.env.PROD ? build : undefined,
  threads: (surface) =>
    startThreads(surface, navigator.hardwareConcurrency, {
      relaxed,
      plain,
      spawn: () => new Worker(new URL('./helper.ts', import.meta.url), { type: 'module' }),
    }),
  receiveModule: (module) => resolveModule(module),
})
