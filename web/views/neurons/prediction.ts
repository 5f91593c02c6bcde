// The best prediction before and after a change.
import { percent } from '../../i18n/numbers'
import { predictedPosition, predictions } from '../../session/predictions'
import type { Run } from '../../session/runs.svelte'

export interface PredictionChange {
  position: number
  /** The best tokens, with their probabilities. */
  before: { token: string; chance: string }
  after: { token: string; chance: string }
}

/** Undefined where nothing is predicted, as in an encoder with a decoder. */
export function predictionChange(baseline: Run, run: Run, query: number): PredictionChange | undefined {
  if (run.reading.pair?.part === 'encoder' || baseline.reading !== run.reading) return undefined
  const position = predictedPosition(run.result.rows, query)
  const best = ({ result, model }: Run) =>
    predictions(result, (id) => model.tokenizer.display(id)).find((one) => one.position === position)?.fills[0]
  const [before, after] = [best(baseline), best(run)]
  if (position === undefined || !before || !after) return undefined
  const named = ({ token, probability }: typeof before) => ({ token, chance: percent(probability) })
  return { position, before: named(before), after: named(after) }
}
