// The parameters of a run.
import type { ModelInfo } from '../engine/protocol/protocol'
import type { TextRun } from '../engine/protocol/requests'
import { pairOf } from '../text/pair'
import type { Reading } from '../text/reading'
import { readChange, runChange, type RunChange } from './change'
import type { LoadedModel } from './engine.svelte'

/** A text as a model reads it. */
export interface Read {
  model: LoadedModel
  text: string
  reading: Reading
}

/** Tokens, up to `length` in a row of them, under interventions in a request's words. */
export const tokenRun = (
  ids: Uint32Array,
  length: number,
  model: Pick<ModelInfo, 'max_position_embeddings'>,
  change: RunChange | undefined,
) => ({
  ids,
  ...(length > model.max_position_embeddings ? { beyondLength: true } : {}),
  ...(change ? { change } : {}),
})

/** The parameters of a run of this text under these interventions, as `changeKey` writes them. */
export function runOf({ model, reading, changed }: Omit<Read, 'text'> & { changed: string }): TextRun {
  const { offset, ...change } = readChange(changed)
  const { ids } = reading
  return {
    ...tokenRun(ids, ids.length, model.info, changed === '' ? undefined : runChange(change, model.info)),
    ...pairOf(reading),
    positionOffset: offset,
  }
}
