import type { Pair } from '../engine/protocol/parts'

/** Where a token stands in the text: UTF-16 units, end exclusive. */
export interface Span {
  start: number
  end: number
}

/** A text as the model reads it. All arrays have one entry a token. */
export interface Reading {
  ids: Uint32Array
  /** As the vocabulary writes them ("##ing", "Ġthe"). */
  tokens: string[]
  /** For people to read (" the"). */
  display: string[]
  /** Null for tokens that stand for no text, such as [CLS]. */
  spans: (Span | null)[]
  /** How many tokens the template puts before and after the text's own. */
  before: number
  after: number
  /** Whether the text goes on beyond what is read here. */
  truncated: boolean
  /** What an encoder–decoder runs; these are the tokens of one part of it. */
  pair?: Pair
}

/** What reads a text. */
export interface Reader {
  encode(text: string): Reading
}

/**
 * Reads as much of the text as fits into `limit` tokens, the template's own included, as Hugging Face truncates: the text's last tokens
 * go, the template's stay. A very long text is never read whole.
 */
export function readUpTo(reader: Reader, text: string, limit: number): Reading {
  for (let size = Math.max(2000, limit * 16); size < text.length; size *= 4) {
    const reading = reader.encode(text.slice(0, wordEnd(text, size)))
    if (reading.ids.length > limit) return truncate(reading, limit)
  }
  const reading = reader.encode(text)
  return reading.ids.length > limit ? truncate(reading, limit) : reading
}

/** The end of the last whole word before `size`, so that no word is read in halves. */
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
