import { AddedToken } from '@huggingface/tokenizers'
import { failure, textOf } from '../engine/protocol/failure'
import type { TokenizerFiles } from '../engine/protocol/protocol'
import { t } from './messages.en'
import { addedTokens, addedTokenText, Sections } from './added'
import { place, type AlignedText } from './alignedText'
import { splitByWords, withoutCharacterSplit, readsChineseWords, type CutWords } from './chineseWords'
import { compileDecoder, display, TextStream, type Decoder } from './decoder'
import { compileModel, type Model } from './model'
import { compileNormalizer } from './normalizer'
import { compilePreTokenizer, type Split } from './preTokenizer'
import type { Reader, Reading, Span } from './reading'
import { isObject, objectOf, parseJson } from '../engine/protocol/json'
import { declaredMask, part, type Settings } from './settings'
import { compileTemplate, trimSpan, type Template } from './template'
import { fromVocabulary, readsResidues, sequenceOf } from './vocabulary'

/** A token with its place in the text. */
interface PlacedToken {
  id: number
  token: string
  span: Span | null
}

/** A model's tokenizer, which gives each token's place in the text, and decodes ids. */
export class TextTokenizer implements Reader {
  readonly #sections: Sections
  readonly #split: Split
  readonly #model: Model
  readonly #template: Template
  readonly #decoder: Decoder
  readonly #added: ReadonlyMap<number, AddedToken>
  /** Added tokens for the decoder, normalised where they are searched so. */
  readonly #addedTexts: ReadonlyMap<number, string>
  /** Whether texts are sequences of residues or FASTA records. */
  readonly #residues: boolean
  /** Whether it cuts Chinese texts into words, by a function that it was given. */
  readonly cutsWords: boolean
  /** Undefined where the model has none. */
  readonly maskToken: string | undefined
  readonly maskId: number | undefined

  /**
   * @param cutWords for a model that reads Chinese by the word
   * @throws {Failure} where the files are unreadable or unsupported
   */
  static open(files: TokenizerFiles, cutWords?: CutWords): TextTokenizer {
    try {
      const description: unknown =
        files.tokenizer === undefined
          ? fromVocabulary(files.vocabulary ?? '', lowercaseSetting(files.config))
          : parseJson(files.tokenizer)
      if (!isObject(description)) throw failure('tokenizer', () => t().noObject)
      if (!readsChineseWords(files)) return new TextTokenizer(description, files)
      if (!cutWords) throw failure('tokenizer', () => t().noWords)
      return new TextTokenizer(withoutCharacterSplit(description), files, cutWords)
    } catch (error) {
      const isVocabulary = files.tokenizer === undefined
      throw failure('tokenizer', () => (isVocabulary ? t().vocabulary : t().file)(textOf(error)))
    }
  }

  private constructor(description: Settings, files: TokenizerFiles, cutWords?: CutWords) {
    const { config, specialTokens } = files
    this.#residues = readsResidues(files)
    this.cutsWords = cutWords !== undefined
    const model = part(description, 'model')
    if (!model) throw failure('tokenizer', () => t().noModel)
    this.#model = compileModel(model)
    const normalize = compileNormalizer(part(description, 'normalizer'))
    this.#split = cutWords
      ? splitByWords(cutWords, (token) => this.#model.id(token) !== undefined)
      : compilePreTokenizer(part(description, 'pre_tokenizer'))
    this.#template = compileTemplate(part(description, 'post_processor'))
    this.#decoder = compileDecoder(part(description, 'decoder'))
    const added = addedTokens(description)
    const mask = declaredMask(
      config,
      specialTokens,
      added.map(({ content }) => content),
    )
    const maskId = mask && (added.find(({ content }) => content === mask)?.id ?? this.#model.id(mask))
    if (mask !== undefined && typeof maskId === 'number') {
      this.maskToken = mask
      this.maskId = maskId
      // A mask that only the other files declare must be found in texts, too.
      if (!added.some(({ id }) => id === maskId))
        added.push(new AddedToken({ content: mask, id: maskId, special: true }))
    }
    this.#added = new Map(added.map((token) => [token.id, token]))
    this.#addedTexts = new Map(added.map((token) => [token.id, addedTokenText(token, normalize)]))
    this.#sections = new Sections(added, normalize)
  }

  /** The id of words that the vocabulary lacks; undefined where there are none. */
  get unknownId(): number | undefined {
    return this.#model.unknown
  }

  /** As the vocabulary writes it ("##ing", "Ġthe"). */
  token(id: number): string {
    return this.#added.get(id)?.content ?? this.#model.token(id) ?? `[${id}]`
  }

  /** For people: " the", and ⟨E2⟩ for a byte of a character. */
  display(id: number): string {
    return this.#added.get(id)?.content ?? display(this.token(id), this.#decoder)
  }

  /** Whether the id stands for no text, as [CLS] and [MASK]. */
  isSpecial(id: number): boolean {
    return this.#added.get(id)?.special === true
  }

  /** Decodes ids one by one, without special tokens. `continues`: there is text before the ids. */
  stream(continues = false): TextStream {
    return new TextStream(this.#decoder, (id) => this.#text(id), continues)
  }

  /** Decodes ids, without special tokens. */
  decode(ids: Iterable<number>): string {
    const stream = this.stream()
    return Array.from(ids, (id) => stream.push(id)).join('') + stream.flush()
  }

  encode(text: string): Reading {
    const { before, after } = this.#template
    const tokens = [
      ...before.map(templateToken),
      ...this.#read(this.#residues ? sequenceOf(text) : text),
      ...after.map(templateToken),
    ]
    return {
      ids: Uint32Array.from(tokens, ({ id }) => id),
      tokens: tokens.map(({ token }) => token),
      display: tokens.map(({ id }) => this.display(id)),
      spans: tokens.map(({ span }) => span),
      before: before.length,
      after: after.length,
      truncated: false,
    }
  }

  #text(id: number): string | null {
    const added = this.#added.get(id)
    if (added?.special) return null
    return this.#addedTexts.get(id) ?? this.#model.token(id) ?? null
  }

  #read(text: string): PlacedToken[] {
    const tokens = this.#sections.of(text).flatMap((section): PlacedToken[] => {
      if (section.added) return [{ id: section.added.id, token: section.added.content, span: section.span }]
      return this.#split(section.source).flatMap((word) => this.#pieces(word))
    })
    const { trim } = this.#template
    if (!trim) return tokens
    return tokens.map(({ id, token, span }, at) => ({
      id,
      token,
      span: span && trimSpan(span, token, at === 0, trim.addedSpace, text),
    }))
  }

  #pieces(word: AlignedText): PlacedToken[] {
    return this.#model.pieces(word.text).map(({ id, token, span }) => ({
      id,
      token,
      span: place(word, span.start, span.end),
    }))
  }
}

function templateToken({ id, token }: { id: number; token: string }): PlacedToken {
  return { id, token, span: null }
}

function lowercaseSetting(config: string | undefined): boolean | undefined {
  const value = objectOf(config)['do_lower_case']
  return typeof value === 'boolean' ? value : undefined
}
