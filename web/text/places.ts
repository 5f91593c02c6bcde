// The places of pieces in their word.

import { fallbackByte, utf8 } from './bytes'
import type { Span } from './reading'

/** Of WordPiece: a piece that does not occur (an unknown word) stands for the whole word. */
export function placeWordPieces(pieces: readonly string[], word: string, prefix: string): Span[] {
  let at = 0
  return pieces.map((piece) => {
    const letters = at > 0 && piece.startsWith(prefix) ? piece.slice(prefix.length) : piece
    if (!word.startsWith(letters, at)) return { start: 0, end: word.length }
    const start = at
    at += letters.length
    return { start, end: at }
  })
}

/**
 * Of BPE and Unigram, whose pieces follow each other: a byte token stands for its character, an unknown piece for the text before the next
 * piece that occurs.
 */
export function placePieces(pieces: readonly string[], word: string, byteFallback: boolean): Span[] {
  let at = 0
  /** Remaining bytes of the character at `at`. */
  let left = 0
  return pieces.map((piece, index) => {
    const character = String.fromCodePoint(word.codePointAt(at) ?? 0)
    if (byteFallback && fallbackByte(piece) !== undefined && at < word.length) {
      if (left === 0) left = utf8(character).length
      const span = { start: at, end: at + character.length }
      left--
      if (left === 0) at = span.end
      return span
    }
    const start = at
    if (word.startsWith(piece, at)) {
      at += piece.length
    } else {
      const next = pieces[index + 1]
      const found = next === undefined ? word.length : word.indexOf(next, at + character.length)
      at = Math.min(word.length, found < 0 ? at + character.length : found)
    }
    return { start, end: at }
  })
}
