// How long a text may be.
import type { ModelInfo } from '../engine/protocol/protocol'

/** One head's map is read back up to this length. */
export const mostTokens = 4096

/** Tokens of the longest text that is run: the model's own limit, or more where `beyond` asks for it and the model can. */
export function longestText({ max_position_embeddings, stretches }: ModelInfo, beyond: boolean): number {
  return beyond && stretches ? Math.max(max_position_embeddings, mostTokens) : max_position_embeddings
}
