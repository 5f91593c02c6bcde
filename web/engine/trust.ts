const stored = 'ropescope.adapters'

/** More adapters than anyone has in one machine, over some versions of the page. */
const most = 8

/** The adapters that were found to compute what the CPU computes, as the worker names them; remembered from visit to visit. */
export class Trust {
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem'>

  constructor(storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => localStorage) {
    this.#storage = storage
  }

  /** The newest last. */
  get adapters(): readonly string[] {
    try {
      const read: unknown = JSON.parse(this.#storage().getItem(stored) ?? '[]')
      return Array.isArray(read) ? read.filter((adapter) => typeof adapter === 'string') : []
    } catch {
      return []
    }
  }

  /** The oldest is forgotten where there are too many. */
  add(adapter: string): void {
    const others = this.adapters.filter((other) => other !== adapter)
    try {
      this.#storage().setItem(stored, JSON.stringify([...others, adapter].slice(-most)))
    } catch {
      // A browser that stores nothing has it checked at every visit.
    }
  }
}
