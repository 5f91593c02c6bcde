import { Characters } from './bytes'
import type { Decoder } from './decoder'

/** A token as the decoder reads it; null for one that stands for no text. */
export type Written = (id: number) => string | null

/**
 * Ids to text, one after another: every push gives the text that is certain by then. Bytes that split a character are held back until it
 * is whole, and are written ⟨E2⟩ where it never will be.
 */
export class TextStream {
  readonly #decoder: Decoder
  readonly #written: Written
  readonly #characters = new Characters()
  #first: boolean
  /** How often something may still be taken off the beginning. */
  #toStrip: number

  /** `continues`: there is text before it, so that the first token keeps its space. */
  constructor(decoder: Decoder, written: Written, continues: boolean) {
    this.#decoder = decoder
    this.#written = written
    this.#first = !continues
    this.#toStrip = continues ? 0 : (decoder.strip?.count ?? 0)
  }

  push(id: number): string {
    const token = this.#written(id)
    if (token === null) return ''
    const bytes = this.#decoder.read(token, this.#first)
    this.#first = false
    return this.#stripped(this.#characters.push(bytes))
  }

  /** What is still held back. */
  flush(): string {
    return this.#stripped(this.#characters.flush())
  }

  #stripped(text: string): string {
    const { strip } = this.#decoder
    if (this.#toStrip === 0 || strip === null || text === '') return text
    if (strip.content === '' || !text.startsWith(strip.content)) {
      this.#toStrip = 0
      return text
    }
    this.#toStrip--
    return this.#stripped(text.slice(strip.content.length))
  }
}
