// Undo and redo of the choice and the text: plain data, no signals.
import type { Choice } from './choice'

/** The largest number of steps. */
const most = 200

/** States, the newest last. Undone ones stay until the next change. */
export class Steps<T> {
  #past: T[] = []
  #future: T[] = []
  #kind = ''

  /**
   * Adds the state before a change. Consecutive changes of one kind are one step; an empty `kind` always begins another.
   */
  leave(state: T, kind: string): void {
    this.#future = []
    if (kind !== '' && kind === this.#kind) return
    this.#kind = kind
    this.#past.push(state)
    if (this.#past.length > most) this.#past.shift()
  }

  /** The next change begins a step. */
  rest(): void {
    this.#kind = ''
  }

  get canUndo(): boolean {
    return this.#past.length > 0
  }

  get canRedo(): boolean {
    return this.#future.length > 0
  }

  /** The state before the last step; undefined where there is none. */
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

/** Fields of the page and the machine, which undo leaves as they are. */
const outsideUndo = new Set(['page', 'chapter', 'open', 'gridWidth', 'backend', 'weights', 'model', 'language'])

/** Whether undo takes this change back. */
export function isUndone(change: Partial<Choice>): boolean {
  return Object.keys(change).some((key) => !outsideUndo.has(key))
}
