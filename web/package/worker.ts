// The package's worker: its files lie beside it.
import { fetchText, serve } from '../engine/serving'
import type { Surface } from '../engine/surface'
import init, * as wasm from '../wasm/ropescope_families.js'

let ready: Promise<void> | undefined

async function begin(): Promise<void> {
  const shaders = navigator.gpu ? fetchText(new URL('./shaders.wgsl', import.meta.url)) : ''
  const [texts] = await Promise.all([
    shaders,
    init({ module_or_path: new URL('./ropescope_families_bg.wasm', import.meta.url) }),
  ])
  wasm.giveShaders(texts)
}

async function surface(): Promise<Surface> {
  await (ready ??= begin())
  return wasm
}

// Adapters are vouched for by the version of the package.
serve(surface, `ropescope@${VERSION}`)
