/** A clock; tests tick by hand. */
export interface Ticker {
  /** Returns a function that stops it. */
  everySecond(tick: () => void): () => void
}

const seconds: Ticker = {
  everySecond(tick) {
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  },
}

/** After so many seconds without a message the watchdog pings the worker each second; after as many more it reports it as silent. */
export const pingAfter = 20

interface WatchedWorker {
  /** Whether a request waits. */
  waits(): boolean
  ping(): void
  silent(seconds: number): void
  /** It was reported as silent, and has sent a message. */
  answers(): void
}

/** Reports a worker that sends nothing while a request waits. It counts ticks, because a sleeping machine and a background page have few. */
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

  /** Starts the clock: call it at each request. */
  watch(): void {
    this.#stopTicker ??= this.#ticker.everySecond(() => this.#tick())
  }

  /** Call it when the worker has sent a message, and when it was replaced. */
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
