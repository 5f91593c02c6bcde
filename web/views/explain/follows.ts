// What follows from interventions for the best guess, in a sentence.
import { percent } from '../../i18n/numbers'
import { number, token, type Piece, type Sentence } from '../../i18n/rich'
import { fillChanges, guess } from '../../session/guesses'
import { changeInWords, existingChange, parseInterventions, rowsOf } from '../../session/interventions'
import { predictedPosition, predictions, verdict } from '../../session/predictions'
import type { Run } from '../../session/runs.svelte'
import { siteOfToken } from '../sites'
import { t } from './messages.en'

/** @param baseline the same text without interventions @param query the selected position */
export function whatFollows(run: Run, baseline: Run, query: number): Sentence | string {
  const { info, fullInfo } = run.model
  const change = changeInWords(
    existingChange(parseInterventions(run.interventions), info, fullInfo, rowsOf(run.reading)),
    info.num_attention_heads,
  )
  return guessOf(run, baseline, query, change) ?? verdictOf(run, baseline, change) ?? t().follows.nothing
}

/** The best token, before and now; undefined where none is predicted. */
function guessOf(run: Run, baseline: Run, query: number, change: string): Sentence | undefined {
  const { model, reading, result } = run
  const { tokenizer } = model
  const position = predictedPosition(result.rows, query)
  const fillsOf = ({ result }: Run) =>
    predictions(result, (id) => tokenizer.display(id)).filter((one) => one.position === position)
  const [place] = fillChanges(fillsOf(run), fillsOf(baseline))
  const found = place && guess(place)
  const [best] = place?.fills ?? []
  if (!found || !best || position === undefined) return undefined
  const isMask = reading.ids[position] === tokenizer.maskId
  const name: Piece = isMask ? token({ text: tokenizer.maskToken ?? '', position }) : t().follows.next
  const now = number(percent(found.now), siteOfToken('probabilities', position, best.id, run))
  return inWords(change, name, found, now)
}

/** The best class, before and now; undefined of what is no classifier. */
function verdictOf(run: Run, baseline: Run, change: string): Sentence | undefined {
  const bestOf = ({ result, model: { info } }: Run) => {
    const read = info.predicts_tokens ? null : verdict(info.architecture, info.labels, result)
    return read?.kind === 'classes' ? read.classes[0] : undefined
  }
  const [before, best] = [bestOf(baseline), bestOf(run)]
  if (!before || !best) return undefined
  const guessed =
    before.label === best.label
      ? ({ kind: 'stays', token: best.label, baseline: before.probability } as const)
      : ({ kind: 'turns', from: before.label, to: best.label, baseline: before.probability } as const)
  return inWords(change, t().follows.text, guessed, percent(best.probability))
}

type Guessed =
  { kind: 'stays'; token: string; baseline: number } | { kind: 'turns'; from: string; to: string; baseline: number }

function inWords(change: string, name: Piece, guessed: Guessed, now: Piece): Sentence {
  const before = percent(guessed.baseline)
  return guessed.kind === 'stays'
    ? t().follows.stays(change, name, guessed.token, before, now)
    : t().follows.turns(change, name, guessed.from, before, guessed.to, now)
}
