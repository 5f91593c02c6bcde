// Bytes in tokens, and characters from bytes.

import { ByteLevelPreTokenizer } from '@huggingface/tokenizers'

const { byte_encoder: characterOf } = new ByteLevelPreTokenizer({ type: 'ByteLevel', use_regex: false })

/** Byte-level tokenizers' character of each byte. */
export const byteCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) => characterOf[byte] ?? '')

const bytesOfCharacters = new Map(byteCharacters.map((character, byte) => [character, byte]))

const encoder = new TextEncoder()

export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** The bytes of a byte-level token; null where a character stands for no byte. */
export function byteLevelBytes(token: string): Uint8Array | null {
  const bytes = Array.from(token, (character) => bytesOfCharacters.get(character))
  return bytes.every((byte) => byte !== undefined) ? Uint8Array.from(bytes) : null
}

/** The byte of a token such as <0xE2>. */
export function fallbackByte(token: string): number | undefined {
  return /^<0x[0-9A-Fa-f]{2}>$/.test(token) ? Number.parseInt(token.slice(3, 5), 16) : undefined
}

/** The token of a byte: <0xE2>. */
export function fallbackToken(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`
}

/** A byte without a character, for people: ⟨E2⟩. */
export function hexadecimal(byte: number): string {
  return `⟨${byte.toString(16).toUpperCase().padStart(2, '0')}⟩`
}

const newDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Turns bytes into characters. An unfinished character waits for its bytes; invalid bytes become ⟨E2⟩. */
export class Utf8Reader {
  #decoder = newDecoder()
  #pending: number[] = []

  /** The characters that these bytes complete. */
  push(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => this.#read(byte)).join('')
  }

  /** The unfinished character's bytes, in hexadecimal. */
  flush(): string {
    const text = this.#pending.map(hexadecimal).join('')
    this.#pending = []
    this.#decoder = newDecoder()
    return text
  }

  #read(byte: number): string {
    const continues = this.#pending.length > 0
    try {
      const text = this.#decoder.decode(Uint8Array.of(byte), { stream: true })
      this.#pending = text === '' ? [...this.#pending, byte] : []
      return text
    } catch {
      const invalid = this.flush()
      return continues ? invalid + this.#read(byte) : hexadecimal(byte)
    }
  }
}
