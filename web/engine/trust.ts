import { Remembered, type Kept } from './remembered'

const isText = (value: unknown): value is string => typeof value === 'string'

/** The adapters that were found to compute what the CPU computes, as the worker names them; remembered from visit to visit. */
export class Trust {
  readonly #remembered: Remembered<string>

  constructor(storage: () => Kept = () => localStorage) {
    this.#remembered = new Remembered('ropescope.adapters', isText, (adapter) => adapter, storage)
  }

  /** The newest last. */
  get adapters(): readonly string[] {
    return this.#remembered.all
  }

  add(adapter: string): void {
    this.#remembered.put(adapter)
  }
}
