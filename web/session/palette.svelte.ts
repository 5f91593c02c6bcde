import { theme } from '../services/theme.svelte'
import { bytes, sequential } from '../styles/colours'
import type { EngineState } from './engine.svelte'
import { resource, type Resource } from './resource.svelte'

/** The colours of attention maps, computed by the engine, which paints thumbnails by the same. Requested when an engine starts. */
export class Palette {
  #colours: Resource<'palette'> | undefined

  constructor(engine: EngineState) {
    $effect.root(() => {
      this.#colours = resource(engine, 'palette', () => ({ params: { stops: bytes(sequential[theme.scheme]) } }))
    })
  }

  /** 256 sRGB colours, (256, 3); undefined until the first ones are computed. */
  get table(): Uint8Array | undefined {
    return this.#colours?.latest?.value
  }
}
