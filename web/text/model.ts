// The model of tokenizer.json splits words into pieces of the vocabulary, by Hugging Face's library.

import { BPE, Unigram, WordPiece } from '@huggingface/tokenizers'
import { failure } from '../engine/protocol/failure'
import { t } from './messages.en'
import { fallbackByte, fallbackToken, utf8 } from './bytes'
import type { Span } from './reading'
import { flag, text, unknownPart, type Settings } from './settings'

/** A piece of a word, with its place in the word. */
interface Piece {
  id: number
  token: string
  span: Span
}

export interface Model {
  pieces: (word: string) => Piece[]
  id: (token: string) => number | undefined
  token: (id: number) => string | undefined
  /** The id of pieces that the vocabulary lacks; undefined where there are none. */
  unknown: number | undefined
}

/** @throws {Failure} for a model that the library does not apply as Hugging Face's tokenizers do */
export function compileModel(settings: Settings): Model {
  const { library, place, bytes = false } = createLibraryModel(settings)
  const unknown = library.unk_token_id
  const pieceOf = (id: number, token: string, span: Span): Piece => ({ id, token: library.vocab[id] ?? token, span })
  /** The tokens of a piece's bytes, each with the place of the piece; empty where a byte has no token. */
  const bytePieces = (token: string, span: Span): Piece[] => {
    const ids = Array.from(utf8(token), (byte) => library.tokens_to_ids.get(fallbackToken(byte)))
    const known = ids.filter((id) => id !== undefined)
    return known.length === ids.length ? known.map((id) => pieceOf(id, token, span)) : []
  }
  return {
    pieces: (word) => {
      const tokens = library([word])
      const spans = place(tokens, word)
      return tokens.flatMap((token, at) => {
        const id = library.tokens_to_ids.get(token)
        const span = spans[at]
        if (span === undefined) return []
        if (id !== undefined) return pieceOf(id, token, span)
        const written = bytes ? bytePieces(token, span) : []
        return written.length > 0 || unknown === undefined ? written : pieceOf(unknown, token, span)
      })
    },
    id: (token) => library.tokens_to_ids.get(token),
    token: (id) => library.vocab[id],
    unknown,
  }
}

type UnigramSettings = ConstructorParameters<typeof Unigram>[0]
type Library = BPE | WordPiece | Unigram

interface LibraryModel {
  library: Library
  place: (tokens: readonly string[], word: string) => Span[]
  /** Whether unknown pieces become bytes; the library does so for BPE only. */
  bytes?: boolean
}

function createLibraryModel(settings: Settings): LibraryModel {
  switch (typeOf(settings)) {
    case 'WordPiece': {
      const prefix = text(settings, 'continuing_subword_prefix', '##')
      const unknown = text(settings, 'unk_token', '[UNK]')
      const library = new WordPiece({ ...(settings as unknown as WordPiece['config']), unk_token: unknown })
      return { library, place: (tokens, word) => placeWordPieces(tokens, word, prefix) }
    }
    case 'WordLevel': {
      // A word is one piece or unknown, so no piece has a prefix.
      const noPieces = { continuing_subword_prefix: '\0', max_input_chars_per_word: Number.MAX_SAFE_INTEGER }
      const unknown = text(settings, 'unk_token', '<unk>')
      const library = new WordPiece({
        ...(settings as unknown as WordPiece['config']),
        ...noPieces,
        unk_token: unknown,
      })
      return { library, place: (tokens, word) => placeWordPieces(tokens, word, '\0') }
    }
    case 'BPE': {
      for (const key of ['dropout', 'continuing_subword_prefix', 'end_of_word_suffix']) {
        if (settings[key]) throw failure('tokenizer', () => t().bpe(key))
      }
      const bytes = flag(settings, 'byte_fallback')
      const library = new BPE(settings as unknown as BPE['config'])
      return { library, place: (tokens, word) => placePieces(tokens, word, bytes) }
    }
    case 'Unigram': {
      if (typeof settings['unk_id'] !== 'number') throw failure('tokenizer', () => t().noUnknownToken)
      const library = new Unigram(settings as unknown as UnigramSettings, '')
      return {
        library,
        place: (tokens, word) => placePieces(tokens, word, false),
        bytes: flag(settings, 'byte_fallback'),
      }
    }
    default:
      throw unknownPart('model', settings)
  }
}

/** Old files have no type. */
function typeOf(settings: Settings): string {
  const type = text(settings, 'type')
  if (type !== '') return type
  if (Array.isArray(settings['vocab'])) return 'Unigram'
  if ('merges' in settings) return 'BPE'
  return 'continuing_subword_prefix' in settings ? 'WordPiece' : ''
}

/** The places of WordPiece's pieces in their word: a piece that does not occur (an unknown word) stands for the whole word. */
function placeWordPieces(pieces: readonly string[], word: string, prefix: string): Span[] {
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
function placePieces(pieces: readonly string[], word: string, byteFallback: boolean): Span[] {
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
