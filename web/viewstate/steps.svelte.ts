// The choice as signals, and undo and redo of it and of the text.
import type { Choice } from './choice'

/** The largest number of steps. */
const most = 200

/** States, the newest last. Undone ones stay until the next change. */
export class Steps<T> {
  #past: T[] = []
  #future: T[] = []
  #kind = ''
  undoable = $state.raw({ undo: false, redo: false })

  /**
   * Adds the state before a change. Consecutive changes of one kind are one step; an empty `kind` always begins another.
   */
  add(state: T, kind: string): void {
    this.#future = []
    if (kind === '' || kind !== this.#kind) this.#past.push(state)
    this.#kind = kind
    if (this.#past.length > most) this.#past.shift()
    this.#count()
  }

  /** The next change begins a step. */
  beginStep(): void {
    this.#kind = ''
  }

  /** The state before the last step; undefined where there is none. */
  undo(now: T): T | undefined {
    const state = this.#past.pop()
    if (state !== undefined) this.#future.push(now)
    this.beginStep()
    this.#count()
    return state
  }

  redo(now: T): T | undefined {
    const state = this.#future.pop()
    if (state !== undefined) this.#past.push(now)
    this.beginStep()
    this.#count()
    return state
  }

  #count(): void {
    this.undoable = { undo: this.#past.length > 0, redo: this.#future.length > 0 }
  }
}

/** What belongs to the page and the machine, which undo leaves as it is. */
export function outsideUndo({ page, chapter, open, gridWidth, backend, weights, model, language }: Choice) {
  return { page, chapter, open, gridWidth, backend, weights, model, language }
}

/** Whether undo takes the change from one choice to another back. */
export function isUndone(change: Partial<Choice>, choice: Choice): boolean {
  const outside = outsideUndo(choice)
  return Object.keys(change).some((key) => !(key in outside))
}

class Signal<T> {
  value = $state.raw() as T
  constructor(value: T) {
    this.value = value
  }
}

/**
 * A choice with one signal for each value: readers of one do not depend on the others. An equal list or record is no change.
 */
export function signals(initial: Choice): Choice {
  const choice = {} as Choice
  for (const key of Object.keys(initial) as (keyof Choice)[]) field(choice, key, new Signal(initial[key]))
  return choice
}

function field<Key extends keyof Choice>(choice: Choice, key: Key, signal: Signal<Choice[Key]>): void {
  Object.defineProperty(choice, key, {
    enumerable: true,
    get: () => signal.value,
    set(value: Choice[Key]) {
      if (!alike(signal.value, value)) signal.value = value
    },
  })
}

/** Whether two values of a choice are equal. They are small, so comparing them as text is fast enough. */
export function alike(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
}
