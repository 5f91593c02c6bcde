import { isFailure } from '../engine/failure'

/** A value that is asked for anew whenever its question changes: only the newest question's answer counts. */
export class Latest<T> {
  value: T | undefined = $state.raw()
  #asked = 0

  /**
   * Null leaves the value as it is, and so does an engine that was restarted meanwhile: it is asked again. A question that failed leaves
   * none: the former value is no answer to it.
   */
  async ask(answer: Promise<T | null>): Promise<void> {
    const asked = ++this.#asked
    try {
      const value = await answer
      if (asked === this.#asked && value !== null) this.value = value
    } catch (error) {
      if (!isFailure(error)) throw error
      if (asked === this.#asked && error.code !== 'restarted') this.value = undefined
    }
  }

  /** Drops the value and what was asked. */
  clear(): void {
    this.#asked++
    this.value = undefined
  }
}
