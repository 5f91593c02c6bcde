const storageKey = 'ropescope.adapters'

/** More than the adapters of one machine under a few versions of the page. */
const mostAdapters = 8

/** The adapters that were found to compute what the CPU computes, as the worker names them; remembered from visit to visit. */
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

  /** Puts an adapter last; of too many the oldest are forgotten. */
  add(adapter: string): void {
    const others = this.adapters.filter((other) => other !== adapter)
    try {
      this.#storage().setItem(storageKey, JSON.stringify([...others, adapter].slice(-mostAdapters)))
    } catch {
      // A browser that stores nothing has it checked at every visit.
    }
  }
}
