// A normalised text with the source place of each character, so that each token has a place in the visitor's text.

import type { Span } from './reading'

/** A text made from a span of the source; UTF-16 unit i stands for [starts[i], ends[i]) of the source. */
export interface AlignedText {
  text: string
  starts: number[]
  ends: number[]
  /** The start of the span in the source. */
  origin: number
}

/** Changes one code point; '' removes it. */
type Change = (character: string) => string

/** The source from unit `origin` on, unchanged: each surrogate of a pair stands for both. */
export function alignText(text: string, origin: number): AlignedText {
  return mapText({ text, starts: [], ends: [], origin }, (character) => character, true)
}

/** Changes each code point. A removed accent belongs to the letter before it. */
export function mapCharacters(source: AlignedText, change: Change): AlignedText {
  return mapText(source, change, false)
}

function mapText(source: AlignedText, change: Change, isSource: boolean): AlignedText {
  const builder = new AlignedTextBuilder(source.origin)
  let at = 0
  for (const character of source.text) {
    const end = at + character.length
    const from = isSource ? source.origin + at : (source.starts[at] ?? 0)
    const to = isSource ? source.origin + end : (source.ends[end - 1] ?? 0)
    const content = change(character)
    if (content === '' && /\p{Mn}/u.test(character)) builder.widen(to)
    builder.add(content, from, to)
    at = end
  }
  return builder.result()
}

/** Replaces each match with `content`, which stands for the match's last character, as in Hugging Face's NormalizedString. */
export function replaceMatches(source: AlignedText, pattern: RegExp, content: string): AlignedText {
  const builder = new AlignedTextBuilder(source.origin)
  let done = 0
  for (const match of source.text.matchAll(pattern)) {
    const end = match.index + match[0].length
    builder.copy(source, done, match.index)
    const last = Math.max(0, end - 1)
    builder.add(content, source.starts[last] ?? source.origin, source.ends[last] ?? source.origin)
    done = end
  }
  builder.copy(source, done, source.text.length)
  return builder.result()
}

/** Puts `content` before the text; it stands for the first character, too. An empty text stays empty. */
export function prependText(source: AlignedText, content: string): AlignedText {
  const first = source.text.codePointAt(0)
  if (first === undefined) return source
  const builder = new AlignedTextBuilder(source.origin)
  builder.add(content, source.starts[0] ?? 0, source.ends[String.fromCodePoint(first).length - 1] ?? 0)
  builder.copy(source, 0, source.text.length)
  return builder.result()
}

export function slice(source: AlignedText, start: number, end: number): AlignedText {
  return {
    text: source.text.slice(start, end),
    starts: source.starts.slice(start, end),
    ends: source.ends.slice(start, end),
    origin: source.starts[start] ?? source.origin,
  }
}

/** The span of the source that the units [start, end) stand for. */
export function place(source: AlignedText, start: number, end: number): Span | null {
  const first = source.starts[start]
  const last = source.ends[end - 1]
  return first === undefined || last === undefined ? null : { start: first, end: last }
}

export class AlignedTextBuilder {
  readonly #origin: number
  readonly #parts: string[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []

  constructor(origin: number) {
    this.#origin = origin
  }

  /** Adds text whose units all stand for [start, end) of the source. */
  add(text: string, start: number, end: number): void {
    this.#parts.push(text)
    for (let unit = 0; unit < text.length; unit++) {
      this.#starts.push(start)
      this.#ends.push(end)
    }
  }

  copy(source: AlignedText, start: number, end: number): void {
    this.#parts.push(source.text.slice(start, end))
    for (let unit = start; unit < end; unit++) {
      this.#starts.push(source.starts[unit] ?? 0)
      this.#ends.push(source.ends[unit] ?? 0)
    }
  }

  /** Extends the span of the last character to `end`. */
  widen(end: number): void {
    if (this.#ends.length > 0) this.#ends[this.#ends.length - 1] = end
  }

  result(): AlignedText {
    return { text: this.#parts.join(''), starts: this.#starts, ends: this.#ends, origin: this.#origin }
  }
}
