// The question of each step, with its answer measured on the run on screen.
import { integer, percent, tokenName } from '../../i18n/numbers'
import type { Sentence } from '../../i18n/rich'
import { specialPositions } from '../../session/reading'
import { factsOf } from './facts'
import { t } from './messages.en'
import { quietPart } from './scenes/feedForward'
import { guesses, settledAt } from './scenes/guess'
import { shift } from './scenes/rotation'
import type { SceneInputs } from './scenes/scene'
import { rankedKeys } from './scenes/scores'
import type { Step } from './steps'
import type { Subject } from './subject'
import type { Tower } from './tower'

export interface Question {
  text: string | Sentence
  options: readonly string[]
  /** The index of the right option. */
  right: number
  because: string | Sentence
}

/** Distinct numbers in ascending order as options, of which one is right. */
function numberOptions(numbers: readonly number[], right: number, write: (value: number) => string) {
  const distinct = [...new Set(numbers)].sort((one, other) => one - other)
  return { options: distinct.map(write), right: distinct.indexOf(right) }
}

export const tokenAt = ({ run }: Subject, position: number) => ({
  text: run.reading.display[position] ?? '',
  position,
})

/** Undefined while its answer is not known. */
export function questionOf(
  step: Step,
  inputs: Omit<SceneInputs, 'at' | 'box'>,
  tower: Tower | undefined,
): Question | undefined {
  const { subject, numbers } = inputs
  const facts = factsOf(subject)
  const { questions, answers, options } = t()
  const yesNo = (isYes: boolean) => ({ options: [t().yes, t().no], right: isYes ? 0 : 1 })
  switch (step) {
    case 'tokens': {
      const { reading, text } = subject.run
      const tokens = reading.ids.length
      const words = text.trim().split(/\s+/).length
      const letters = [...text].length
      const of = new Set([words, letters]).has(tokens) ? [words, tokens, letters, 2 * tokens] : [words, tokens, letters]
      const special = specialPositions(subject.run).size
      return { text: questions.tokens, ...numberOptions(of, tokens, integer), because: answers.tokens(tokens, special) }
    }
    case 'vectors':
      return { text: questions.vectors, ...yesNo(facts.rotates), because: answers.vectors(facts.rotates) }
    case 'projections': {
      const { hidden, headSize, heads } = facts
      return {
        text: questions.projections(hidden),
        ...numberOptions([headSize / 2, headSize, Math.max(hidden, 2 * headSize)], headSize, integer),
        because: answers.projections(headSize, heads),
      }
    }
    case 'rotation':
      return facts.rotates
        ? { text: questions.rotation(shift), options: options.score, right: 0, because: answers.rotation }
        : { text: questions.positions, ...yesNo(false), because: answers.positions }
    case 'scores': {
      const ranked = rankedKeys(subject)
      const [best] = ranked
      if (!best) return undefined
      if (ranked.length < 2) return undefined
      const offered = [best, ranked[1], ranked.at(-1)].flatMap((of) => (of ? [of.key] : []))
      const name = (position: number) => tokenName(tokenAt(subject, position).text, position)
      return {
        text: questions.scores(tokenAt(subject, subject.query)),
        ...numberOptions(offered, best.key, name),
        because: answers.scores(tokenAt(subject, best.key), best.score),
      }
    }
    case 'weights': {
      const [best] = rankedKeys(subject)
      if (!best) return undefined
      const right = Math.round(best.weight * 100)
      const even = Math.round(100 / (subject.keys.to - subject.keys.from))
      const other = right > 50 ? Math.round(right / 2) : Math.min(99, 2 * right + 10)
      return {
        text: questions.weights(tokenAt(subject, best.key)),
        ...numberOptions([right, even, other], right, (value) => percent(value / 100, 0)),
        because: answers.weights(best.weight),
      }
    }
    case 'values': {
      const isYes = !facts.rotates || facts.rotatesValues
      return {
        text: questions.values(facts.rotates),
        ...yesNo(isYes),
        because: answers.values(facts.rotates, facts.rotatesValues),
      }
    }
    case 'feedForward': {
      const { activated } = numbers
      if (!activated) return undefined
      const of = tokenAt(subject, subject.query)
      return {
        text: questions.feedForward,
        options: options.read,
        right: 0,
        because: answers.feedForward(of, quietPart(activated.values)),
      }
    }
    case 'guess':
      return facts.predicts && inputs.lens ? questionOfGuess(inputs) : questionOfLongest(subject, tower)
  }
}

function questionOfGuess(inputs: Omit<SceneInputs, 'at' | 'box'>): Question {
  const found = guesses(inputs)
  const settled = settledAt(found)
  const last = found.length - 1
  const name = (after: number) => (after === 0 ? t().embedding : t().afterLayer(after - 1))
  const offered = [...new Set([0, settled, last, Math.floor(last / 2)])].slice(0, 3)
  return {
    text: t().questions.guess,
    ...numberOptions(offered, settled, name),
    because: t().answers.guess(found.at(-1)?.token ?? '', name(settled)),
  }
}

function questionOfLongest(subject: Subject, tower: Tower | undefined): Question | undefined {
  const added = tower?.columnOf(subject.query)
  if (!tower || !added || added.length === 0) return undefined
  const largest = (of: 'attention' | 'feedForward') =>
    added.reduce((best, one, layer) => (one[of] > (added[best]?.[of] ?? 0) ? layer : best), 0)
  const [attention, feedForward] = [largest('attention'), largest('feedForward')]
  const options = [
    { name: t().embedding, norm: tower.embeddingOf(subject.query) },
    { name: t().attentionOf(attention), norm: added[attention]?.attention ?? 0 },
    { name: t().feedForwardOf(feedForward), norm: added[feedForward]?.feedForward ?? 0 },
  ]
  const right = options.reduce((best, { norm }, at) => (norm > (options[best]?.norm ?? 0) ? at : best), 0)
  return {
    text: t().questions.longest(tokenAt(subject, subject.query)),
    options: options.map(({ name }) => name),
    right,
    because: t().answers.longest(options[right]?.name ?? ''),
  }
}
