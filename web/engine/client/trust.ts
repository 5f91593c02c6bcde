const storageKey = 'ropescope.adapters'

const mostAdapters = 8

/** The adapters that passed the check against the CPU, by the worker's names for them; stored from visit to visit. */
export class Trust {
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem'>

  constructor(storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => localStorage) {
    this.#storage = storage
  }

  /** The newest last. */
  get adapters(): readonly string[] {
    try {
      const adapters: unknown = JSON.parse(this.#storage().getItem(storageKey) ?? '[]')
      return Array.isArray(adapters) ? adapters.filter((adapter) => typeof adapter === 'string') : []
    } catch {
      return []
    }
  }

  /** Adds an adapter as the newest, and removes the oldest of too many. */
  add(adapter: string): void {
    const others = this.adapters.filter((other) => other !== adapter)
    try {
      this.#storage().setItem(storageKey, JSON.stringify([...others, adapter].slice(-mostAdapters)))
    } catch {
      // A browser that stores nothing checks the adapter at every visit.
    }
  }
}
