/** One call at a time, in the order in which they came. A call that was aborted before its turn is not begun. */
export class InOrder {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#last.then(() => {
      signal?.throwIfAborted()
      return work()
    })
    this.#last = result.catch(() => {})
    return result
  }

  /** Waits for its turn, which lasts until what it returns is called. */
  async turn(signal?: AbortSignal): Promise<() => void> {
    let end = () => {}
    const over = new Promise<void>((resolve) => (end = resolve))
    const began = new Promise<void>((resolve, reject) => {
      this.run(() => {
        resolve()
        return over
      }, signal).catch(reject)
    })
    await began
    return end
  }
}
