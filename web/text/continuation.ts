// The text that a model writes: from ids to text, and which characters it wrote.

import { movePlace, type Edit } from './edit'
import type { Reading } from './reading'

/** Turns ids into text one by one. An unfinished character waits for its bytes. */
export interface Writer {
  push(id: number): string
}

interface Detokenizer {
  /** `continues`: there is text before the ids. */
  stream(continues: boolean): Writer
}

/** The ids that a model continues: without those that the template puts after the text. */
export function idsToContinue({ ids, after }: Pick<Reading, 'ids' | 'after'>): Uint32Array {
  return ids.slice(0, ids.length - after)
}

/** Writes at the end of this text. */
export function writerAfter(
  speller: Detokenizer,
  text: string,
  { ids, spans, before, after }: Pick<Reading, 'ids' | 'spans' | 'before' | 'after'>,
): Writer {
  const stream = speller.stream(ids.length > before + after)
  const read = spans.findLast((span) => span !== null)?.end ?? 0
  // The text may end in a space that the tokenizer leaves out: the next word's own would be a second one.
  let skipsSpace = /^\s/.test(text.slice(read))
  return {
    push(id) {
      const written = stream.push(id)
      if (!skipsSpace || written === '') return written
      skipsSpace = false
      return written.replace(/^ /, '')
    },
  }
}

/** The place of a token that the model wrote, in UTF-16 units, end exclusive. */
interface WrittenToken {
  start: number
  end: number
  /** The number of its continuation. */
  continuation: number
}

/** The model's own tokens in a text, in order. */
export type WrittenTokens = readonly WrittenToken[]

/** The model's tokens that an edit leaves as they are, at their new places. */
export function unchangedTokens(written: WrittenTokens, edit: Edit): WrittenTokens {
  return written.flatMap((token) => {
    if (token.start < edit.before && token.end > edit.start) return []
    const start = movePlace(token.start, edit)
    return start === null ? [] : [{ ...token, start, end: start + token.end - token.start }]
  })
}

/**
 * The start of the text's last token, of its last unbroken continuation, or of all unbroken ones; undefined where the text does not end with
 * one.
 */
export function lastStart(
  written: WrittenTokens,
  length: number,
  of: 'token' | 'continuation' | 'writing',
): number | undefined {
  const last = written.at(-1)
  if (last?.end !== length) return undefined
  if (of === 'token') return last.start
  return written.reduceRight(
    (start, token) =>
      token.end === start && (of === 'writing' || token.continuation === last.continuation) ? token.start : start,
    last.start,
  )
}

/** Of the tokens after the first, which includes the prefill. `times` in milliseconds. */
export function tokensPerSecond(times: readonly number[]): number | undefined {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || last <= first) return undefined
  return ((times.length - 1) * 1000) / (last - first)
}

/** A stretch of a text for reading: whether the model wrote it. */
interface Passage {
  text: string
  written: boolean
}

/** The text from `from` on as running prose: without the spaces that a tokenizer put between its tokens, where the model wrote them. */
export function passages(text: string, written: WrittenTokens, from = 0): Passage[] {
  const seams = tokenizerSpaces(text)
  const read: Passage[] = []
  const add = (start: number, end: number, isWritten: boolean) => {
    const stays = Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at)
      .filter((at) => !isWritten || !seams.has(at))
      .map((at) => text[at])
      .join('')
    const last = read.at(-1)
    if (stays === '') return
    if (last?.written === isWritten) last.text += stays
    else read.push({ text: stays, written: isWritten })
  }
  let end = from
  for (const token of written) {
    add(end, token.start, false)
    add(Math.max(end, token.start), token.end, true)
    end = Math.max(end, token.end)
  }
  add(end, text.length, false)
  return read
}

/** The places of spaces that no writer puts there: around an apostrophe within a word, inside of quotes and brackets, before a comma. */
export function tokenizerSpaces(text: string): Set<number> {
  const found = new Set<number>()
  const drop = (pattern: RegExp) => {
    for (const { index, 0: match } of text.matchAll(pattern))
      for (let at = 0; at < match.length; at++) if (match[at] === ' ') found.add(index + at)
  }
  const inWord = /(?<=[\p{L}\p{N}]) ?['’] ?(?=(?:s|t|d|m|ll|re|ve)(?![\p{L}\p{N}]))/giu
  drop(inWord)
  drop(/ (?=[,.;:!?)\]}])|(?<=[([{]) /gu)
  const apostrophes = new Set([...text.matchAll(inWord)].map(({ index, 0: match }) => index + match.search(/['’]/)))
  const isLetter = (at: number) => /[\p{L}\p{N}]/u.test(text[at] ?? '')
  for (const quote of ['"', "'"]) {
    let opens = true
    for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
      // A letter before it makes an apostrophe of what would open a quotation.
      if (apostrophes.has(at) || (isLetter(at - 1) && (opens || isLetter(at + 1)))) continue
      const seam = opens ? at + 1 : at - 1
      if (text[seam] === ' ') found.add(seam)
      opens = !opens
    }
  }
  return found
}
