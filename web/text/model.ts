// The model of tokenizer.json splits words into pieces of the vocabulary, by Hugging Face's library.

import { failure } from '../engine/protocol/failure'
import { BPE, Unigram, WordPiece } from '@huggingface/tokenizers'
import { t } from './messages.en'
import { fallbackToken, utf8 } from './bytes'
import { placePieces, placeWordPieces } from './places'
import type { Span } from './reading'
import { flag, text, unknownPart, type Settings } from './settings'

/** A piece of a word, with its place in the word. */
export interface Piece {
  id: number
  token: string
  span: Span
}

export interface Model {
  pieces: (word: string) => Piece[]
  id: (token: string) => number | undefined
  token: (id: number) => string | undefined
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
