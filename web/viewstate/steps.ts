// What was chosen and typed, to be undone and done again: plain data, no signals.

/** So many steps are kept. */
const most = 200

/** States, the newest last; those that were undone stay until something else is chosen. */
export class Steps<T> {
  #past: T[] = []
  #future: T[] = []
  #kind = ''

  /**
   * Notes a state that is being left. Changes of one kind that follow each other are one step: `kind` says which it is, and an empty one
   * always begins another.
   */
  leave(state: T, kind: string): void {
    this.#future = []
    if (kind !== '' && kind === this.#kind) return
    this.#kind = kind
    this.#past.push(state)
    if (this.#past.length > most) this.#past.shift()
  }

  /** Whatever comes next is a step of its own. */
  rest(): void {
    this.#kind = ''
  }

  get canUndo(): boolean {
    return this.#past.length > 0
  }

  get canRedo(): boolean {
    return this.#future.length > 0
  }

  /** The state before, in place of the one now; undefined where there is none. */
  undo(now: T): T | undefined {
    const state = this.#past.pop()
    if (state !== undefined) this.#future.push(now)
    this.rest()
    return state
  }

  redo(now: T): T | undefined {
    const state = this.#future.pop()
    if (state !== undefined) this.#past.push(now)
    this.rest()
    return state
  }
}
