// Edits of a text, and what they do to places in it and to the words under its masks.
import { clampIndex } from '../engine/protocol/range'
import type { Reading, Span } from './reading'

/** The span in which two texts differ: [start, before) of the old text became [start, after) of the new. */
export interface Edit {
  start: number
  before: number
  after: number
}

export function difference(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
  return { start, before: before.length - same, after: after.length - same }
}

/** The place in the new text; null inside the edit. */
export function movePlace(place: number, edit: Edit): number | null {
  if (place < edit.start || (place === edit.start && edit.before > edit.start && edit.after > edit.start)) return place
  if (place >= edit.before) return place + edit.after - edit.before
  return null
}

/** The caret's place in the new text: inside or after the edit it moves after the new text. */
export function moveCaret(place: number, { start, before, after }: Edit): number {
  if (place >= before) return place + after - before
  return place <= start ? place : after
}

/** The new position of the token at `position` of the old reading; where the token is gone, the same number. */
export function followPosition(position: number, old: Reading, now: Reading, edit: Edit): number {
  return clampIndex(movedPosition(position, old, now, edit) ?? position, now.ids.length)
}

/** The new position of the token at `position` of the old reading; undefined where the token is gone. */
export function movedPosition(position: number, old: Reading, now: Reading, edit: Edit): number | undefined {
  const span = old.spans[position]
  if (!span) {
    const fromEnd = old.ids.length - 1 - position
    return fromEnd < old.after ? now.ids.length - 1 - fromEnd : position
  }
  const place = movePlace(span.start, edit)
  if (place === null) return undefined
  const found = now.spans.findIndex((other) => other && other.start <= place && place < other.end)
  return found < 0 ? undefined : found
}

/** By the first letter with a direction, as `dir="auto"`, without tokens such as [MASK]. */
export function direction(text: string): 'ltr' | 'rtl' {
  const letter = /\p{L}/u.exec(text.replaceAll(/\[[A-Z]+\]/g, ''))?.[0] ?? ''
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}]/u.test(
    letter,
  )
    ? 'rtl'
    : 'ltr'
}

/** A word under a mask token that starts at `at`. */
interface HiddenWord {
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
