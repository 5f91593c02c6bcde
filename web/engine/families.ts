// The module that runs every family: fetched when a model of another than RoFormer is opened.
import init, * as wasm from '../wasm/ropescope_families.js'
import module from '../wasm/ropescope_families_bg.wasm?url'
import { sharedAt } from '../wasm/ropescope_families_shared.js'
import { start } from './sharing'
import type { Surface } from './surface'

/** `shaders`: their texts, none where there is no WebGPU. */
export async function startFamilies(shaders: string): Promise<Surface> {
  const memory = await start(init, { url: module, sharedAt })
  wasm.giveShaders(shaders)
  return { ...wasm, memory }
}
