// The parameters of a run.
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

/** Whether a text is longer than the model's own limit. */
export const isBeyondLength = ({ model, reading }: Pick<Read, 'model' | 'reading'>): boolean =>
  reading.ids.length > model.info.max_position_embeddings

/** The parameters of a run of this text under these interventions. */
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
