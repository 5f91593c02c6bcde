import { isFailure } from '../engine/protocol/failure'
import type { Reply } from '../engine/protocol/messages'

/** A value that is asked for anew whenever its question changes: only the newest question's answer counts. */
export class Latest<T> {
  value: T | undefined = $state.raw()
  #asked = 0

  /**
   * What is gone leaves the value as it is, and so does an engine that was restarted meanwhile: it is asked again. A question that failed leaves
   * none: the former value is no answer to it.
   */
  async ask(question: () => Promise<Reply<T>>): Promise<void> {
    const asked = ++this.#asked
    try {
      let reply = await question()
      while (reply.status === 'superseded' && asked === this.#asked) reply = await question()
      if (asked === this.#asked && reply.status === 'ok') this.value = reply.answer
    } catch (error) {
      if (!isFailure(error)) throw error
      if (asked === this.#asked && error.code !== 'restarted') this.value = undefined
    }
  }

  /** Drops the value and what was asked. */
  clear(): void {
    this.#asked++
    this.value = undefined
  }
}
