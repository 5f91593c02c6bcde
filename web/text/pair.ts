// A source and its target as one text, separated by a tab, which cannot be typed into a text field.

import type { Pair, PartName } from '../engine/protocol/parts'
import { readUpTo, type Reader, type Reading } from './reading'

export const separator = '\t'

/** `after` may be empty. */
export function splitPair(text: string): [source: string, after: string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

export const joinPair = (source: string, after: string): string =>
  source.replaceAll(separator, ' ') + (after === '' ? '' : separator + after.replaceAll(separator, ' '))

/** For a run's parameters; empty for a model without an encoder. */
export const pairOf = ({ pair }: Reading): { pair?: Pair } => (pair ? { pair } : {})

/** The start token of the target. */
export interface Start {
  id: number
  display: string
}

/**
 * Reads both, with the tokens of one part; spans are places in the whole text. The target has no tokens of the template after it, because the
 * model writes its end.
 */
export function readPair(
  reader: Reader,
  text: string,
  limit: number,
  start: Start,
  part: PartName,
): Reading & { pair: Pair } {
  const [source, after] = splitPair(text)
  const read = readUpTo(reader, source, limit)
  const written = readUpTo(reader, after, limit)
  const end = written.ids.length - written.after
  const limited = Math.min(end, written.before + limit - 1)
  const offset = source.length + separator.length
  const spans = written.spans.map((span) => span && { start: span.start + offset, end: span.end + offset })
  const target: Reading = {
    ids: Uint32Array.of(start.id, ...written.ids.subarray(written.before, limited)),
    tokens: [start.display, ...written.tokens.slice(written.before, limited)],
    display: [start.display, ...written.display.slice(written.before, limited)],
    spans: [null, ...spans.slice(written.before, limited)],
    before: 1,
    after: 0,
    truncated: read.truncated || written.truncated || limited < end,
  }
  const pair = { source: read.ids, text: target.ids, part }
  if (part === 'encoder') return { ...read, truncated: target.truncated, pair }
  if (part === 'decoder') return { ...target, pair }
  return {
    ids: Uint32Array.of(...read.ids, ...target.ids),
    tokens: [...read.tokens, ...target.tokens],
    display: [...read.display, ...target.display],
    spans: [...read.spans, ...target.spans],
    before: read.before,
    after: 0,
    truncated: target.truncated,
    pair,
  }
}
