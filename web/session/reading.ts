// Texts as models read them.
import type { PartName } from '../engine/protocol/parts'
import type { ModelInfo } from '../engine/protocol/protocol'
import { readPair } from '../text/pair'
import { readUpTo, type Reading } from '../text/reading'
import type { Choice } from '../viewstate/choice'
import type { EngineModel } from './engineModel'

type Reader = Pick<EngineModel, 'tokenizer' | 'fullInfo'>

/** A text up to `limit` tokens; of an encoder–decoder a source and the text after it, with the tokens of one part. */
export function readWithin({ tokenizer, fullInfo }: Reader, text: string, limit: number, part: PartName): Reading {
  const id = fullInfo.encoder ? fullInfo.decoder_start_token_id : undefined
  if (id == null) return readUpTo(tokenizer, text, limit)
  return readPair(tokenizer, text, limit, { id, display: tokenizer.display(id) }, part)
}

/** A text up to the longest that is run. */
export const readBy = (model: Reader, text: string, { beyond, part }: Pick<Choice, 'beyond' | 'part'>): Reading =>
  readWithin(model, text, longestText(model.fullInfo, beyond), part)

/** One head's map is read back up to this length. */
const mostTokens = 4096

/** Tokens of the longest text that is run: the model's own limit, or more where `beyond` asks for it and the model can. */
export function longestText({ max_position_embeddings, stretches }: ModelInfo, beyond: boolean): number {
  return beyond && stretches ? Math.max(max_position_embeddings, mostTokens) : max_position_embeddings
}

/** Positions of special tokens, of the template or written in the text. A mask counts as a word. */
export function specialPositions({ model, reading }: { model: Reader; reading: Reading }): ReadonlySet<number> {
  const { tokenizer } = model
  const found = [...reading.ids].flatMap((id, position) =>
    reading.spans[position] === null || (id !== tokenizer.maskId && tokenizer.isSpecial(id)) ? [position] : [],
  )
  return new Set(found)
}
