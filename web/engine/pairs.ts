// The module that runs encoder–decoders, too: fetched when one is opened.
import init, * as wasm from '../wasm/ropescope_pairs.js'
import type { Surface } from './surface'

/** `shaders`: their texts, none where there is no WebGPU. */
export async function startPairs(shaders: string): Promise<Surface> {
  await init()
  wasm.giveShaders(shaders)
  return wasm
}
