// Models that read Chinese by the word, as RoFormer and WoBERT: jieba splits their texts before WordPiece. The library with its dictionary
// (4 MB) is fetched only for such a model.

import type { TokenizerFiles } from '../engine/protocol/protocol'
import { slice, type AlignedText } from './alignedText'
import { split, type Split } from './preTokenizer'
import { isObject, objectOf } from '../engine/protocol/json'
import { part, type Settings } from './settings'

/** Splits a text into words; together they are the text. */
export type CutWords = (text: string) => readonly string[]

const word = /^\p{Script=Han}{2,}$/u

/** A vocabulary of characters has few words, one of words tens of thousands. */
const leastWords = 1000

/** BERT's Chinese characters. */
const character =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B820}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu

/** Whether a model with these files has a vocabulary of jieba's words, which tokenizer.json does not say. */
export function readsChineseWords({ tokenizer, vocabulary, config }: TokenizerFiles): boolean {
  const isNamed = objectOf(config)['tokenizer_class'] === 'RoFormerTokenizer'
  const tokens =
    vocabulary !== undefined ? vocabulary.split(/\r?\n/) : isNamed ? Object.keys(vocabularyOf(tokenizer) ?? {}) : []
  return tokens.filter((token) => word.test(token)).length >= (isNamed ? 1 : leastWords)
}

function vocabularyOf(tokenizer: string | undefined): Settings | null {
  const model = part(objectOf(tokenizer), 'model')
  const tokens = model?.['vocab']
  return isObject(tokens) ? tokens : null
}

/** Fetches jieba. */
export async function fetchJieba(): Promise<CutWords> {
  const { default: init, cut: splitText } = await import('jieba-wasm/web')
  await init()
  // Only words of the dictionary, as in RoFormerTokenizer.
  return (text) => splitText(text, false)
}

/** The settings without BERT's split of characters, which jieba replaces. */
export function withoutCharacterSplit(description: Settings): Settings {
  const normalizer = part(description, 'normalizer')
  return { ...description, normalizer: normalizer && { ...normalizer, handle_chinese_chars: false } }
}

/** Keeps words of the vocabulary; splits others into Chinese characters and removes spaces. */
export function splitByWords(cutWords: CutWords, has: (token: string) => boolean): Split {
  return (source) => {
    const pieces: AlignedText[] = []
    let start = 0
    for (const found of cutWords(source.text)) {
      const piece = slice(source, start, (start += found.length))
      if (has(found)) pieces.push(piece)
      else
        pieces.push(
          ...split(piece, /\p{White_Space}+/gu, 'Removed').flatMap((run) => split(run, character, 'Isolated')),
        )
    }
    return pieces
  }
}
