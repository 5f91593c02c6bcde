// Texts as they are given to a model.
import type { PartName } from '../engine/protocol/parts'
import type { HeldModel } from '../session/heldModel'
import { readBy } from '../session/reading'
import { together } from '../text/pair'
import type { Reading } from '../text/reading'
import { said } from '../i18n/package'
import { error } from './errors'

/** Of an encoder–decoder: what it reads, and the text after it, which may be left out. A string is a source without a text, or parted by a tab. */
export type Text = string | { source: string; text?: string }

/** A text as the model reads it: one entry a token. */
export interface Tokens {
  ids: Uint32Array
  /** As people read them. */
  tokens: string[]
}

/** Of an encoder–decoder: the text, which begins with the start token, and its source. */
export type TextTokens = Tokens & { source?: Tokens }

/** `part`: whose tokens are shown of an encoder–decoder. @throws {RopescopeError} */
export function read(held: HeldModel, text: Text, part: PartName = 'decoder'): Reading {
  const { whole } = held
  if (typeof text !== 'string' && !whole.encoder) throw error('no-source', said.noSource(whole.name))
  const one = typeof text === 'string' ? text : together(text.source, text.text ?? '')
  const reading = readBy(held, one, Infinity, part)
  if ((reading.pair?.source ?? reading.ids).length === 0) throw error('no-text', said.noText)
  return reading
}

/** The tokens of a text, and of its source. */
export function tokensOf(held: HeldModel, text: Text): TextTokens {
  const of = ({ ids, shown }: Reading): Tokens => ({ ids, tokens: shown })
  const reading = read(held, text)
  return reading.pair ? { ...of(reading), source: of(read(held, text, 'encoder')) } : of(reading)
}
