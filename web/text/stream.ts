import { Utf8Reader } from './bytes'
import type { Decoder } from './decoder'

/** The token of an id for the decoder; null where it stands for no text. */
export type TokenText = (id: number) => string | null

/**
 * Turns ids into text one by one. An unfinished character waits for its bytes; invalid bytes become ⟨E2⟩.
 */
export class TextStream {
  readonly #decoder: Decoder
  readonly #tokenText: TokenText
  readonly #characters = new Utf8Reader()
  #first: boolean
  /** How often the start of the text may still be stripped. */
  #stripsLeft: number

  /** `continues`: there is text before the ids, so the first token keeps its space. */
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

  /** The bytes of an unfinished character. */
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
