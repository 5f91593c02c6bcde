// What Hugging Face's JavaScript library lacks (web/text/README.md). A test that fails here means that the library has mended it: our part can go.

import {
  BertNormalizer,
  BertPreTokenizer,
  ByteFallbackDecoder,
  DigitsPreTokenizer,
  MetaspaceDecoder,
  MetaspacePreTokenizer,
  PunctuationPreTokenizer,
  SplitPreTokenizer,
  StripNormalizer,
  TemplateProcessingPostProcessor,
  WhitespacePreTokenizer,
  WordPieceDecoder,
} from '@huggingface/tokenizers'
import { describe, expect, it } from 'vitest'

const bert = new BertNormalizer({ type: 'BertNormalizer', handle_chinese_chars: true, lowercase: true })

describe('the library differs from Hugging Face’s Rust', () => {
  it('BertNormalizer: Chinese characters of two UTF-16 units get no spaces', () => {
    expect(bert.normalize('\u{20000}')).toBe('\u{20000}')
  })

  it('BertNormalizer: a final Σ becomes ς', () => {
    expect(bert.normalize('ΟΣ')).toBe('ος')
  })

  it('Strip: removes U+FEFF, which is no white space of Unicode', () => {
    expect(new StripNormalizer({ type: 'Strip', strip_left: true }).normalize('\ufeffa')).toBe('a')
  })

  it('BertPreTokenizer: splits at U+FEFF', () => {
    expect(new BertPreTokenizer().pre_tokenize('a\ufeffb')).toEqual(['a', 'b'])
  })

  it('Whitespace: only ASCII letters are words', () => {
    expect(new WhitespacePreTokenizer().pre_tokenize('naïve')).toEqual(['na', 'ï', 've'])
  })

  it('Digits: only ASCII digits', () => {
    expect(new DigitsPreTokenizer({ type: 'Digits', individual_digits: true }).pre_tokenize('a٣')).toEqual(['a٣'])
  })

  it('Punctuation and Split: behaviors are ignored', () => {
    expect(new PunctuationPreTokenizer({ type: 'Punctuation', behavior: 'Isolated' }).pre_tokenize('..')).toEqual([
      '..',
    ])
    const split = new SplitPreTokenizer({
      type: 'Split',
      pattern: { String: ' ' },
      behavior: 'MergedWithNext',
      invert: false,
    })
    expect(split.pre_tokenize('a b')).toEqual(['a', ' ', 'b'])
  })

  it('Metaspace: words are not split', () => {
    expect(new MetaspacePreTokenizer({ type: 'Metaspace' }).pre_tokenize('a b')).toEqual(['▁a▁b'])
  })

  it('the template gives names, not the tokens and ids that they stand for', () => {
    const template = new TemplateProcessingPostProcessor({
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: 'begin', ids: [], tokens: [] } }],
      pair: [],
      special_tokens: { begin: { id: 'begin', ids: [1, 2], tokens: ['<a>', '<b>'] } },
    })
    expect(template.post_process([]).tokens).toEqual(['begin'])
  })

  it('the Metaspace decoder: prepend_scheme is ignored', () => {
    expect(new MetaspaceDecoder({ type: 'Metaspace', prepend_scheme: 'never' }).decode(['▁a'])).toBe('a')
  })

  it('the ByteFallback decoder: a byte order mark is lost', () => {
    expect(new ByteFallbackDecoder({ type: 'ByteFallback' }).decode(['<0xEF>', '<0xBB>', '<0xBF>'])).toBe('')
  })

  it('the WordPiece decoder: “do not” is not written as “don’t”', () => {
    const decoder = new WordPieceDecoder({ type: 'WordPiece', prefix: '##', cleanup: true })
    expect(decoder.decode(['we', 'do not'])).toBe('we do not')
  })
})
