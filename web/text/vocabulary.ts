// For models without tokenizer.json: the tokenizer.json of a vocab.txt. A token of a model of proteins is one
// residue, and its texts may be FASTA records.
import { failure } from '../engine/protocol/failure'
import { t } from './messages.en'
import { objectOf } from '../engine/protocol/json'
import { type Settings } from './settings'
import type { TokenizerFiles } from '../engine/protocol/protocol'

/**
 * The tokenizer.json of a vocabulary, which has one token a line, in the order of ids: BERT's WordPiece, or ESM's residues. `lowercase`:
 * do_lower_case of tokenizer_config.json; by default a vocabulary with capital letters keeps them.
 */
export function fromVocabulary(vocabulary: string, lowercase?: boolean): Settings {
  if (vocabulary.trim() === '') throw failure('tokenizer', () => t().empty)
  const tokens = vocabulary.replace(/\r?\n$/, '').split(/\r?\n/)
  const ids = new Map<string, number>()
  tokens.forEach((token, id) => {
    if (!ids.has(token)) ids.set(token, id)
  })
  const bert = templateAround(ids, '[CLS]', '[SEP]')
  const residues = isOfResidues(ids) ? templateAround(ids, '<cls>', '<eos>') : null
  if (residues) return esm(ids, residues)
  const cased = tokens.some((token) => !/^[[<].*[\]>]$/.test(token) && /\p{Uppercase}/u.test(token))
  return wordPiece(ids, bert, lowercase ?? !cased)
}

function wordPiece(ids: ReadonlyMap<string, number>, ends: Settings | null, lowercase: boolean): Settings {
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].filter((token) => ids.has(token))
  return {
    added_tokens: special.map((content) => ({ id: ids.get(content), content, special: true })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: ends,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: wordLevel(ids, '[UNK]'),
  }
}

const specialTokens = ['<cls>', '<pad>', '<eos>', '<unk>', '<mask>']

/** All tokens are added tokens, as in Hugging Face's EsmTokenizer: residues need no spaces between them. */
function esm(ids: ReadonlyMap<string, number>, ends: Settings): Settings {
  return {
    added_tokens: Array.from(ids, ([content, id]) => ({
      id,
      content,
      special: specialTokens.includes(content),
      normalized: false,
    })),
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: ends,
    model: wordLevel(ids, '<unk>'),
  }
}

function wordLevel(ids: ReadonlyMap<string, number>, unknown: string): Settings {
  return {
    type: 'WordPiece',
    unk_token: unknown,
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(ids),
  }
}

/** The post-processor that puts these tokens around a text; null where one is missing. */
function templateAround(ids: ReadonlyMap<string, number>, begin: string, end: string): Settings | null {
  const [first, last] = [ids.get(begin), ids.get(end)]
  if (first === undefined || last === undefined) return null
  return { type: 'BertProcessing', cls: [begin, first], sep: [end, last] }
}

/** Whether a vocabulary is of residues, as ESM's: with <cls> and <eos>, and without [CLS] and [SEP]. */
function isOfResidues(tokens: ReadonlySet<string> | ReadonlyMap<string, number>): boolean {
  return tokens.has('<cls>') && tokens.has('<eos>') && !(tokens.has('[CLS]') && tokens.has('[SEP]'))
}

export function readsResidues({ tokenizer, vocabulary, config }: TokenizerFiles): boolean {
  if (objectOf(config)['tokenizer_class'] === 'EsmTokenizer') return true
  return tokenizer === undefined && isOfResidues(new Set((vocabulary ?? '').split(/\r?\n/)))
}

/**
 * The sequence of a FASTA record. Its description and later records become spaces, so that all places stay. Other texts are returned
 * unchanged.
 */
export function sequenceOf(text: string): string {
  const description = /^\s*>[^\r\n]*/.exec(text)?.[0].length
  if (description === undefined) return text
  const rest = text.slice(description)
  const next = /[\r\n]\s*>/.exec(rest)?.index ?? rest.length
  return ' '.repeat(description) + rest.slice(0, next) + ' '.repeat(rest.length - next)
}
