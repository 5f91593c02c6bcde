// Texts as models read them, and the parameters of their runs.
import type { PartName } from '../engine/protocol/parts'
import type { ModelInfo } from '../engine/protocol/protocol'
import { readUpTo, type Reading, readPair } from '../text/reading'
import type { Choice } from '../viewstate/choice'
import type { EngineModel } from './engineModel'
import { afterSource, mostCandidates, type Sampling } from '../engine/protocol/generation'
import type { ParamsOfModel, TextRun } from '../engine/protocol/requests'
import { idsToContinue } from '../text/continuation'
import { parseInterventions, interventionsForRun } from './interventions'
import type { LoadedModel } from './engine.svelte'

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

/** A text as a model reads it. */
export interface Read {
  model: LoadedModel
  text: string
  reading: Reading
}

/** The parameters of every run: of these tokens, under this change. `beyondLength`: even if the model was made for fewer. */
export const tokenRun = (
  { ids, pair }: Pick<Reading, 'ids' | 'pair'>,
  { change, positionOffset = 0, beyondLength = false }: RunSettings = {},
): TextRun => ({
  ids,
  positionOffset,
  ...(pair ? { pair } : {}),
  ...(beyondLength ? { beyondLength } : {}),
  ...(change ? { change } : {}),
})

interface RunSettings {
  change?: TextRun['change'] | undefined
  positionOffset?: number
  beyondLength?: boolean
}

export const isBeyond = (length: number, model: Pick<ModelInfo, 'max_position_embeddings'>): boolean =>
  length > model.max_position_embeddings

/** The parameters of a run of this text under these interventions, as `interventionsText` writes them. */
export function runOf({ model, reading, interventions }: Omit<Read, 'text'> & { interventions: string }): TextRun {
  const { offset: positionOffset, ...changing } = parseInterventions(interventions)
  const rows = (reading.pair?.text ?? reading.ids).length
  const change = interventions === '' ? undefined : interventionsForRun(changing, model.info, model.fullInfo, rows)
  return tokenRun(reading, { change, positionOffset, beyondLength: isBeyond(reading.ids.length, model.info) })
}

/** The parameters of a continuation of this text. */
export function continuationOf({ model, reading }: Omit<Read, 'text'>, choice: Choice): ParamsOfModel<'generate'> {
  const { fullInfo } = model
  const { pair } = reading
  const settings = {
    ...sampling(choice),
    candidates: mostCandidates,
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
