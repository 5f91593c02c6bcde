// How long a text may be.
import type { ModelInfo } from '../engine/protocol/protocol'

/** One head's map is read back up to this length. */
export const mostTokens = 4096

/** The tokens of the longest text that is run: those that the model is made for, or where it goes on beyond and that is asked for, more. */
export function longestText({ max_position_embeddings, stretches }: ModelInfo, beyond: boolean): number {
  return beyond && stretches ? Math.max(max_position_embeddings, mostTokens) : max_position_embeddings
}
