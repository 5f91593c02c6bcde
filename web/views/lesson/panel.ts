// The rows above and below the lesson's picture: its steps, the text, the question with its answers, and what moves the picture.
import { clampIndex } from '../../engine/protocol/range'
import { plainText, strong, together, type Sentence } from '../../i18n/rich'
import { explanationView } from '../../viewstate/choice'
import type { ParamsOf } from '../../viewstate/fields'
import type { Inputs } from '../module'
import type { PanelRow, Picture, Target } from '../output'
import type { params } from '.'
import { t } from './messages.en'
import type { Progress } from './progress.svelte'
import { factsOf } from './facts'
import { tokenAt, type Question } from './questions'
import { steps, viewOfStep, withoutAnswer, type Step } from './steps'
import { siteOfStep, type Subject } from './subject'

type Params = ParamsOf<typeof params>

const stressedQuestion = ({ text }: Question): Sentence =>
  typeof text === 'string' ? [strong(text)] : text.map((piece) => (typeof piece === 'string' ? strong(piece) : piece))

/** Another step, which begins with its question. */
export function goTo(step: number, progress: Progress): Target<Params> | undefined {
  const number = clampIndex(step - 1, steps.length) + 1
  if (number !== step) return undefined
  return { params: { step: number, answer: 0 }, act: () => progress.set(1) }
}

interface PanelInputs {
  step: Step
  subject: Subject
  question: Question | undefined
  progress: Progress
}

/** The rows above and below the picture. */
export function panelOf(
  { params, width, bench }: Inputs<Params>,
  { step, subject, question, progress }: PanelInputs,
): Pick<Picture<Params>, 'above' | 'below'> {
  const facts = factsOf(subject)
  const names = t().names(subject.rotates)
  const isNarrow = width < 860
  const { answer } = params
  const play = () => progress.play(step === 'rotation')
  // An answer is right or wrong for the question that it was given to, not for that of another text.
  const questionKey = question ? [plainText(question.text), ...question.options].join('|') : ''
  const answerWith = (to: number): Target<Params> => ({
    params: { answer: to },
    act() {
      progress.question = questionKey
      play()
    },
  })
  const isAnswered = question !== undefined && answer > 0 && answer <= question.options.length
  const verdict =
    isAnswered && progress.question === questionKey
      ? [strong(answer - 1 === question.right ? t().right : t().wrong)]
      : ''
  const done = progress.at === 1 ? t().done : ''
  const status = answer === 0 ? '' : progress.moves ? t().moving : together([verdict, question?.because ?? '', done])
  const more = viewOfStep(step, { rotates: subject.rotates, predicts: facts.predicts })
  const above: PanelRow<Params>[] = [
    [
      {
        kind: 'segmented',
        label: t().steps,
        options: steps.map((_, at) => ({
          value: String(at + 1),
          text: isNarrow ? String(at + 1) : (names[at] ?? ''),
        })),
        value: String(params.step),
        to: (value) => goTo(Number(value), progress) ?? {},
      },
      {
        kind: 'buttons',
        label: t().steps,
        buttons: [
          { label: `‹ ${t().back}`, disabled: params.step === 1, to: goTo(params.step - 1, progress) ?? {} },
          { label: `${t().next} ›`, disabled: params.step === steps.length, to: goTo(params.step + 1, progress) ?? {} },
        ],
      },
    ],
    [
      {
        kind: 'text',
        name: 'text',
        look: 'reading',
        text: textOf(step, subject),
      },
    ],
    [
      question && { kind: 'text', name: 'question', look: 'reading', text: stressedQuestion(question) },
      question && {
        kind: 'buttons',
        label: plainText(question.text),
        buttons: [
          ...question.options.map((label, at) => ({
            label,
            pressed: answer === at + 1,
            to: answerWith(at + 1),
          })),
        ],
      },
      answer === 0 && { kind: 'button', label: t().show, to: answerWith(withoutAnswer) },
    ],
    [{ kind: 'text', name: 'status', role: 'status', look: 'reading', text: status }],
  ]
  const stops = Array.from({ length: 41 }, (_, at) => at)
  const below: PanelRow<Params>[] = [
    [
      answer > 0 && {
        kind: 'slider',
        label: t().byHand,
        value: Math.round(progress.at * 40),
        stops,
        format: (value) => `${Math.round(value * 2.5)}`,
        to: (value) => ({ act: () => progress.set(value / 40) }),
      },
      answer > 0 && { kind: 'button', label: t().again, to: { act: play } },
      more && { kind: 'button', label: t().leave, to: leaveTo(more, bench.choice, siteOfStep(subject, step)) },
    ],
  ]
  return { above, below }
}

/** Opens a view at the front, and the lesson stays beside it. `site`: the number that Explain begins with. */
function leaveTo(
  { view, kind }: { view: string; kind?: string },
  { viewParams }: Inputs['bench']['choice'],
  site: string | undefined,
): Target<Params> {
  if (view === explanationView.id && site !== undefined) return { explain: site }
  const ofMap = kind === undefined ? {} : { viewParams: { ...viewParams, 'map.kind': kind } }
  return { choice: { open: [view, 'lesson'], ...ofMap } }
}

export function textOf(step: Step, subject: Subject) {
  const facts = factsOf(subject)
  const { texts } = t()
  switch (step) {
    case 'projections':
      return texts.projections(facts, { layer: subject.layer, head: subject.head })
    case 'rotation':
      return subject.rotates ? texts.rotation(facts) : texts.positions()
    case 'scores':
      return texts.scores(tokenAt(subject, subject.query), facts)
    default:
      return texts[step](facts)
  }
}
