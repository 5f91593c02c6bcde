import { bytes, sequential } from '../styles/colours'
import type { EngineState } from './engine.svelte'
import { Latest } from './latest.svelte'
import { theme } from '../services/theme.svelte'

/**
 * The colours of the attention maps, from the engine, so that what the page paints looks like what the engine paints. They are asked for as
 * soon as an engine starts: the first map does not wait for them.
 */
export class Palette {
  readonly #table = new Latest<Uint8Array>()

  constructor(engine: EngineState) {
    $effect.root(() => {
      $effect(() => {
        void engine.generation
        void this.#table.ask(() => engine.client.ask('palette', { stops: bytes(sequential[theme.scheme]) }))
      })
    })
  }

  get table(): Uint8Array | undefined {
    return this.#table.value
  }
}
