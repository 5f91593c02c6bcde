// The lesson: nine steps along a forward pass, each with a question, and with a picture that moves once it is answered.
import { clampIndex } from '../../engine/protocol/range'
import { strong, together, type Sentence } from '../../i18n/rich'
import { predictedPosition } from '../../session/predictions'
import { runOf } from '../../session/reading'
import { resource } from '../../session/resource.svelte'
import { walkRow } from '../../ui/walk'
import type { ParamsOf } from '../../viewstate/fields'
import type { Inputs } from '../module'
import { Output, type PanelRow, type Picture, type Target } from '../output'
import type { params } from '.'
import { t } from './messages.en'
import { Progress } from './progress.svelte'
import { factsOf, questionOf, tokenAt, type Question } from './questions'
import { drawFeedForward } from './scenes/feedForward'
import { drawGuess } from './scenes/guess'
import { drawProjections } from './scenes/projections'
import { drawRotation } from './scenes/rotation'
import type { DrawStep } from './scenes/scene'
import { drawScores, drawWeights } from './scenes/scores'
import { drawTokens } from './scenes/tokens'
import { drawValues } from './scenes/values'
import { drawVectors } from './scenes/vectors'
import { stepAt, steps, viewOfStep, type Step } from './steps'
import { positionAt, type Matrix } from './strips'
import { siteOfStep, sitesOf, sitesOfTower, subjectOf, type Subject } from './subject'
import { tablesOf } from './tables'
import { Tower } from './tower'

type Params = ParamsOf<typeof params>

export { t as messages }

const drawings: Readonly<Record<Exclude<Step, 'guess'>, DrawStep>> = {
  tokens: drawTokens,
  vectors: drawVectors,
  projections: drawProjections,
  rotation: drawRotation,
  scores: drawScores,
  weights: drawWeights,
  values: drawValues,
  feedForward: drawFeedForward,
}

export function data(inputs: Inputs<Params>) {
  const { engine } = inputs.bench
  const subject = () => inputs.run && inputs.run.head.length > 0 && subjectOf(inputs.run, inputs.cursor)
  const tower = resource(engine, 'siteNumbers', () => {
    const of = subject()
    if (!of) return undefined
    const { run } = of
    return { model: run.model, params: { ...runOf(run), sites: sitesOfTower(of), of: 'norms' }, run }
  })
  const numbers = resource(engine, 'siteNumbers', () => {
    const of = subject()
    const sites = of ? sitesOf(of, stepAt(inputs.params.step)) : {}
    if (!of || Object.keys(sites).length === 0) return undefined
    const { run } = of
    const names = Object.keys(sites)
    return { model: run.model, params: { ...runOf(run), sites: Object.values(sites), of: 'numbers' }, run, names }
  })
  const lens = resource(engine, 'lens', () => {
    const of = subject()
    if (!of || stepAt(inputs.params.step) !== 'guess' || !factsOf(of).predicts) return undefined
    const position = predictedPosition(of.run.result.rows, of.query)
    if (position === undefined) return undefined
    const { run } = of
    return { model: run.model, params: { ...runOf(run), rows: Uint32Array.of(position), topK: 1 }, run }
  })
  return { tower, numbers, lens, progress: new Progress() }
}

type Data = ReturnType<typeof data>

