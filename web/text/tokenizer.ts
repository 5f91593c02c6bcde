import { Tokenizer } from '@huggingface/tokenizers'
import type { Failure, TokenizerFiles } from '../engine/protocol'
import { bertNormalize, normalizeMapped, type BertNormalizer, type Normalized } from './normalizer'
import type { Reader, Reading, Span } from './reading'
import { fromVocabulary } from './vocabulary'

/** How [MASK] is written in a text. */
export const maskToken = '[MASK]'

/** A model's tokenizer: Hugging Face's library, with each token's place in the text, which it does not give. */
export class TextTokenizer implements Reader {
  readonly #tokenizer: Tokenizer
  readonly #normalize: (text: string, offset: number) => Normalized
  /** Tokens taken from the text before anything else, longest first: [MASK], [SEP], … */
  readonly #added: string[]
  readonly #before: string[]
  readonly #after: string[]
  readonly maskId: number | undefined

  /** @throws {Failure} when the file is not a tokenizer this page can read. */
  static open(files: TokenizerFiles): TextTokenizer {
    try {
      return new TextTokenizer(
        files.tokenizer === undefined ? fromVocabulary(files.vocabulary ?? '') : JSON.parse(files.tokenizer),
      )
    } catch (error) {
      const failure: Failure = {
        code: 'tokenizer',
        message:
          files.tokenizer === undefined
            ? `vocab.txt could not be read as a WordPiece vocabulary (${String(error)}). It must hold one token a line, [UNK] among them.`
            : `tokenizer.json could not be read (${String(error)}). Save it again with Hugging Face's tokenizer.save_pretrained().`,
        retryable: false,
      }
      throw failure
    }
  }

  private constructor(description: Record<string, unknown>) {
    this.#tokenizer = new Tokenizer(description, {})
    const { post_processor, model, normalizer } = this.#tokenizer
    if (!model || typeof model.unk_token_id !== 'number') throw new Error('it has no unknown token')
    const settings = description['normalizer'] as ({ type?: string } & BertNormalizer) | null | undefined
    if (settings?.type === 'BertNormalizer') {
      const normalize = bertNormalize(settings)
      this.#normalize = (text, offset) => normalizeMapped(text, offset, normalize)
    } else {
      this.#normalize = (text, offset) => mapOther(text, offset, normalizer)
    }
    this.#added = [...this.#tokenizer.get_added_tokens_decoder().values()]
      .map((token) => token.content)
      .sort((a, b) => b.length - a.length)
    // What the template puts around a text is found by processing one that no text can be.
    const around = post_processor ? post_processor(['\u0000'], null, true).tokens : ['\u0000']
    const at = around.indexOf('\u0000')
    this.#before = around.slice(0, at)
    this.#after = around.slice(at + 1)
    this.maskId = this.#tokenizer.token_to_id(maskToken)
  }

  /** The token of an id, as the vocabulary writes it ("##ing"). */
  token(id: number): string {
    return this.#tokenizer.id_to_token(id) ?? `[${id}]`
  }

  /** The token of an id for people to read. */
  display(id: number): string {
    return this.token(id)
  }

  /** Ids to text as they come; special tokens stand for none. `continues`: there is text before them. */
  stream(continues = false): { push(id: number): string } {
    let first = !continues
    return {
      push: (id) => {
        const token = this.token(id)
        if (this.#added.includes(token)) return ''
        const joins = !first && token.startsWith('##')
        const close = first || /^[.?!,]$/.test(token)
        first = false
        return joins ? token.slice(2) : close ? token : ` ${token}`
      },
    }
  }

  encode(text: string): Reading {
    const tokens = [...this.#before]
    const spans: (Span | null)[] = tokens.map(() => null)
    for (const section of this.#sections(text)) {
      if (section.added) {
        tokens.push(section.text)
        spans.push({ start: section.at, end: section.at + section.text.length })
      } else {
        this.#encodeSection(section.text, section.at, tokens, spans)
      }
    }
    tokens.push(...this.#after)
    spans.push(...this.#after.map(() => null))
    return {
      ids: Uint32Array.from(tokens, (token) => this.#id(token)),
      tokens,
      spans,
      before: this.#before.length,
      after: this.#after.length,
      truncated: false,
    }
  }

  #id(token: string): number {
    return this.#tokenizer.token_to_id(token) ?? this.#tokenizer.model?.unk_token_id ?? 0
  }

  *#sections(text: string): Generator<{ text: string; at: number; added: boolean }> {
    let from = 0
    for (let at = 0; at < text.length;) {
      const found = this.#added.find((token) => token !== '' && text.startsWith(token, at))
      if (found === undefined) {
        at++
        continue
      }
      if (at > from) yield { text: text.slice(from, at), at: from, added: false }
      yield { text: found, at, added: true }
      at += found.length
      from = at
    }
    if (from < text.length) yield { text: text.slice(from), at: from, added: false }
  }

  #encodeSection(text: string, offset: number, tokens: string[], spans: (Span | null)[]): void {
    const normalized = this.#normalize(text, offset)
    const { pre_tokenizer, model } = this.#tokenizer
    if (normalized.text === '' || !model) return
    const words = pre_tokenizer ? pre_tokenizer(normalized.text) : [normalized.text]
    let cursor = 0
    for (const word of words) {
      const found = normalized.text.indexOf(word, cursor)
      const pieces = model([word])
      if (found < 0) {
        // A pre-tokenizer that rewrites its text: the tokens are right, their places are not known.
        tokens.push(...pieces)
        spans.push(...pieces.map(() => null))
        continue
      }
      cursor = found + word.length
      tokens.push(...pieces)
      spans.push(...placePieces(pieces, word).map(({ start, end }) => source(normalized, found + start, found + end)))
    }
  }
}

/** Where each piece lies in its word; a piece that is not found there (an unknown word) stands for the whole word. */
function placePieces(pieces: string[], word: string): Span[] {
  let at = 0
  return pieces.map((piece) => {
    const letters = piece.startsWith('##') && at > 0 ? piece.slice(2) : piece
    if (!word.startsWith(letters, at)) return { start: 0, end: word.length }
    const start = at
    at += letters.length
    return { start, end: at }
  })
}

function source(normalized: Normalized, start: number, end: number): Span | null {
  const first = normalized.starts[start]
  const last = normalized.ends[end - 1]
  return first === undefined || last === undefined ? null : { start: first, end: last }
}

/** Any other normaliser, mapped where it works on each character by itself; else the stretch as a whole. */
function mapOther(text: string, offset: number, normalizer: ((text: string) => string) | null): Normalized {
  if (!normalizer) return normalizeMapped(text, offset, (character) => character)
  const whole = normalizer(text)
  const mapped = normalizeMapped(text, offset, (character) => normalizer(character))
  if (mapped.text === whole) return mapped
  const units = Array.from({ length: whole.length })
  return { text: whole, starts: units.map(() => offset), ends: units.map(() => offset + text.length) }
}
