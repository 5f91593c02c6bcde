/** Kinds of work, in their order. */
export type Turn = 'setup' | 'run' | 'read' | 'write'

const order: Record<Turn, number> = { setup: 0, run: 1, read: 2, write: 3 }

interface Task {
  turn: Turn
  /** Of the tasks with this name only the newest waits. */
  newest: string | undefined
  work: () => Promise<void>
  superseded: (() => void) | undefined
}

/**
 * Gives the engine one task at a time: set-up first, then the newest run, then reads, so that a read sees the run whose result was posted last;
 * then streams and runs of their own.
 */
export class Scheduler {
  #waiting: Task[] = []
  #busy = false
  readonly #crash: (error: unknown) => void

  /** `crash` receives errors that a task does not handle. */
  constructor(crash: (error: unknown) => void) {
    this.#crash = crash
  }

  add(turn: Turn, work: () => Promise<void>, newest?: string, superseded?: () => void): void {
    if (newest !== undefined) {
      const before = this.#waiting.findIndex((task) => task.newest === newest)
      if (before >= 0) {
        for (const task of this.#waiting.splice(before, 1)) task.superseded?.()
      }
    }
    this.#waiting.push({ turn, newest, work, superseded })
    void this.#go()
  }

  /** Whether a task of an earlier turn waits. */
  waitsBefore(turn: Turn): boolean {
    return this.#waiting.some((task) => order[task.turn] < order[turn])
  }

  async #go(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    for (let next = this.#next(); next; next = this.#next()) {
      try {
        await next.work()
      } catch (error) {
        this.#crash(error)
      }
    }
    this.#busy = false
  }

  #next(): Task | undefined {
    const first = this.#waiting.reduce<Task | undefined>(
      (best, task) => (best && order[best.turn] <= order[task.turn] ? best : task),
      undefined,
    )
    if (first) this.#waiting.splice(this.#waiting.indexOf(first), 1)
    return first
  }
}
