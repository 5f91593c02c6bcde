/** Where it is kept from visit to visit. */
export type Kept = Pick<Storage, 'getItem' | 'setItem'>

/** More adapters than anyone has in one machine, over some versions of the page. */
const most = 8

/** A short list that is remembered from visit to visit, as far as the browser stores anything. What lies there may come from anywhere. */
export class Remembered<T> {
  readonly #name: string
  readonly #is: (value: unknown) => value is T
  readonly #key: (one: T) => string
  readonly #storage: () => Kept

  /** `key`: what tells one from another. */
  constructor(name: string, is: (value: unknown) => value is T, key: (one: T) => string, storage: () => Kept) {
    this.#name = name
    this.#is = is
    this.#key = key
    this.#storage = storage
  }

  /** The newest last. */
  get all(): readonly T[] {
    try {
      const read: unknown = JSON.parse(this.#storage().getItem(this.#name) ?? '[]')
      return Array.isArray(read) ? read.filter(this.#is) : []
    } catch {
      return []
    }
  }

  /** In place of what was remembered by its key; the oldest is forgotten where there are too many. */
  put(one: T): void {
    const others = this.all.filter((other) => this.#key(other) !== this.#key(one))
    try {
      this.#storage().setItem(this.#name, JSON.stringify([...others, one].slice(-most)))
    } catch {
      // A browser that stores nothing has it found out at every visit.
    }
  }
}
