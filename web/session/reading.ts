import type { PartName } from '../engine/protocol/parts'
import { readPair } from '../text/pair'
import { readUpTo, type Reading } from '../text/reading'
import type { HeldModel } from './heldModel'

/** A text as a model reads it, up to so many tokens: an encoder–decoder a source and the text after it, and shows the tokens of one part. */
export function readBy(
  { tokenizer, whole }: Pick<HeldModel, 'tokenizer' | 'whole'>,
  text: string,
  limit: number,
  part: PartName,
): Reading {
  const id = whole.encoder ? whole.decoder_start_token_id : undefined
  if (id == null) return readUpTo(tokenizer, text, limit)
  return readPair(tokenizer, text, limit, { id, shown: tokenizer.display(id) }, part)
}
