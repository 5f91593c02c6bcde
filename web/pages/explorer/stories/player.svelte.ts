// The story on show, and its caption.
import type { Bench } from '../../../session/bench.svelte'
import { replaced, sceneAt, type Scene, type Story } from './story'

export class Player {
  readonly #bench: Bench
  readonly #phone: () => boolean
  #open: { story: Story; at: number } | undefined = $state.raw()
  /** Undefined while there is none. */
  readonly now: { story: Story; at: number; scene: Scene } | undefined = $derived.by(() => {
    const open = this.#bench.isAway ? this.#open : undefined
    return open && { ...open, scene: sceneAt(open.story, open.at, this.#phone()) }
  })

  constructor(bench: Bench, phone: () => boolean) {
    this.#bench = bench
    this.#phone = phone
  }

  begin(story: Story): void {
    this.#bench.walk.stop()
    this.#show(story, 0)
  }

  /** Shows a later caption, or an earlier one, as far as there are some. */
  turn(by: number): void {
    const { now } = this
    if (now) this.#show(now.story, Math.min(Math.max(now.at + by, 0), now.story.captions.length - 1))
  }

  /** All is as it was before the story. */
  end(): void {
    this.#bench.comeHome()
  }

  /** Ends where the visitor has written another text or loaded another model: these stay. */
  follow(): void {
    const { now } = this
    const changed = now ? replaced(now.scene, this.#bench.choice) : {}
    if (Object.keys(changed).length > 0) this.#bench.comeHome(changed)
  }

  #show(story: Story, at: number): void {
    this.#open = { story, at }
    this.#bench.walk.stop()
    this.#bench.visit(sceneAt(story, at, this.#phone()))
  }
}
