// The text that a model writes: from ids to text, and which characters it wrote.

import { movePlace, type Edit } from './edit'
import type { Reading } from './reading'

/** Turns ids into text one by one. An unfinished character waits for its bytes. */
export interface Writer {
  push(id: number): string
}

export interface Detokenizer {
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
export interface WrittenToken {
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

/** The start of the text's last token, or of its last unbroken continuation; undefined where the text does not end with one. */
export function lastStart(written: WrittenTokens, length: number, of: 'token' | 'continuation'): number | undefined {
  const last = written.at(-1)
  if (last?.end !== length) return undefined
  if (of === 'token') return last.start
  return written.reduceRight(
    (start, token) => (token.continuation === last.continuation && token.end === start ? token.start : start),
    last.start,
  )
}

/** Of the tokens after the first, which includes the prefill. `times` in milliseconds. */
export function tokensPerSecond(times: readonly number[]): number | undefined {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || last <= first) return undefined
  return ((times.length - 1) * 1000) / (last - first)
}
