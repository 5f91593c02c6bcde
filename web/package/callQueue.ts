/** Runs calls one after the other, in the order in which they came. A call that is aborted before its turn does not start. */
export class CallQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#last.then(() => {
      signal?.throwIfAborted()
      return work()
    })
    this.#last = result.catch(() => {})
    return result
  }

  /** Waits for a turn. It lasts until the function that this returns is called. */
  async turn(signal?: AbortSignal): Promise<() => void> {
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    await new Promise<void>((resolve, reject) => {
      this.run(() => {
        resolve()
        return ended
      }, signal).catch(reject)
    })
    return end
  }
}