export function output(inputs: Inputs<Params>, { tower: norms, numbers, lens, progress }: Data): Output<Params> {
  const { run, params } = inputs
  if (!run || run.head.length === 0) return Output.message(t().loading)
  const step = stepAt(params.step)
  const subject = subjectOf(run, inputs.cursor)
  const needs = Object.keys(sitesOf(subject, step)).length > 0
  const failure = (needs ? numbers.failure : undefined) ?? norms.failure
  const tower = norms.current && new Tower(subject, norms.current)
  const of = {
    subject,
    numbers: needs ? matricesOf(numbers.latest?.request.names, numbers.current, subject) : {},
    lens: lens.current,
    scheme: inputs.scheme,
  }
  const waits = (needs && !numbers.current) || (step === 'guess' && lens.status === 'loading')
  const question = waits ? undefined : questionOf(step, of, tower)
  const at = params.answer === 0 ? 0 : progress.at
  const panel = panelOf(inputs, { step, subject, question, progress })
  if (waits) return Output.of(run, { ...panel, message: failure?.message ?? t().loading })

  const { width } = inputs
  const height = Math.max(300, inputs.height)
  const isWide = width >= 640
  const side = Math.min(280, Math.max(150, 0.24 * width))
  const towerBox = isWide ? { x: 0, y: 0, width: side, height } : { x: 0, y: 0, width, height: 150 }
  const towerRoom = isWide ? side + 28 : 0
  const towerBottom = tower ? tower.layOut(towerBox).bottom : 0
  const top = isWide ? 0 : towerBottom + 16
  const box = { x: towerRoom, y: top, width: width - towerRoom, height: isWide ? height : 360 }
  const drawn = { ...of, at, box }
  const scene = step === 'guess' ? drawGuess(drawn, tower) : drawings[step](drawn)
  const name = t().titles(subject.rotates)[params.step - 1] ?? ''

  const selectRow = (position: number | undefined): Target<Params> | undefined => {
    const { rows } = scene
    if (position === undefined || !rows) return undefined
    const { text } = tokenAt(subject, position)
    return { cursor: scene.selects === 'key' ? { key: position } : { query: position }, say: t().moved(text) }
  }
  return Output.of(run, {
    ...panel,
    scene: {
      width,
      height: Math.max(scene.bottom, towerBottom),
      marks: [...(tower?.draw(towerBox, step, inputs.palette) ?? []), ...scene.marks],
    },
    label: t().label(name, tokenAt(subject, subject.query)),
    help: '',
    explains: siteOfStep(subject, step),
    published: {
      headline: { title: name, line: '' },
      tables: tablesOf(step, drawn, tower),
      kind: step,
      quantity: name,
    },
    hit(x, y) {
      const place = x < towerRoom || y < top ? tower?.at(x, y, towerBox) : undefined
      if (place) return { cursor: place, say: t().moved(tokenAt(subject, place.query).text) }
      return x < towerRoom || !scene.rows ? undefined : selectRow(positionAt(scene.rows, y))
    },
    onAction(action) {
      if (action === 'take') return { act: () => progress.play(step === 'rotation') }
      if (action === 'left' || action === 'right') return goTo(params.step + (action === 'right' ? 1 : -1), progress)
      if (action === 'first' || action === 'last') return goTo(action === 'first' ? 1 : steps.length, progress)
      const { positions = [] } = scene.rows ?? {}
      const now = scene.selects === 'key' ? subject.key : subject.query
      const to = walkRow(
        positions.indexOf(now),
        action === 'down' ? 'right' : action === 'up' ? 'left' : action,
        positions.length - 1,
      )
      return to === undefined ? undefined : selectRow(positions[to])
    },
  })
}

/** The numbers of each site as a matrix whose columns are those of the model. */
function matricesOf(
  names: readonly string[] | undefined,
  numbers: readonly Float32Array[] | undefined,
  { info, rows }: Subject,
): Record<string, Matrix> {
  const tokens = rows.to - rows.from
  const columnsOf = (name: string, count: number) => {
    if (name === 'word' || name === 'position') return count / tokens
    return name === 'inner' || name === 'activated' ? count : info.head_size
  }
  const all = (names ?? []).map((name, at) => {
    const values = numbers?.[at] ?? new Float32Array()
    return [name, { values, columns: columnsOf(name, values.length) }] as const
  })
  return Object.fromEntries(all)
}

const stressedQuestion = ({ text }: Question): Sentence =>
  typeof text === 'string' ? [strong(text)] : text.map((piece) => (typeof piece === 'string' ? strong(piece) : piece))

/** Another step, which begins with its question. */
function goTo(step: number, progress: Progress): Target<Params> | undefined {
  const number = clampIndex(step - 1, steps.length) + 1
  return { params: { step: number, answer: 0 }, act: () => progress.set(1) }
}

/** More than a step's options: the answer of a visitor who asked for the picture alone. */
const withoutAnswer = 4

interface PanelInputs {
  step: Step
  subject: Subject
  question: Question | undefined
  progress: Progress
}

/** The rows above and below the picture. */
function panelOf(
  { params, width, bench }: Inputs<Params>,
  { step, subject, question, progress }: PanelInputs,
): Pick<Picture<Params>, 'above' | 'below'> {
  const facts = factsOf(subject)
  const names = t().names(subject.rotates)
  const isNarrow = width < 860
  const { answer } = params
  const play = () => progress.play(step === 'rotation')
  const answered = answer > 0 && question
  const verdict =
    answered && answer !== withoutAnswer ? [strong(answer - 1 === question.right ? t().right : t().wrong)] : ''
  const status = !answered
    ? ''
    : progress.moves
      ? t().moving
      : together([verdict, question.because, progress.at === 1 ? t().done : ''])
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
        label: t().steps,
        buttons: [
          ...question.options.map((label, at) => ({
            label,
            pressed: answer === at + 1,
            to: { params: { answer: at + 1 }, act: play },
          })),
          ...(answer === 0 ? [{ label: t().show, to: { params: { answer: withoutAnswer }, act: play } }] : []),
        ],
      },
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
      more && { kind: 'button', label: t().leave, to: { choice: openBeside(more, bench.choice) } },
    ],
  ]
  return { above, below }
}

/** Opens a view at the front, and the lesson stays beside it. */
function openBeside(
  { view, kind }: { view: string; kind?: string },
  { viewParams }: Inputs['bench']['choice'],
): NonNullable<Target['choice']> {
  return {
    open: [view, 'lesson'],
    ...(kind === undefined ? {} : { viewParams: { ...viewParams, 'map.kind': kind } }),
  }
}

function textOf(step: Step, subject: Subject) {
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
