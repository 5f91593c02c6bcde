// The module that runs every family: fetched when a model of another than RoFormer is opened.
import init, * as wasm from '../wasm/ropescope_families.js'
import type { Surface } from './surface'

/** `shaders`: their texts, none where there is no WebGPU. */
export async function startFamilies(shaders: string): Promise<Surface> {
  await init()
  wasm.giveShaders(shaders)
  return wasm
}
