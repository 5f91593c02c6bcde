// The normalizer of tokenizer.json, with the place of each character.

import {
  BertNormalizer,
  LowercaseNormalizer,
  PrecompiledNormalizer,
  StripAccentsNormalizer,
} from '@huggingface/tokenizers'
import { AlignedTextBuilder, mapCharacters, prependText, replaceMatches, slice, type AlignedText } from './alignedText'
import type { Span } from './reading'
import { flag, part, parts, text, unknownPart, type Settings, compilePattern } from './settings'

export type Normalize = (source: AlignedText) => AlignedText

/** @throws {Failure} for an unknown normalizer */
export function compileNormalizer(settings: Settings | null): Normalize {
  if (!settings) return (source) => source
  switch (settings['type']) {
    case 'Sequence': {
      const steps = parts(settings, 'normalizers').map(compileNormalizer)
      return (source) => steps.reduce((now, step) => step(now), source)
    }
    case 'BertNormalizer':
      return bertNormalizer(settings)
    case 'Lowercase': {
      const lowercase = new LowercaseNormalizer({ type: 'Lowercase' })
      return (source) => mapCharacters(source, (character) => lowercase.normalize(character))
    }
    case 'StripAccents': {
      const stripAccents = new StripAccentsNormalizer({ type: 'StripAccents' })
      return (source) => mapCharacters(source, (character) => stripAccents.normalize(character))
    }
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

/** Character by character, as Hugging Face's Rust: of a whole text the library writes a final Σ as ς. */
function bertNormalizer(settings: Settings): Normalize {
  const lowercase = flag(settings, 'lowercase', true)
  const handleChinese = flag(settings, 'handle_chinese_chars', true)
  const library = new BertNormalizer({
    type: 'BertNormalizer',
    clean_text: flag(settings, 'clean_text', true),
    handle_chinese_chars: handleChinese,
    strip_accents: flag(settings, 'strip_accents', lowercase),
    lowercase,
  })
  return (source) =>
    mapCharacters(source, (character) => {
      const normalized = library.normalize(character)
      return handleChinese && rareChinese.test(character) ? ` ${normalized} ` : normalized
    })
}

/** Chinese characters of two UTF-16 units, which the library does not find. */
const rareChinese = /[\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u

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

type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/**
 * A text in a normalisation form. A character stands for all characters that it is composed of; Hugging Face's offsets name only the first of
 * them.
 */
function toForm(source: AlignedText, form: Form): AlignedText {
  // No form changes ASCII.
  if (/^[\u0000-\u007f]*$/.test(source.text)) return source
  const builder = new AlignedTextBuilder(source.origin)
  let start = 0
  let characters = ''
  const flush = (end: number): void => {
    const normal = characters.normalize(form)
    if (normal === characters) builder.copy(source, start, end)
    else recompose(source, start, characters, normal, form, builder)
  }
  let at = 0
  for (const character of source.text) {
    if (characters !== '' && !combines(characters, character, form)) {
      flush(at)
      start = at
      characters = ''
    }
    characters += character
    at += character.length
  }
  flush(at)
  return builder.result()
}

/** Whether a character and those before it must be normalised together. */
function combines(before: string, character: string, form: Form): boolean {
  if (character < '\u0300') return false
  if (/\p{M}/u.test(character)) return true
  return (before + character).normalize(form) !== before.normalize(form) + character.normalize(form)
}

/** A part of a decomposed character, with its span of the source. */
interface Part extends Span {
  character: string
}

/** Finds the parts of each normalised character: both texts decompose into the same parts, in another order. */
function recompose(
  source: AlignedText,
  from: number,
  characters: string,
  normal: string,
  form: Form,
  builder: AlignedTextBuilder,
): void {
  const decomposed: Form = form === 'NFC' || form === 'NFD' ? 'NFD' : 'NFKD'
  const parts: Part[] = []
  let at = from
  for (const character of characters) {
    const start = source.starts[at] ?? source.origin
    at += character.length
    const end = source.ends[at - 1] ?? start
    for (const part of character.normalize(decomposed)) parts.push({ character: part, start, end })
  }
  for (const character of normal) {
    let start = Number.POSITIVE_INFINITY
    let end = 0
    for (const part of character.normalize(decomposed)) {
      const found = parts.findIndex((other) => other.character === part)
      const [next] = parts.splice(Math.max(0, found), 1)
      if (!next) continue
      start = Math.min(start, next.start)
      end = Math.max(end, next.end)
    }
    builder.add(character, Math.min(start, end), end)
  }
}
