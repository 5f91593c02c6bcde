// Normalisation that remembers where each character came from, so that tokens can be found in the visitor's text.

/** A normalised text; entry i of `starts` and `ends` is the stretch of the source that UTF-16 unit i stands for. */
export interface Normalized {
  text: string
  starts: number[]
  ends: number[]
}

/** Normalises one code point; '' drops it. */
export type Normalize = (character: string) => string

/** The settings of Hugging Face's BertNormalizer, as tokenizer.json writes them. */
export interface BertNormalizer {
  clean_text: boolean
  handle_chinese_chars: boolean
  strip_accents: boolean | null
  lowercase: boolean
}

/**
 * BertNormalizer, code point by code point, as Hugging Face's Rust has it. The JavaScript library differs: it lower-cases whole texts
 * (a final Σ becomes ς) and looks for Chinese characters in halves of surrogate pairs.
 */
export function bertNormalize(settings: BertNormalizer): Normalize {
  const stripAccents = settings.strip_accents ?? settings.lowercase
  return (character) => {
    let result = character
    if (settings.clean_text) result = clean(result)
    if (settings.handle_chinese_chars && isChinese(result)) result = ` ${result} `
    if (stripAccents) result = result.normalize('NFD').replace(/\p{Mn}/gu, '')
    if (settings.lowercase) result = Array.from(result, (point) => point.toLowerCase()).join('')
    return result
  }
}

/** Applies `normalize` to each code point of `text`, whose first unit is number `offset` of the whole. */
export function normalizeMapped(text: string, offset: number, normalize: Normalize): Normalized {
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let at = offset
  for (const character of text) {
    const end = at + character.length
    const part = normalize(character)
    // A dropped accent belongs to the letter before it.
    if (part === '' && ends.length > 0 && /\p{Mn}/u.test(character)) ends[ends.length - 1] = end
    parts.push(part)
    for (let unit = 0; unit < part.length; unit++) {
      starts.push(at)
      ends.push(end)
    }
    at = end
  }
  return { text: parts.join(''), starts, ends }
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
