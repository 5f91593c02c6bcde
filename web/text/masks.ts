import { difference, movePlace } from './edit'
import type { Span } from './reading'

/** A word under a mask token: where that token starts in the text, and what it hides. */
export interface HiddenWord {
  at: number
  word: string
}

/** The text and the words that its masks hide. A mask token that was typed hides nothing. */
export interface Draft {
  text: string
  masked: readonly HiddenWord[]
}

/** Puts the model's mask token in the place of a token's span and remembers the word. */
export function hide(draft: Draft, span: Span, mask: string): Draft {
  const word = draft.text.slice(span.start, span.end)
  const { text, masked } = replace(draft, span, mask)
  return { text, masked: [...masked, { at: span.start, word }].sort((a, b) => a.at - b.at) }
}

/** The word that the mask at this span hides, if any. */
export function hiddenWord(draft: Draft, span: Span): string | undefined {
  return draft.masked.find(({ at }) => at === span.start)?.word
}

/** Gives back the word under the mask at this span; null where it hides none. */
export function reveal(draft: Draft, span: Span): Draft | null {
  const word = hiddenWord(draft, span)
  return word === undefined ? null : replace(draft, span, word)
}

/**
 * Puts a fill, as it is written after other text, in the place of the mask at this span: one that begins with a space stands apart, another
 * joins the word before it.
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

/** A text typed in the place of the draft's; words stay under the masks that are still there. Without a mask token there are none. */
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
