// A text as tokens; and a source and its target as one text.
import type { Pair, PartName } from '../engine/protocol/parts'

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

/** Separates a source and its target, which are one text. It cannot be typed into a text field. */
export const separator = '\t'

/** `after` may be empty. */
export function splitPair(text: string): [source: string, after: string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

export const joinPair = (source: string, after: string): string =>
  source.replaceAll(separator, ' ') + (after === '' ? '' : separator + after.replaceAll(separator, ' '))

/** The start token of the target. */
export interface Start {
  id: number
  display: string
}

/**
 * Reads both, with the tokens of one part; spans are places in the whole text. The target has no tokens of the template after it, because the
 * model writes its end.
 */
export function readPair(
  reader: Reader,
  text: string,
  limit: number,
  start: Start,
  part: PartName,
): Reading & { pair: Pair } {
  const [source, after] = splitPair(text)
  const read = readUpTo(reader, source, limit)
  const written = readUpTo(reader, after, limit)
  const end = written.ids.length - written.after
  const limited = Math.min(end, written.before + limit - 1)
  const offset = source.length + separator.length
  const spans = written.spans.map((span) => span && { start: span.start + offset, end: span.end + offset })
  const target: Reading = {
    ids: Uint32Array.of(start.id, ...written.ids.subarray(written.before, limited)),
    tokens: [start.display, ...written.tokens.slice(written.before, limited)],
    display: [start.display, ...written.display.slice(written.before, limited)],
    spans: [null, ...spans.slice(written.before, limited)],
    before: 1,
    after: 0,
    truncated: read.truncated || written.truncated || limited < end,
  }
  const pair = { source: read.ids, text: target.ids, part }
  if (part === 'encoder') return { ...read, truncated: target.truncated, pair }
  if (part === 'decoder') return { ...target, pair }
  return {
    ids: Uint32Array.of(...read.ids, ...target.ids),
    tokens: [...read.tokens, ...target.tokens],
    display: [...read.display, ...target.display],
    spans: [...read.spans, ...target.spans],
    before: read.before,
    after: 0,
    truncated: target.truncated,
    pair,
  }
}
