import { modelLink } from '../viewstate/codec'
import type { EngineState } from './engine.svelte'

/** Whether the loaded model is the one to run the text: while another one, which the link names, is on its way, it is not. */
export class LinkedModel {
  readonly #engine: Pick<EngineState, 'model' | 'troubles'>
  /** The version of a loaded model that the link no longer names. */
  #former: number | undefined = $state()

  constructor(engine: Pick<EngineState, 'model' | 'troubles'>) {
    this.#engine = engine
    $effect.root(() => {
      $effect.pre(() => {
        if (engine.troubles.load) this.keep()
      })
    })
  }

  get isLoaded(): boolean {
    const { model } = this.#engine
    return model !== undefined && model.version !== this.#former
  }

  /** The link names this model. */
  name(link: string): void {
    const { model } = this.#engine
    this.#former = model && modelLink(model.source) !== link ? model.version : undefined
  }

  /** The model that the link names does not come: the loaded one runs the text. */
  keep(): void {
    this.#former = undefined
  }
}
