// Texts as a developer writes them, and as a model reads them.
import type { PartName } from '../engine/protocol/parts'
import type { EngineModel } from '../session/engineModel'
import { readWithin } from '../session/reading'
import { type Reading, joinPair } from '../text/reading'
import { messages } from './messages.en'
import { error } from './errors'

/** An encoder–decoder takes a source and a text, which is optional. A string is its source, or a source, a tab and a text. */
export type Text = string | { source: string; text?: string }

/** A text's tokens, with their strings. */
export interface Tokens {
  ids: Uint32Array
  tokens: string[]
}

/** Of an encoder–decoder: the text, which begins with the start token, and its source. */
export type TextTokens = Tokens & { source?: Tokens }

/** @param part of an encoder–decoder, whose tokens are read. @throws {RopescopeError} */
export function read(model: EngineModel, text: Text, part: PartName = 'decoder'): Reading {
  const { fullInfo: info } = model
  if (typeof text !== 'string' && !info.encoder) throw error('no-source', messages.noSource(info.name))
  const joined = typeof text === 'string' ? text : joinPair(text.source, text.text ?? '')
  const reading = readWithin(model, joined, Infinity, part)
  if ((reading.pair?.source ?? reading.ids).length === 0) throw error('no-text', messages.noText)
  return reading
}

/** The tokens of a text, and of its source. */
export function tokensOf(model: EngineModel, text: Text): TextTokens {
  const tokens = ({ ids, display }: Reading): Tokens => ({ ids, tokens: display })
  const reading = read(model, text)
  return reading.pair ? { ...tokens(reading), source: tokens(read(model, text, 'encoder')) } : tokens(reading)
}
