// What a run of a text is, whoever asks for it.
import type { TextRun } from '../engine/protocol/requests'
import { pairOf } from '../text/pair'
import type { Reading } from '../text/reading'
import { changeKey, runChange, type Changing } from './change'
import type { LoadedModel } from './engine.svelte'

/** A text as a model reads it. */
export interface Read {
  model: LoadedModel
  text: string
  reading: Reading
}

/** Whether a text is longer than its model is made for: only one that was let through is. */
export const isBeyondLength = ({ model, reading }: Pick<Read, 'model' | 'reading'>): boolean =>
  reading.ids.length > model.info.max_position_embeddings

/** What the engine is asked to run of a text, with what is changed in the model. */
export function runOf(read: Pick<Read, 'model' | 'reading'>, change: Changing): TextRun {
  const { model, reading } = read
  return {
    ids: reading.ids,
    ...pairOf(reading),
    positionOffset: change.offset,
    ...(isBeyondLength(read) ? { beyondLength: true } : {}),
    ...(changeKey(change) === '' ? {} : { change: runChange(change, model.info) }),
  }
}
