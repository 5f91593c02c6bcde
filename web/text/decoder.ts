// The decoder of tokenizer.json: from tokens to text.

import { byteLevelBytes, Utf8Reader, fallbackByte, hexadecimal, utf8 } from './bytes'
import { count, flag, part, parts, text, unknownPart, type Settings, compilePattern } from './settings'

export interface Decoder {
  /** The bytes of a token; a character may need those of several. `first`: the token begins the text. */
  read: (token: string, first: boolean) => Uint8Array
  /** Removed from the start of the text, at most so often. */
  strip: { content: string; count: number } | null
  /** Whether tokens have marks (Ġ, ▁, <0xE2>), which people need not see. */
  hasMarks: boolean
}

/** A step of a Sequence, for tokens that are not bytes yet. */
type Step = (token: string, first: boolean) => string | Uint8Array

/** @throws {Failure} for a decoder that is unknown, or that cannot work token by token */
export function compileDecoder(settings: Settings | null): Decoder {
  if (!settings) {
    return { read: (token, first) => utf8(first ? token : ` ${token}`), strip: null, hasMarks: false }
  }
  if (settings['type'] === 'WordPiece') {
    return { read: applySteps([wordPiece(settings)]), strip: null, hasMarks: false }
  }
  const decoders = settings['type'] === 'Sequence' ? parts(settings, 'decoders') : [settings]
  const steps: Step[] = []
  let hasFuse = false
  let strip: Decoder['strip'] = null
  for (const decoder of decoders) {
    if (decoder['type'] === 'Fuse') {
      hasFuse = true
    } else if (decoder['type'] === 'Strip') {
      if (!hasFuse || count(decoder, 'stop') > 0) throw unknownPart('decoder', decoder)
      strip = { content: text(decoder, 'content'), count: count(decoder, 'start') }
    } else {
      if (hasFuse) throw unknownPart('afterFuse', decoder)
      steps.push(stepOf(decoder))
    }
  }
  return { read: applySteps(steps), strip, hasMarks: true }
}

function applySteps(steps: readonly Step[]): Decoder['read'] {
  return (token, first) => {
    let now: string | Uint8Array = token
    for (const step of steps) {
      if (typeof now === 'string') now = step(now, first)
    }
    return typeof now === 'string' ? utf8(now) : now
  }
}

function stepOf(settings: Settings): Step {
  switch (settings['type']) {
    case 'ByteLevel':
      return (token) => byteLevelBytes(token) ?? token
    case 'ByteFallback':
      return (token) => {
        const byte = fallbackByte(token)
        return byte === undefined ? token : Uint8Array.of(byte)
      }
    case 'Replace': {
      const pattern = compilePattern(part(settings, 'pattern'))
      const content = text(settings, 'content')
      return (token) => token.replace(pattern, () => content)
    }
    case 'Metaspace': {
      const replacement = text(settings, 'replacement', '\u2581')
      const prepends = settings['add_prefix_space'] !== false && settings['prepend_scheme'] !== 'never'
      return (token, first) => token.replaceAll(replacement, first && prepends ? '' : ' ')
    }
    default:
      throw unknownPart('decoder', settings)
  }
}

/** Replacements of Hugging Face's WordPiece decoder, in its order. */
const cleanups: readonly (readonly [string, string])[] = [
  [' .', '.'],
  [' ?', '?'],
  [' !', '!'],
  [' ,', ','],
  [" ' ", "'"],
  [" n't", "n't"],
  [" 'm", "'m"],
  [' do not', " don't"],
  [" 's", "'s"],
  [" 've", "'ve"],
  [" 're", "'re"],
]

function wordPiece(settings: Settings): Step {
  const prefix = text(settings, 'prefix', '##')
  const hasCleanup = flag(settings, 'cleanup', true)
  return (token, first) => {
    const continuesWord = !first && token.startsWith(prefix)
    const written = continuesWord ? token.slice(prefix.length) : first ? token : ` ${token}`
    return hasCleanup ? cleanups.reduce((now, [from, to]) => now.replaceAll(from, to), written) : written
  }
}

/**
 * A token for people: Ġ and ▁ become spaces, a byte of a character its number (⟨E2⟩), line ends and tabs visible signs. Tokens of other
 * decoders stay as in the vocabulary ("##ing").
 */
export function display(token: string, decoder: Decoder): string {
  if (!decoder.hasMarks) return token
  const characters = new Utf8Reader()
  const text = characters.push(decoder.read(token, false)) + characters.flush()
  return text.replace(/\p{Cc}/gu, (control) => visible.get(control) ?? hexadecimal(control.charCodeAt(0)))
}

const visible: ReadonlyMap<string, string> = new Map([
  ['\n', '↵'],
  ['\t', '⇥'],
])

/** The token of an id for the decoder; null where it stands for no text. */
type TokenText = (id: number) => string | null

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
  constructor(decoder: Decoder, tokenText: TokenText, continues: boolean) {
    this.#decoder = decoder
    this.#tokenText = tokenText
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
