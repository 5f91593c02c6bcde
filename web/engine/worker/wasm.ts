// Starts the engine's WASM, in the workers of the page and of the package.
import { start } from '../protocol/sharing'
import init, * as wasm from '../../wasm/ropescope.js'
import { sharedAt } from '../../wasm/ropescope_shared.js'
import type { Surface } from './surface'

export interface WasmFiles {
  wasm: string | URL
  /** Fetched only by a browser with WebGPU. */
  shaders: string | URL
}

/** @param compiled the module, if the page compiles it while the worker starts */
export async function startWasm(
  files: WasmFiles,
  compiled?: Promise<WebAssembly.Module | undefined>,
): Promise<Surface> {
  const [shaders, memory] = await Promise.all([
    navigator.gpu ? fetchText(files.shaders) : '',
    Promise.resolve(compiled).then((module) => start(init, { url: files.wasm, sharedAt }, module)),
  ])
  wasm.giveShaders(shaders)
  return { ...wasm, memory }
}

async function fetchText(url: string | URL): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}
