// The worker that holds the engine: the page's only door to the WASM.

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

/** The page compiles the module while this worker starts; undefined where it could not. */
let resolveModule: (module: WebAssembly.Module | undefined) => void
const module = new Promise<WebAssembly.Module | undefined>((resolve) => (resolveModule = resolve))

/** The shaders are a file of their own: only a browser with WebGPU fetches it. */
const shaderTexts = async () => (navigator.gpu ? fetchText(shaders) : '')

/** Started while the page is still being made; what fails is tried again when the engine is asked for. */
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
  // A built page names the file by what is in it.
  build: import.meta.env.PROD ? build : undefined,
  threads: (surface) =>
    startThreads(surface, navigator.hardwareConcurrency, {
      relaxed,
      plain,
      spawn: () => new Worker(new URL('./helper.ts', import.meta.url), { type: 'module' }),
    }),
  receiveModule: (module) => resolveModule(module),
})
