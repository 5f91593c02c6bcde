// Bytes in tokens, and characters from bytes.

/** Byte-level tokenizers' character of each byte, from GPT-2: printable bytes stay, the others are U+0100 and following. */
export const byteCharacters: readonly string[] = (() => {
  const printable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff)
  let next = 0x100
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printable(byte) ? byte : next++))
})()

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

/** Turns bytes into characters. An unfinished character waits for its bytes; invalid bytes become ⟨E2⟩. */
export class Utf8Reader {
  #pending: number[] = []

  /** The characters that these bytes complete. */
  push(bytes: Uint8Array): string {
    let text = ''
    for (const byte of bytes) {
      if (this.#pending.length > 0 && !continues(this.#pending, byte)) text += this.flush()
      this.#pending.push(byte)
      const length = lengthOf(this.#pending[0] ?? 0)
      if (length === 0) {
        text += this.flush()
      } else if (this.#pending.length === length) {
        text += decoder.decode(Uint8Array.from(this.#pending))
        this.#pending = []
      }
    }
    return text
  }

  /** The unfinished character's bytes, in hexadecimal. */
  flush(): string {
    const text = this.#pending.map(hexadecimal).join('')
    this.#pending = []
    return text
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The length of a character by its first byte; 0 where none begins with it. */
function lengthOf(first: number): number {
  if (first < 0x80) return 1
  if (first >= 0xc2 && first <= 0xdf) return 2
  if (first >= 0xe0 && first <= 0xef) return 3
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0
}

/** Whether a byte can follow these of an unfinished character (Unicode, table 3-7). */
function continues(pending: readonly number[], byte: number): boolean {
  const second = pending.length === 1 ? secondByteRanges.get(pending[0] ?? 0) : undefined
  const [least, most] = second ?? [0x80, 0xbf]
  return byte >= least && byte <= most
}

/** Narrower ranges of second bytes exclude overlong forms, surrogates, and code points above U+10FFFF. */
const secondByteRanges: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
])
