// The package's worker. Its files lie in the same folder.
import { fetchText, serve } from '../engine/worker/serve'
import { start } from '../engine/protocol/sharing'
import type { Surface } from '../engine/worker/surface'
import { startThreads } from '../engine/worker/threads'
import init, * as wasm from '../wasm/ropescope.js'
import { sharedAt } from '../wasm/ropescope_shared.js'

let ready: Promise<Surface> | undefined

async function begin(): Promise<Surface> {
  const shaders = navigator.gpu ? fetchText(new URL('./shaders.wgsl', import.meta.url)) : ''
  const url = new URL('./ropescope_bg.wasm', import.meta.url)
  const [texts, memory] = await Promise.all([shaders, start(init, { url, sharedAt })])
  wasm.giveShaders(texts)
  return { ...wasm, memory }
}

function surface(): Promise<Surface> {
  return (ready ??= begin())
}

serve({
  surface,
  // An adapter that passed the check is remembered for this version of the package.
  build: `ropescope@${VERSION}`,
  threads: (surface) =>
    startThreads(surface, navigator.hardwareConcurrency, {
      relaxed: new URL('./threads_relaxed.wasm', import.meta.url),
      plain: new URL('./threads_plain.wasm', import.meta.url),
      spawn: () => new Worker(new URL('./helper.js', import.meta.url), { type: 'module' }),
    }),
})
