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
export const pingAfter = 20

interface WatchedWorker {
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
  readonly #worker: WatchedWorker
  readonly #ticker: Ticker
  #stopTicker: (() => void) | undefined
  #silentSeconds = 0
  #isSilent = false

  constructor(watched: WatchedWorker, ticker: Ticker = seconds) {
    this.#worker = watched
    this.#ticker = ticker
  }

  /** Something was asked. */
  watch(): void {
    this.#stopTicker ??= this.#ticker.everySecond(() => this.#tick())
  }

  /** The worker gave a sign of life, or is another one. */
  receiveSign(): void {
    this.#silentSeconds = 0
    if (!this.#worker.waits()) this.#stopTicking()
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#worker.answers()
  }

  #stopTicking(): void {
    this.#stopTicker?.()
    this.#stopTicker = undefined
  }

  #tick(): void {
    if (!this.#worker.waits()) {
      this.receiveSign()
      return
    }
    this.#silentSeconds++
    if (this.#silentSeconds >= pingAfter) this.#worker.ping()
    if (this.#silentSeconds < 2 * pingAfter || this.#isSilent) return
    this.#isSilent = true
    this.#worker.silent(this.#silentSeconds)
  }
}
