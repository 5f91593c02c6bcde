// The package's worker: its files lie beside it.
import { fetchText, serve } from '../engine/serving'
import { start } from '../engine/sharing'
import type { Surface } from '../engine/surface'
import init, * as wasm from '../wasm/ropescope_families.js'

let ready: Promise<Surface> | undefined

async function begin(): Promise<Surface> {
  const shaders = navigator.gpu ? fetchText(new URL('./shaders.wgsl', import.meta.url)) : ''
  const module = new URL('./ropescope_families_bg.wasm', import.meta.url)
  const [texts, memory] = await Promise.all([shaders, start(init, module, wasm.sharedAt)])
  wasm.giveShaders(texts)
  return { ...wasm, memory }
}

function surface(): Promise<Surface> {
  return (ready ??= begin())
}

// Adapters are vouched for by the version of the package.
serve(surface, `ropescope@${VERSION}`)
