// The pre_tokenizer of tokenizer.json splits a text, with the place of each character.

import { failure } from '../engine/protocol/failure'
import { t } from './messages.en'
import { mapCharacters, prependText, replaceMatches, slice, type AlignedText } from './alignedText'
import { byteCharacters, utf8 } from './bytes'
import { flag, part, parts, text, unknownPart, type Settings, compilePattern, translate } from './settings'

/** Splits a text, and may remove or rewrite parts. */
export type Split = (source: AlignedText) => AlignedText[]

/** From GPT-2. */
const byteLevelWords = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

/** \w+|[^\w\s]+ with the \w of Rust's regular expressions: joiners belong to words, raised digits do not. */
const wordsAndSigns = (() => {
  const letters = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`
  return new RegExp(String.raw`[${letters}]+|[^${letters}\p{White_Space}]+`, 'gu')
})()

const punctuation = /[!-/:-@[-`{-~]|\p{P}/gu

/** @throws {Failure} for an unknown pre-tokenizer */
export function compilePreTokenizer(settings: Settings | null): Split {
  if (!settings) return (source) => [source]
  switch (settings['type']) {
    case 'Sequence': {
      const cuts = parts(settings, 'pretokenizers').map(compilePreTokenizer)
      return (source) => cuts.reduce((pieces, apply) => pieces.flatMap(apply).filter(isNotEmpty), [source])
    }
    case 'ByteLevel':
      return byteLevel(flag(settings, 'add_prefix_space', true), flag(settings, 'use_regex', true))
    case 'Metaspace':
      return metaspace(settings)
    case 'Split': {
      const pattern = compilePattern(part(settings, 'pattern'))
      const behavior = behaviorOf(settings)
      const invert = flag(settings, 'invert')
      return (source) => split(source, pattern, behavior, invert)
    }
    case 'BertPreTokenizer':
      return (source) =>
        split(source, /\p{White_Space}/gu, 'Removed').flatMap((word) => split(word, punctuation, 'Isolated'))
    case 'Punctuation': {
      const behavior = behaviorOf(settings)
      return (source) => split(source, punctuation, behavior)
    }
    case 'Digits': {
      const behavior = flag(settings, 'individual_digits') ? 'Isolated' : 'Contiguous'
      return (source) => split(source, /\p{N}/gu, behavior)
    }
    case 'Whitespace': {
      return (source) => split(source, wordsAndSigns, 'Removed', true)
    }
    case 'WhitespaceSplit':
      return (source) => split(source, /\p{White_Space}/gu, 'Removed')
    default:
      throw unknownPart('pre-tokenizer', settings)
  }
}

function byteLevel(addPrefixSpace: boolean, useRegex: boolean): Split {
  const words = translate(byteLevelWords)
  const bytes = (character: string) => Array.from(utf8(character), (byte) => byteCharacters[byte]).join('')
  return (source) => {
    const spaced = addPrefixSpace && !source.text.startsWith(' ') ? prependText(source, ' ') : source
    const pieces = useRegex ? split(spaced, words, 'Isolated') : [spaced]
    return pieces.map((piece) => mapCharacters(piece, bytes))
  }
}

function metaspace(settings: Settings): Split {
  const replacement = text(settings, 'replacement', '\u2581')
  const scheme = settings['add_prefix_space'] === false ? 'never' : text(settings, 'prepend_scheme', 'always')
  const splits = flag(settings, 'split', true)
  const pattern = new RegExp(replacement, 'gu')
  return (source) => {
    const spaced = replaceMatches(source, / /gu, replacement)
    const prepends = scheme === 'always' || (scheme === 'first' && source.origin === 0)
    const words = prepends && !spaced.text.startsWith(replacement) ? prependText(spaced, replacement) : spaced
    return splits ? split(words, pattern, 'MergedWithNext') : [words]
  }
}

type Behavior = 'Removed' | 'Isolated' | 'Contiguous' | 'MergedWithPrevious' | 'MergedWithNext'
const behaviors: readonly Behavior[] = ['Removed', 'Isolated', 'Contiguous', 'MergedWithPrevious', 'MergedWithNext']

function behaviorOf(settings: Settings): Behavior {
  const name = text(settings, 'behavior', 'Isolated')
  const found = behaviors.find((behavior) => behavior === name)
  if (!found) throw failure('tokenizer', () => t().behavior(name))
  return found
}

interface Part {
  start: number
  end: number
  match: boolean
}

/** Splits at the matches, with `invert` between them, as Hugging Face's NormalizedString::split. */
export function split(source: AlignedText, pattern: RegExp, behavior: Behavior, invert = false): AlignedText[] {
  const found: Part[] = []
  let done = 0
  for (const match of source.text.matchAll(pattern)) {
    const end = match.index + match[0].length
    if (match.index > done) found.push({ start: done, end: match.index, match: invert })
    found.push({ start: match.index, end, match: !invert })
    done = end
  }
  if (done < source.text.length) found.push({ start: done, end: source.text.length, match: invert })
  return applyBehavior(found, behavior)
    .map(({ start, end }) => slice(source, start, end))
    .filter(isNotEmpty)
}

function applyBehavior(found: readonly Part[], behavior: Behavior): Part[] {
  switch (behavior) {
    case 'Removed':
      return found.filter(({ match }) => !match)
    case 'Isolated':
      return [...found]
    case 'Contiguous':
      return mergeParts(found, (part, previous) => part.match === previous)
    case 'MergedWithPrevious':
      return mergeParts(found, (part, previous) => part.match && !previous)
    case 'MergedWithNext':
      return mergeParts([...found].reverse(), (part, previous) => part.match && !previous).reverse()
  }
}

/** Merges a part with the former one where `isMerged`. */
function mergeParts(found: readonly Part[], isMerged: (part: Part, previous: boolean) => boolean): Part[] {
  const result: Part[] = []
  let previous = false
  for (const part of found) {
    const last = result.at(-1)
    if (last && isMerged(part, previous)) {
      last.start = Math.min(last.start, part.start)
      last.end = Math.max(last.end, part.end)
    } else {
      result.push({ ...part })
    }
    previous = part.match
  }
  return result
}

function isNotEmpty(source: AlignedText): boolean {
  return source.text !== ''
}
