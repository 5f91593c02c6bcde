// The lesson: nine steps along a forward pass, each with a question, and with a picture that moves once it is answered.
import { predictedPosition } from '../../session/predictions'
import { runOf } from '../../session/reading'
import { resource } from '../../session/resource.svelte'
import type { Run } from '../../session/runs.svelte'
import { walkRow } from '../../ui/walk'
import type { Cursor } from '../../viewstate/choice'
import type { ParamsOf } from '../../viewstate/fields'
import type { Inputs } from '../module'
import { Output, type Target } from '../output'
import type { params } from '.'
import { t } from './messages.en'
import { progressOfView } from './progress.svelte'
import { drawLesson } from './picture'
import { goTo, panelOf } from './panel'
import { factsOf } from './facts'
import { questionOf, tokenAt } from './questions'
import { stepAt, steps, withoutAnswer, type Step } from './steps'
import type { Matrix } from './strips'
import { siteOfStep, sitesOf, sitesOfTower, subjectOf, type Subject } from './subject'
import { tablesOf } from './tables'
import { Tower } from './tower'

type Params = ParamsOf<typeof params>

export { t as messages }

/** The last step is about the token that is predicted. */
function subjectOfStep(run: Run, cursor: Cursor, step: Step): Subject {
  const subject = subjectOf(run, cursor)
  const predicted =
    step === 'guess' && factsOf(subject).predicts ? predictedPosition(run.result.rows, subject.query) : undefined
  return predicted === undefined ? subject : { ...subject, query: predicted }
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
  return { tower, numbers, lens, progress: progressOfView() }
}

type Data = ReturnType<typeof data>

export function output(inputs: Inputs<Params>, { tower: norms, numbers, lens, progress }: Data): Output<Params> {
  const { run, params } = inputs
  if (!run || run.head.length === 0) return Output.message(t().loading)
  const step = stepAt(params.step)
  const subject = subjectOfStep(run, inputs.cursor, step)
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

  const room = { width: inputs.width, height: Math.max(300, inputs.height) }
  const drawn = { ...of, at }
  const picture = drawLesson(step, drawn, tower, inputs.palette, room)
  const name = t().titles(subject.rotates)[params.step - 1] ?? ''

  const selectRow = (position: number | undefined): Target<Params> | undefined => {
    const { from, to } = picture.step.selects === 'key' ? subject.keys : subject.rows
    if (position === undefined || position < from || position >= to) return undefined
    const { text } = tokenAt(subject, position)
    return { cursor: picture.step.selects === 'key' ? { key: position } : { query: position }, say: t().moved(text) }
  }
  return Output.of(run, {
    ...panel,
    scene: picture.scene,
    label: t().label(name, tokenAt(subject, subject.query)),
    help: '',
    failure: failure?.message,
    explains: siteOfStep(subject, step),
    published: {
      headline: { title: name, line: '' },
      tables: tablesOf(step, drawn, tower),
      kind: step,
      quantity: name,
    },
    hit(x, y) {
      const found = picture.hit(x, y)
      if (found && 'row' in found) return selectRow(found.row)
      return found && { cursor: found, say: t().moved(tokenAt(subject, found.query).text) }
    },
    onAction(action) {
      if (action === 'take')
        return { params: { answer: params.answer || withoutAnswer }, act: () => progress.play(step === 'rotation') }
      if (action === 'left' || action === 'right') return goTo(params.step + (action === 'right' ? 1 : -1), progress)
      if (action === 'first' || action === 'last') return goTo(action === 'first' ? 1 : steps.length, progress)
      const { rows, selects } = picture.step
      const positions = rows?.positions ?? []
      const now = selects === 'key' ? subject.key : subject.query
      const to = walkRow(positions.indexOf(now), action, positions.length - 1)
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
    if (name === 'word' || name === 'position' || name === 'stream') return count / tokens
    return name === 'inner' || name === 'activated' ? count : info.head_size
  }
  const all = (names ?? []).map((name, at) => {
    const values = numbers?.[at] ?? new Float32Array()
    return [name, { values, columns: columnsOf(name, values.length) }] as const
  })
  return Object.fromEntries(all)
}
