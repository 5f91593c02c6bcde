/** What an engine is asked to do. It does one thing at a time. */
export type Turn = 'setup' | 'run' | 'read' | 'write'

interface Waiting {
  turn: Turn
  /** Only the newest of a kind waits; the one it takes the place of is told. */
  newest: string | undefined
  work: () => Promise<void>
  overtaken: (() => void) | undefined
}

const order: Record<Turn, number> = { setup: 0, run: 1, read: 2, write: 3 }

/**
 * Lets tasks through one at a time: set-up first, then the newest run, then reads of what the last run left, so that a read always sees
 * the run whose result was told last; then the next token of a text that is written on.
 */
export class Turns {
  #waiting: Waiting[] = []
  #busy = false
  readonly #broken: (error: unknown) => void

  /** `broken` hears of anything that a task throws: tasks handle what they expect. */
  constructor(broken: (error: unknown) => void) {
    this.#broken = broken
  }

  add(turn: Turn, work: () => Promise<void>, newest?: string, overtaken?: () => void): void {
    if (newest !== undefined) {
      const before = this.#waiting.findIndex((task) => task.newest === newest)
      if (before >= 0) {
        for (const task of this.#waiting.splice(before, 1)) task.overtaken?.()
      }
    }
    this.#waiting.push({ turn, newest, work, overtaken })
    void this.#go()
  }

  /** Whether a newer task of this kind waits behind the one at work. */
  waits(newest: string): boolean {
    return this.#waiting.some((task) => task.newest === newest)
  }

  /** Whether something waits that goes before this kind of turn. */
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
        this.#broken(error)
      }
    }
    this.#busy = false
  }

  #next(): Waiting | undefined {
    const first = this.#waiting.reduce<Waiting | undefined>(
      (best, task) => (best && order[best.turn] <= order[task.turn] ? best : task),
      undefined,
    )
    if (first) this.#waiting.splice(this.#waiting.indexOf(first), 1)
    return first
  }
}
