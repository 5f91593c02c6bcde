import { modelLink } from '../viewstate/codec'
import type { EngineState } from './engine.svelte'

/** Whether the loaded model is the one to run the text: while the model that the link names is loading, no other one is. */
export class LinkedModel {
  readonly #engine: Pick<EngineState, 'model' | 'troubles'>
  /** The link of the model that alone may run; undefined: any may. */
  #awaited: string | undefined = $state()

  constructor(engine: Pick<EngineState, 'model' | 'troubles'>) {
    this.#engine = engine
    // By itself: other troubles come and go without it.
    const trouble = $derived(engine.troubles.load)
    $effect.root(() => {
      $effect.pre(() => {
        if (trouble) this.release()
      })
    })
  }

  get isLoaded(): boolean {
    const { model } = this.#engine
    return model !== undefined && (this.#awaited === undefined || modelLink(model.source) === this.#awaited)
  }

  /** The link names this model. */
  awaitModel(link: string): void {
    this.#awaited = link
  }

  /** The model that the link names does not come: the loaded one runs the text. */
  release(): void {
    this.#awaited = undefined
  }
}
