import type { Pair } from '../engine/protocol/parts'

/** A place in a text, in UTF-16 units, end exclusive. */
export interface Span {
  start: number
  end: number
}

/** A text as tokens. All arrays have one entry a token. */
export interface Reading {
  ids: Uint32Array
  /** As the vocabulary writes them ("##ing", "Ġthe"). */
  tokens: string[]
  /** For people (" the"). */
  display: string[]
  /** Null for tokens that stand for no text, such as [CLS]. */
  spans: (Span | null)[]
  /** How many tokens the template puts before and after the text. */
  before: number
  after: number
  /** Whether the text is longer than this reading. */
  truncated: boolean
  /** The input of an encoder–decoder; the tokens are those of one part. */
  pair?: Pair
}

export interface Reader {
  encode(text: string): Reading
}

/**
 * Reads at most `limit` tokens, with the template's, as Hugging Face truncates: the text loses its last tokens, the template none. Of a very long
 * text only the beginning is read.
 */
export function readUpTo(reader: Reader, text: string, limit: number): Reading {
  for (let size = Math.max(2000, limit * 16); size < text.length; size *= 4) {
    const reading = reader.encode(text.slice(0, wordEnd(text, size)))
    if (reading.ids.length > limit) return truncate(reading, limit)
  }
  const reading = reader.encode(text)
  return reading.ids.length > limit ? truncate(reading, limit) : reading
}

/** The end of the last complete word before `size`. */
function wordEnd(text: string, size: number): number {
  for (let end = size; end > size - 1000; end--) {
    if (/\s/.test(text.charAt(end))) return end
  }
  return size
}

function truncate(reading: Reading, limit: number): Reading {
  const { ids, tokens, display, spans, before, after } = reading
  const end = Math.max(before, limit - after)
  const from = ids.length - after
  return {
    ids: Uint32Array.of(...ids.subarray(0, end), ...ids.subarray(from)),
    tokens: [...tokens.slice(0, end), ...tokens.slice(from)],
    display: [...display.slice(0, end), ...display.slice(from)],
    spans: [...spans.slice(0, end), ...spans.slice(from)],
    before,
    after,
    truncated: true,
  }
}

/** The words, each once, that the model reads as its unknown token. */
export function unknownWords(text: string, { ids, tokens, spans }: Reading, unknown: number | undefined): string[] {
  const words = spans.flatMap((span, at) => {
    if (!span || unknown === undefined || ids[at] !== unknown) return []
    const word = text.slice(span.start, span.end).trim()
    // The visitor may write the unknown token itself.
    return word === '' || word === tokens[at] ? [] : [word]
  })
  return [...new Set(words)]
}
