import type { PartName } from '../engine/protocol/parts'
import { readPair } from '../text/pair'
import { readUpTo, type Reading } from '../text/reading'
import type { EngineModel } from './engineModel'

/** A text as a model reads it, up to `limit` tokens; of an encoder–decoder a source and the text after it, with the tokens of one part. */
export function readBy(
  { tokenizer, fullInfo }: Pick<EngineModel, 'tokenizer' | 'fullInfo'>,
  text: string,
  limit: number,
  part: PartName,
): Reading {
  const id = fullInfo.encoder ? fullInfo.decoder_start_token_id : undefined
  if (id == null) return readUpTo(tokenizer, text, limit)
  return readPair(tokenizer, text, limit, { id, display: tokenizer.display(id) }, part)
}
