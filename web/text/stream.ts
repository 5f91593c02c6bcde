import { Utf8Reader } from './bytes'
import type { Decoder } from './decoder'

/** A token as the decoder reads it; null for one that stands for no text. */
export type TokenText = (id: number) => string | null

/**
 * Ids to text, one after another: every push gives the text that is certain by then. Bytes that split a character are held back until it
 * is whole, and are written ⟨E2⟩ where it never will be.
 */
export class TextStream {
  readonly #decoder: Decoder
  readonly #tokenText: TokenText
  readonly #characters = new Utf8Reader()
  #first: boolean
  /** How often something may still be taken off the beginning. */
  #stripsLeft: number

  /** `continues`: there is text before it, so that the first token keeps its space. */
  constructor(decoder: Decoder, written: TokenText, continues: boolean) {
    this.#decoder = decoder
    this.#tokenText = written
    this.#first = !continues
    this.#stripsLeft = continues ? 0 : (decoder.strip?.count ?? 0)
  }

  push(id: number): string {
    const token = this.#tokenText(id)
    if (token === null) return ''
    const bytes = this.#decoder.read(token, this.#first)
    this.#first = false
    return this.#strip(this.#characters.push(bytes))
  }

  /** What is still held back. */
  flush(): string {
    return this.#strip(this.#characters.flush())
  }

  #strip(text: string): string {
    const { strip } = this.#decoder
    if (this.#stripsLeft === 0 || strip === null || text === '') return text
    if (strip.content === '' || !text.startsWith(strip.content)) {
      this.#stripsLeft = 0
      return text
    }
    this.#stripsLeft--
    return this.#strip(text.slice(strip.content.length))
  }
}
