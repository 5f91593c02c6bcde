// What a model writes at the end of a text: ids to text as they come, and how to take them back.

import { movePlace, type Edit } from './edit'
import type { Reading } from './reading'

/** Ids to text, one after another: each push gives the text that is certain by then; bytes that split a character are held back. */
export interface Writer {
  push(id: number): string
}

/** What turns ids into text. `continues`: there is text before them. */
export interface Detokenizer {
  stream(continues: boolean): Writer
}

/** The ids that a model goes on after: what its template puts behind the text is left off. */
export function idsToContinue({ ids, after }: Pick<Reading, 'ids' | 'after'>): Uint32Array {
  return ids.slice(0, ids.length - after)
}

/** Writes at the end of this text, as it was read. */
export function writerAfter(
  speller: Detokenizer,
  text: string,
  { ids, spans, before, after }: Pick<Reading, 'ids' | 'spans' | 'before' | 'after'>,
): Writer {
  const stream = speller.stream(ids.length > before + after)
  const read = spans.findLast((span) => span !== null)?.end ?? 0
  // A blank that the tokenizer does not read is there already: the next word's own would be a second one.
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

/** Where a token that the model wrote stands in the text, in UTF-16 units, end exclusive. */
export interface WrittenToken {
  start: number
  end: number
  /** Counts the continuations: tokens of one belong together. */
  continuation: number
}

/** The model's own tokens in a text, in order. */
export type WrittenTokens = readonly WrittenToken[]

/** What the model wrote and still stands there as it wrote it, after an edit. */
export function unchangedTokens(written: WrittenTokens, edit: Edit): WrittenTokens {
  return written.flatMap((token) => {
    if (token.start < edit.before && token.end > edit.start) return []
    const start = movePlace(token.start, edit)
    return start === null ? [] : [{ ...token, start, end: start + token.end - token.start }]
  })
}

/** Where the text's last token, or its last continuation as far as it is unbroken, begins; undefined where someone else wrote on. */
export function lastStart(written: WrittenTokens, length: number, of: 'token' | 'continuation'): number | undefined {
  const last = written.at(-1)
  if (last?.end !== length) return undefined
  if (of === 'token') return last.start
  return written.reduceRight(
    (start, token) => (token.continuation === last.continuation && token.end === start ? token.start : start),
    last.start,
  )
}

/** How fast tokens come: those after the first, because the first has the whole text to read. Times in milliseconds. */
export function tokensPerSecond(times: readonly number[]): number | undefined {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || last <= first) return undefined
  return ((times.length - 1) * 1000) / (last - first)
}
