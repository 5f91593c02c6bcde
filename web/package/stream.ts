/** What is pushed is read in order, by one reader, until it is ended or fails. */
export class Stream<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = []
  #over: { failed: boolean; reason?: unknown } | undefined
  #wake: () => void = () => {}

  push(item: T): void {
    this.#waiting.push(item)
    this.#wake()
  }

  end(): void {
    this.#over ??= { failed: false }
    this.#wake()
  }

  fail(reason: unknown): void {
    this.#over ??= { failed: true, reason }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift() as T
      if (this.#over?.failed) throw this.#over.reason
      if (this.#over) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
