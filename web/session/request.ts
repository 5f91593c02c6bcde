// The parameters of runs.
import type { ModelInfo } from '../engine/protocol/protocol'
import { afterSource, type Sampling } from '../engine/protocol/generation'
import type { ParamsOfModel, TextRun } from '../engine/protocol/requests'
import { idsToContinue } from '../text/continuation'
import { pairOf } from '../text/pair'
import type { Reading } from '../text/reading'
import type { Choice } from '../viewstate/choice'
import { readChange, runChange, type RunChange } from './change'
import type { LoadedModel } from './engine.svelte'

/** A text as a model reads it. */
export interface Read {
  model: LoadedModel
  text: string
  reading: Reading
}

/** The parameters of a run of these ids. `length`: tokens of its longest text. */
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

/** The parameters of a continuation of this text. */
export function continuationOf({ model, reading }: Omit<Read, 'text'>, choice: Choice): ParamsOfModel<'generate'> {
  const { fullInfo } = model
  const { pair } = reading
  const settings = {
    ...sampling(choice),
    maxNewTokens: choice.maxNewTokens,
    stopIds: fullInfo.eos_token_ids,
    beyondLength: choice.beyond && fullInfo.stretches,
    ...(pair && fullInfo.writing ? afterSource(pair, fullInfo.writing, choice) : {}),
  }
  return { ids: pair?.text ?? idsToContinue(reading), settings }
}

/** The choice's settings of sampling. */
export function sampling({ temperature, topK, topP, minP, repetitionPenalty, seed }: Sampling): Sampling {
  return { temperature, topK, topP, minP, repetitionPenalty, seed }
}
