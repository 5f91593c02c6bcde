// Models that read Chinese by the word: RoFormer's and WoBERT's texts are cut by jieba before WordPiece sees them. The library and its
// dictionary (4 MB) are fetched when such a model is opened, and by nobody else.

import type { TokenizerFiles } from '../engine/protocol/protocol'
import { slice, type AlignedText } from './alignedText'
import { split, type Split } from './preTokenizer'
import { isSettings, part, settingsOf, type Settings } from './settings'

/** Words of a text, one after the other, nothing left out. */
export type CutWords = (text: string) => readonly string[]

/** Two Han characters or more in one token. */
const word = /^\p{Script=Han}{2,}$/u

/** A vocabulary of characters has hardly any word, one of words tens of thousands. */
const leastWords = 1000

/** What BERT sets apart as a Chinese character. */
const character =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B820}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu

/** Whether the vocabulary of a model with these files is of words that jieba cuts. tokenizer.json, where there is one, does not say so. */
export function readsChineseWords({ tokenizer, vocabulary, config }: TokenizerFiles): boolean {
  const isNamed = settingsOf(config)['tokenizer_class'] === 'RoFormerTokenizer'
  const tokens =
    vocabulary !== undefined ? vocabulary.split(/\r?\n/) : isNamed ? Object.keys(vocabularyOf(tokenizer) ?? {}) : []
  return tokens.filter((token) => word.test(token)).length >= (isNamed ? 1 : leastWords)
}

function vocabularyOf(tokenizer: string | undefined): Settings | null {
  const model = part(settingsOf(tokenizer), 'model')
  const tokens = model?.['vocab']
  return isSettings(tokens) ? tokens : null
}

/** Fetches jieba. */
export async function fetchJieba(): Promise<CutWords> {
  const { default: init, cut: splitText } = await import('jieba-wasm/web')
  await init()
  // Without guesses of words that the dictionary has not, as RoFormerTokenizer asks for it.
  return (text) => splitText(text, false)
}

/** A tokenizer's settings for texts that jieba cuts: characters are not set apart before it. */
export function withoutCharacterSplit(description: Settings): Settings {
  const normalizer = part(description, 'normalizer')
  return { ...description, normalizer: normalizer && { ...normalizer, handle_chinese_chars: false } }
}

/** Words that the vocabulary has stay whole; of others each Chinese character stands alone, and spaces vanish. */
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
