import { readPair } from '../text/pair'
import { readUpTo, type Reading } from '../text/reading'
import type { Choice } from './choice'
import type { LoadedModel } from './engine.svelte'
import { longestText } from './longest'

/** A text as a model reads it: an encoder–decoder a source and the text after it, and shows the tokens of one part. */
export function readBy(
  { tokenizer, whole }: Pick<LoadedModel, 'tokenizer' | 'whole'>,
  text: string,
  { beyond, part }: Pick<Choice, 'beyond' | 'part'>,
): Reading {
  const limit = longestText(whole, beyond)
  const id = whole.encoder ? whole.decoder_start_token_id : undefined
  if (id == null) return readUpTo(tokenizer, text, limit)
  return readPair(tokenizer, text, limit, { id, shown: tokenizer.display(id) }, part)
}
