interface Kept {
  answer: unknown
  bytes: number
  run: number | undefined
}

/** Runs whose answers are kept: the one on show, and the one before or with nothing changed. */
const mostRuns = 2

/** Answers of one engine, so that coming back to one asks nothing: the newest, as many as find room, and none of runs that are gone. */
export class KeptAnswers {
  readonly #most: number
  readonly #kept = new Map<string, Kept>()
  #runs: readonly number[] = []
  #bytes = 0

  /** `most`: bytes. */
  constructor(most: number) {
    this.#most = most
  }

  get bytes(): number {
    return this.#bytes
  }

  get(name: string): unknown {
    const found = this.#kept.get(name)
    // It is the newest again.
    if (found && this.#kept.delete(name)) this.#kept.set(name, found)
    return found?.answer
  }

  /** `run`: that it is of, if it is of one. */
  add(name: string, answer: unknown, run: number | undefined): void {
    this.#drop(name)
    if (run !== undefined) this.#see(run)
    const bytes = bytesOf(answer)
    if (bytes > this.#most || (run !== undefined && !this.#runs.includes(run))) return
    this.#kept.set(name, { answer, bytes, run })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#most) return
      this.#drop(oldest)
    }
  }

  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }

  #see(run: number): void {
    if (this.#runs.includes(run)) return
    this.#runs = [...this.#runs, run].sort((one, other) => other - one).slice(0, mostRuns)
    for (const [name, kept] of this.#kept)
      if (kept.run !== undefined && !this.#runs.includes(kept.run)) this.#drop(name)
  }

  #drop(name: string): void {
    const kept = this.#kept.get(name)
    if (kept && this.#kept.delete(name)) this.#bytes -= kept.bytes
  }
}

/** Of its rows of numbers; what else it holds is small. */
export function bytesOf(answer: unknown): number {
  if (ArrayBuffer.isView(answer)) return answer.byteLength
  if (typeof answer !== 'object' || answer === null) return 8
  return Object.values(answer).reduce<number>((sum, value) => sum + bytesOf(value), 0)
}
