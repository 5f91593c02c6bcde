import { difference, movePlace } from './edit'
import type { Span } from './reading'

/** A word under a mask token that starts at `at`. */
export interface HiddenWord {
  at: number
  word: string
}

/** A text, and the words under its masks. A mask that was typed hides nothing. */
export interface Draft {
  text: string
  masked: readonly HiddenWord[]
}

/** The words under the masks of the present text, and of texts that it replaced: one that comes back has them again. */
export class HiddenWords {
  #masked: readonly HiddenWord[] = []
  readonly #ofOthers = new Map<string, readonly HiddenWord[]>()

  draft(text: string): Draft {
    return { text, masked: this.#masked }
  }

  edit({ masked }: Draft): void {
    this.#masked = masked
  }

  /** Another text replaces the present one. */
  replace(text: string, by: string): void {
    if (this.#masked.length > 0) this.#ofOthers.set(text, this.#masked)
    this.#masked = this.#ofOthers.get(by) ?? []
  }
}

/** Replaces a span with the mask token, and stores its word. */
export function hide(draft: Draft, span: Span, mask: string): Draft {
  const word = draft.text.slice(span.start, span.end)
  const { text, masked } = replace(draft, span, mask)
  return { text, masked: [...masked, { at: span.start, word }].sort((a, b) => a.at - b.at) }
}

export function hiddenWord(draft: Draft, span: Span): string | undefined {
  return draft.masked.find(({ at }) => at === span.start)?.word
}

/** Replaces the mask at this span with its word; null where it hides none. */
export function reveal(draft: Draft, span: Span): Draft | null {
  const word = hiddenWord(draft, span)
  return word === undefined ? null : replace(draft, span, word)
}

/**
 * Replaces the mask at this span with a fill, written as after other text: with a space in front it is a word, else it continues the word
 * before it.
 */
export function fill(draft: Draft, span: Span, written: string): Draft {
  const before = draft.text.slice(0, span.start)
  const after = draft.text.slice(span.end)
  const word = written.trimStart()
  if (word === written) return replace(draft, { start: before.trimEnd().length, end: span.end }, word)
  const wordBefore = /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(word)
  const wordAfter = /^[\p{L}\p{N}]/u.test(after) && /[\p{L}\p{N}]$/u.test(word)
  return replace(draft, span, `${wordBefore ? ' ' : ''}${word}${wordAfter ? ' ' : ''}`)
}

/** Replaces the text; words stay under masks that are still there. */
export function retype(draft: Draft, text: string, mask: string | undefined): Draft {
  const edit = difference(draft.text, text)
  const masked = draft.masked.flatMap(({ at, word }) => {
    const start = movePlace(at, edit)
    return start !== null && mask !== undefined && text.startsWith(mask, start) ? [{ at: start, word }] : []
  })
  return { text, masked }
}

function replace(draft: Draft, span: Span, word: string): Draft {
  const growth = word.length - (span.end - span.start)
  return {
    text: draft.text.slice(0, span.start) + word + draft.text.slice(span.end),
    masked: draft.masked
      .filter(({ at }) => at < span.start || at >= span.end)
      .map((masked) => (masked.at >= span.end ? { ...masked, at: masked.at + growth } : masked)),
  }
}
