import type { Choice } from './choice'

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
