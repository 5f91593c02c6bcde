// How far the picture of a step has moved: by itself once, then by hand.
import { pageMotion, type Motion } from '../../session/walk.svelte'

/** Milliseconds of a movement; the rotation takes its time. */
const duration = { usual: 3000, slow: 7000 }

/** The progress of an open view, which ends with it. */
export function progressOfView(): Progress {
  const progress = new Progress()
  $effect(() => () => progress.set(1))
  return progress
}

export class Progress {
  /** The question that was answered, with its options. */
  question = $state('')
  readonly #motion: Motion
  #at = $state(1)
  #moves = $state(false)
  #cancel = () => {}

  constructor(motion = pageMotion) {
    this.#motion = motion
  }

  /** 0: before the movement; 1: it is done. */
  get at(): number {
    return this.#at
  }

  get moves(): boolean {
    return this.#moves
  }

  /** Moves from the start. Where motion is unwelcome it is done at once. */
  play(isSlow: boolean): void {
    this.set(this.#motion.reduced ? 1 : 0)
    if (this.#motion.reduced) return
    this.#moves = true
    let begin: number | undefined
    const draw = (now: number) => {
      begin ??= now
      const passed = (now - begin) / (isSlow ? duration.slow : duration.usual)
      this.#at = Math.min(1, passed)
      this.#moves = passed < 1
      if (this.#moves) this.#cancel = this.#motion.next(draw)
    }
    this.#cancel = this.#motion.next(draw)
  }

  /** Stops, and goes to a place of the movement. */
  set(at: number): void {
    this.#cancel()
    this.#moves = false
    this.#at = at
  }
}
