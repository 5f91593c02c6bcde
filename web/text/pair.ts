// A source and the text after it as one text: a tab parts them, which no field for text takes in.

import type { Pair, PartName } from '../engine/protocol/parts'
import { readUpTo, type Reader, type Reading } from './reading'

/** What parts them. */
export const between = '\t'

/** The source, and the text after it; empty where nothing is written yet. */
export function parted(text: string): [source: string, after: string] {
  const at = text.indexOf(between)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** Both as one text. */
export const together = (source: string, after: string): string =>
  source.replaceAll(between, ' ') + (after === '' ? '' : between + after.replaceAll(between, ' '))

/** What a reading of both has to be run by; nothing of one text. */
export const pairOf = ({ pair }: Reading): { pair?: Pair } => (pair ? { pair } : {})

/** The token that every text begins with. */
export interface Start {
  id: number
  display: string
}

/**
 * Reads both, and shows the tokens of one part: spans are those of the whole text. What goes behind a source by the template does not go
 * behind the text: its end is to be written.
 */
export function readPair(
  reader: Reader,
  text: string,
  limit: number,
  start: Start,
  part: PartName,
): Reading & { pair: Pair } {
  const [source, after] = parted(text)
  const read = readUpTo(reader, source, limit)
  const written = readUpTo(reader, after, limit)
  const end = written.ids.length - written.after
  const limited = Math.min(end, written.before + limit - 1)
  const offset = source.length + between.length
  const spans = written.spans.map((span) => span && { start: span.start + offset, end: span.end + offset })
  const behind: Reading = {
    ids: Uint32Array.of(start.id, ...written.ids.subarray(written.before, limited)),
    tokens: [start.display, ...written.tokens.slice(written.before, limited)],
    display: [start.display, ...written.display.slice(written.before, limited)],
    spans: [null, ...spans.slice(written.before, limited)],
    before: 1,
    after: 0,
    truncated: read.truncated || written.truncated || limited < end,
  }
  const pair = { source: read.ids, text: behind.ids, part }
  if (part === 'encoder') return { ...read, truncated: behind.truncated, pair }
  if (part === 'decoder') return { ...behind, pair }
  return {
    ids: Uint32Array.of(...read.ids, ...behind.ids),
    tokens: [...read.tokens, ...behind.tokens],
    display: [...read.display, ...behind.display],
    spans: [...read.spans, ...behind.spans],
    before: read.before,
    after: 0,
    truncated: behind.truncated,
    pair,
  }
}
