import type { HeadResult } from '../engine/protocol/protocol'
import type { HeadPlace } from '../viewstate/choice'

/** Heads that were read, so that coming back to one asks nothing: the newest, as many as find room. */
export class KeptHeads {
  readonly #most: number
  readonly #kept = new Map<string, HeadResult>()
  #bytes = 0

  /** `most`: bytes. */
  constructor(most: number) {
    this.#most = most
  }

  get(run: number, place: HeadPlace): HeadResult | undefined {
    const name = nameOf(run, place)
    const found = this.#kept.get(name)
    // It is the newest again.
    if (found && this.#kept.delete(name)) this.#kept.set(name, found)
    return found
  }

  add(head: HeadResult): void {
    const name = nameOf(head.run, head)
    this.#drop(name)
    if (bytesOf(head) > this.#most) return
    this.#kept.set(name, head)
    this.#bytes += bytesOf(head)
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#most) return
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    const head = this.#kept.get(name)
    if (head && this.#kept.delete(name)) this.#bytes -= bytesOf(head)
  }
}

const nameOf = (run: number, { layer, head }: HeadPlace) => `${run} ${layer}.${head}`
const bytesOf = ({ attention, query, key }: HeadResult) => attention.byteLength + query.byteLength + key.byteLength
