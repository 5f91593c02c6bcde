// vocab.txt, for models without tokenizer.json: the same tokenizer, written as tokenizer.json would.

import type { Settings } from './settings'

/**
 * The tokenizer.json of a BERT vocabulary (one token a line, its number is its id): BertNormalizer, BertPreTokenizer, WordPiece and
 * the template `[CLS] text [SEP]`. `lowercase` is tokenizer_config.json's do_lower_case; where it says nothing, a vocabulary with capital
 * letters in its words keeps them.
 */
export function fromVocabulary(vocabulary: string, lowercase?: boolean): Settings {
  if (vocabulary.trim() === '') throw new Error('it is empty')
  const tokens = vocabulary.replace(/\r?\n$/, '').split(/\r?\n/)
  const ids = new Map<string, number>()
  tokens.forEach((token, id) => {
    if (!ids.has(token)) ids.set(token, id)
  })
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].filter((token) => ids.has(token))
  const cased = tokens.some((token) => !/^[[<].*[\]>]$/.test(token) && /\p{Lu}/u.test(token))
  return {
    version: '1.0',
    added_tokens: special.map((content) => ({
      id: ids.get(content),
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: lowercase ?? !cased,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: template(ids),
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(ids),
    },
  }
}

function template(ids: Map<string, number>): Settings | null {
  const first = ids.get('[CLS]')
  const last = ids.get('[SEP]')
  if (first === undefined || last === undefined) return null
  const token = (id: string) => ({ SpecialToken: { id, type_id: 0 } })
  return {
    type: 'TemplateProcessing',
    single: [token('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, token('[SEP]')],
    pair: [
      token('[CLS]'),
      { Sequence: { id: 'A', type_id: 0 } },
      token('[SEP]'),
      { Sequence: { id: 'B', type_id: 1 } },
      { SpecialToken: { id: '[SEP]', type_id: 1 } },
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [first], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [last], tokens: ['[SEP]'] },
    },
  }
}
