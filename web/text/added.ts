// Added tokens, which are found before the text is split: [MASK], <s>, <|endoftext|>, …

import { AddedToken } from '@huggingface/tokenizers'
import { alignText, place, slice, type AlignedText } from './alignedText'
import type { Normalize } from './normalizer'
import type { Span } from './reading'
import { count, parts, text, type Settings } from './settings'

export function addedTokens(description: Settings): AddedToken[] {
  return parts(description, 'added_tokens')
    .filter((token) => text(token, 'content') !== '')
    .map((token) => new AddedToken({ ...token, content: text(token, 'content'), id: count(token, 'id') }))
}

/** An added token with its place, or the text between two of them. */
export type Section = { added: AddedToken; span: Span | null } | { added: null; source: AlignedText }

/** The text that an added token is found by. */
export function addedTokenText(token: AddedToken, normalize: Normalize): string {
  return token.normalized ? normalize(alignText(token.content, 0)).text : token.content
}

/** Splits a text at its added tokens and normalises the rest, as Hugging Face's AddedVocabulary. */
export class Sections {
  readonly #normalize: Normalize
  readonly #verbatim: Finder
  readonly #normalized: Finder

  constructor(tokens: readonly AddedToken[], normalize: Normalize) {
    this.#normalize = normalize
    const entries = (normalized: boolean) =>
      tokens
        .filter((token) => token.normalized === normalized)
        .map((token): [string, AddedToken] => [addedTokenText(token, normalize), token])
    this.#verbatim = new Finder(entries(false))
    this.#normalized = new Finder(entries(true))
  }

  of(text: string): Section[] {
    return this.#verbatim
      .split(alignText(text, 0))
      .flatMap((section) => (section.added ? [section] : this.#normalized.split(this.#normalize(section.source))))
      .filter((section) => section.added !== null || section.source.text !== '')
  }
}

/** Finds the leftmost token; of several the longest. */
class Finder {
  /** By their first UTF-16 unit, the longest first. */
  readonly #tokens = new Map<string, [string, AddedToken][]>()

  constructor(entries: readonly [string, AddedToken][]) {
    for (const entry of entries) {
      const first = entry[0].charAt(0)
      if (first === '') continue
      const list = this.#tokens.get(first) ?? []
      list.push(entry)
      this.#tokens.set(first, list)
    }
    for (const list of this.#tokens.values()) list.sort(([a], [b]) => b.length - a.length)
  }

  split(source: AlignedText): Section[] {
    const full = source.text
    const sections: Section[] = []
    let done = 0
    for (let at = 0; at < full.length;) {
      const [content, token] = this.#tokens.get(full.charAt(at))?.find(([known]) => full.startsWith(known, at)) ?? []
      if (content === undefined || token === undefined) {
        at++
        continue
      }
      const end = at + content.length
      if (!token.single_word || isSeparateWord(full, at, end)) {
        const from = token.lstrip ? Math.max(done, at - (spacesBefore.exec(full.slice(0, at))?.[0].length ?? 0)) : at
        if (from > done) sections.push({ added: null, source: slice(source, done, from) })
        sections.push({ added: token, span: place(source, at, end) })
        done = token.rstrip ? end + (spacesBehind.exec(full.slice(end))?.[0].length ?? 0) : end
      }
      at = Math.max(end, done)
    }
    if (done < full.length) sections.push({ added: null, source: slice(source, done, full.length) })
    return sections
  }
}

const spacesBefore = /\p{White_Space}*$/u
const spacesBehind = /^\p{White_Space}*/u
const wordBefore = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]$/u
const wordBehind = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u

function isSeparateWord(text: string, start: number, end: number): boolean {
  return !wordBefore.test(text.slice(0, start)) && !wordBehind.test(text.slice(end))
}
