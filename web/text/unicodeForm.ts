// Unicode normalisation forms, with the place of each character.

import { AlignedTextBuilder, type AlignedText } from './alignedText'
import type { Span } from './reading'

export type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/**
 * A text in a normalisation form. A character stands for all characters that it is composed of; Hugging Face's offsets name only the first of
 * them.
 */
export function toForm(source: AlignedText, form: Form): AlignedText {
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
