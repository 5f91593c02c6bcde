// The normalizer of tokenizer.json, with the place of each character.

import { PrecompiledNormalizer } from '@huggingface/tokenizers'
import {
  AlignedTextBuilder,
  mapCharacters,
  prependText,
  replaceMatches,
  slice,
  type AlignedText,
  type Change,
} from './alignedText'
import { compilePattern } from './pattern'
import { flag, part, parts, text, unknownPart, type Settings } from './settings'
import { toForm } from './unicodeForm'

export type Normalize = (source: AlignedText) => AlignedText

/** @throws {Failure} for an unknown normalizer */
export function compileNormalizer(settings: Settings | null): Normalize {
  if (!settings) return (source) => source
  switch (settings['type']) {
    case 'Sequence': {
      const steps = parts(settings, 'normalizers').map(compileNormalizer)
      return (source) => steps.reduce((now, step) => step(now), source)
    }
    case 'BertNormalizer': {
      const change = bertNormalize(settings)
      return (source) => mapCharacters(source, change)
    }
    case 'Lowercase':
      return (source) => mapCharacters(source, (character) => character.toLowerCase())
    case 'StripAccents':
      return (source) => mapCharacters(source, (character) => (/\p{M}/u.test(character) ? '' : character))
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD': {
      const form = settings['type']
      return (source) => toForm(source, form)
    }
    case 'Prepend': {
      const content = text(settings, 'prepend')
      return (source) => prependText(source, content)
    }
    case 'Replace': {
      const pattern = compilePattern(part(settings, 'pattern'))
      const content = text(settings, 'content')
      return (source) => replaceMatches(source, pattern, content)
    }
    case 'Strip': {
      const left = flag(settings, 'strip_left')
      const right = flag(settings, 'strip_right')
      return (source) => strip(source, left, right)
    }
    case 'Precompiled': {
      const charsmap = text(settings, 'precompiled_charsmap')
      const normalizer = new PrecompiledNormalizer({ type: 'Precompiled', precompiled_charsmap: charsmap })
      return (source) => normalizeText(source, (characters) => normalizer.normalize(characters))
    }
    default:
      throw unknownPart('normalizer', settings)
  }
}

/**
 * BertNormalizer, code point by code point, as in Hugging Face's Rust. The JavaScript library differs: it lower-cases whole texts (a final Σ
 * becomes ς) and searches Chinese characters in halves of surrogate pairs.
 */
function bertNormalize(settings: Settings): Change {
  const lowercase = flag(settings, 'lowercase', true)
  const stripAccents = flag(settings, 'strip_accents', lowercase)
  const cleanText = flag(settings, 'clean_text', true)
  const handleChinese = flag(settings, 'handle_chinese_chars', true)
  return (character) => {
    let result = character
    if (cleanText) result = clean(result)
    if (handleChinese && isChinese(result)) result = ` ${result} `
    if (stripAccents) result = result.normalize('NFD').replace(/\p{Mn}/gu, '')
    if (lowercase) result = Array.from(result, (point) => point.toLowerCase()).join('')
    return result
  }
}

function clean(character: string): string {
  if (character === '\t' || character === '\n' || character === '\r') return ' '
  if (character === '\0' || character === '\ufffd' || /\p{Cc}|\p{Cf}|\p{Co}|\p{Cs}/u.test(character)) return ''
  return /\s/u.test(character) ? ' ' : character
}

const chinese: readonly [number, number][] = [
  [0x4e00, 0x9fff],
  [0x3400, 0x4dbf],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b920, 0x2ceaf],
  [0xf900, 0xfaff],
  [0x2f800, 0x2fa1f],
]

function isChinese(character: string): boolean {
  const point = character.codePointAt(0) ?? 0
  return chinese.some(([first, last]) => point >= first && point <= last)
}

function strip(source: AlignedText, left: boolean, right: boolean): AlignedText {
  const start = left ? (/^\p{White_Space}*/u.exec(source.text)?.[0].length ?? 0) : 0
  const end = right
    ? source.text.length - (/\p{White_Space}*$/u.exec(source.text)?.[0].length ?? 0)
    : source.text.length
  return { ...slice(source, start, Math.max(start, end)), origin: source.origin }
}

/** Normalises character by character where that gives the same result; else the whole text gets one span. */
function normalizeText(source: AlignedText, normalize: (characters: string) => string): AlignedText {
  const normalized = normalize(source.text)
  const byCharacter = mapCharacters(source, normalize)
  if (byCharacter.text === normalized) return byCharacter
  const builder = new AlignedTextBuilder(source.origin)
  builder.add(normalized, source.starts[0] ?? source.origin, source.ends[source.text.length - 1] ?? source.origin)
  return builder.result()
}
