/** What ticks; tests tick by hand. */
export interface Ticker {
  /** Calls this every second, until what it returns is called. */
  everySecond(tick: () => void): () => void
}

export const seconds: Ticker = {
  everySecond(tick) {
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  },
}

/** After so many seconds without a sign of life the worker is asked for one, each second, and after as many more it is called silent. */
export const patience = 20

interface Watched {
  /** Whether anything is asked of the worker. */
  waits(): boolean
  ping(): void
  silent(seconds: number): void
  /** It was called silent, and is not any more. */
  answers(): void
}

/**
 * Notices that a worker gives no sign of life while something is asked of it. Seconds are counted by their ticks: while a machine sleeps, or
 * a page in the background has few, hardly any pass.
 */
export class Watchdog {
  readonly #watched: Watched
  readonly #ticker: Ticker
  #stop: (() => void) | undefined
  #quiet = 0
  #silent = false

  constructor(watched: Watched, ticker: Ticker = seconds) {
    this.#watched = watched
    this.#ticker = ticker
  }

  /** Something was asked. */
  watch(): void {
    this.#stop ??= this.#ticker.everySecond(() => this.#tick())
  }

  /** The worker gave a sign of life, or is another one. */
  hear(): void {
    this.#quiet = 0
    if (!this.#watched.waits()) this.#rest()
    if (!this.#silent) return
    this.#silent = false
    this.#watched.answers()
  }

  #rest(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  #tick(): void {
    if (!this.#watched.waits()) {
      this.hear()
      return
    }
    this.#quiet++
    if (this.#quiet >= patience) this.#watched.ping()
    if (this.#quiet < 2 * patience || this.#silent) return
    this.#silent = true
    this.#watched.silent(this.#quiet)
  }
}
