// The worker that holds the engine: the page's only door to the WASM.

import init, * as wasm from '../wasm/ropescope.js'
import build from '../wasm/ropescope_bg.wasm?url'
import shaders from '../wasm/shaders.wgsl?url'
import { fetchText, serve } from './serving'
import type { Surface } from './surface'

/** Fetched and compiled while the page is still being made; what fails is tried again when the engine is asked for. */
let ready: Promise<void> | undefined = begin()
ready.catch(() => (ready = undefined))

/** The shaders are a file of their own: only a browser with WebGPU fetches it. */
async function begin(): Promise<void> {
  const [texts] = await Promise.all([navigator.gpu ? fetchText(shaders) : '', init()])
  wasm.giveShaders(texts)
}

async function surface(): Promise<Surface> {
  await (ready ??= begin())
  return wasm
}

// A built page names the file by what is in it.
serve(surface, import.meta.env.PROD ? build : undefined)
