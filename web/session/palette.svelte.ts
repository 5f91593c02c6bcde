import { theme } from '../services/theme.svelte'
import { bytes, sequential } from '../styles/colours'
import type { EngineState } from './engine.svelte'
import { resource, type Resource } from './resource.svelte'

/**
 * The colours of attention maps. The engine computes them, so that the page paints as the engine does. They are requested as soon as an
 * engine starts: the first map does not wait for them.
 */
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
