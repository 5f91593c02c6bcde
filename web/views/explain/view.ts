// Where a number comes from: its formula and its operands, each of which leads on.
import { save } from '../../charts/export'
import { numberOf, type Explanation } from '../../engine/protocol/explanation'
import { significant } from '../../i18n/numbers'
import { code, plainText, type Sentence } from '../../i18n/rich'
import { runOf } from '../../session/reading'
import type { Request } from '../../session/answers'
import { resource, type Resource } from '../../session/resource.svelte'
import { series, type Step } from '../../session/series.svelte'
import type { Run } from '../../session/runs.svelte'
import { namedTable } from '../../ui/table'
import { explanationView, type Cursor } from '../../viewstate/choice'
import type { ParamsOf } from '../../viewstate/fields'
import { explainCommand } from '../command'
import type { Inputs } from '../module'
import { Output, type PanelRow, type Target } from '../output'
import { siteOfBest, siteOfCell } from '../sites'
import type { params } from '.'
import { leavesOf, markdown } from './markdown'
import { t } from './messages.en'
import { drawAddends, rowAt } from './picture'
import { placeOf } from '../../engine/protocol/place'
import { addendsOf, constantName, digits, intervention, nameOf, restInWords, tablesOf } from './tables'
import { drawNumber, gap, drawTree, operandAt } from './tree'
import { numberPlace, wayToNumber } from './whatIf'
import { whatIfRows } from './whatIfRows'
import { inWords } from './words'

type Params = ParamsOf<typeof params>

export { t as messages }

/** Characters of a path in a link. */
const longestPath = 400

export function data(inputs: Inputs<Params>) {
  const { bench } = inputs
  const ask = (sitesOf: (path: readonly string[]) => readonly string[]) =>
    resource(bench.engine, 'explanations', () => {
      const { run, cursor, params } = inputs
      // The path is at tokens of the present text.
      if (!run || (params.path !== '' && run.reading !== bench.reading)) return undefined
      const path = pathOf(params.path, cursor, run)
      return { model: run.model, params: { ...runOf(run), sites: sitesOf(path) }, run, path }
    })
  // A number that is missing on the way does not hide the last one.
  const [last, all] = [ask((path) => path.slice(-1)), ask((path) => path)]
  const way = series(bench.engine, 'operandPath', () => wayRequest(bench.generation.writing, last), findWay)
  return { last, all, way }
}

/** Nothing where a number can be put on screen. A token that is written waits for no way. */
function wayRequest(writing: boolean, { current, latest }: Explanations) {
  const explanation = current?.[0]
  if (writing || !latest || !explanation || numberPlace(explanation.at ?? '')) return undefined
  const { run, params, model } = latest.request
  return { run, params, model, explanation }
}

async function* findWay({ params, model, explanation }: NonNullable<ReturnType<typeof wayRequest>>, step: Step) {
  yield await wayToNumber(explanation, async (site) => {
    const [found] = await step('explanations', { params: { ...params, sites: [site] }, model })
    return found
  })
}

type Data = ReturnType<typeof data>
type Explanations = Resource<'explanations', Request<'explanations'> & { run: Run; path: readonly string[] }>

/** The numbers that the visitor has walked through; without any, the best prediction, or else the weight of the selected cell. */
export function pathOf(path: string, cursor: Cursor, run: Run): readonly string[] {
  const sites = path.split(';').filter((site) => site !== '')
  return sites.length > 0 ? sites : [siteOfBest(run, cursor.query) ?? siteOfCell('attentions.N', cursor, run)]
}

/** The path with one more number, or back to it; the oldest are left out of a path that is too long for a link. */
export function extended(path: readonly string[], site: string): string {
  const back = path.indexOf(site)
  const sites = back < 0 ? [...path, site] : path.slice(0, back + 1)
  while (sites.length > 1 && sites.join(';').length > longestPath) sites.shift()
  return sites.join(';')
}

export function output(
  { bench, run: present, baseline, cursor, params, width }: Inputs<Params>,
  { last: { latest, stale, failure }, all, way }: Data,
): Output<Params> {
  if (failure && present)
    return Output.ofNoRun({
      message: failure.message,
      above: [pathRow(pathOf(params.path, cursor, present), present, params.path !== '')],
      published: { headline: { title: t().none, line: '' } },
    })
  const explanation = latest?.value[0]
  if (!latest || !explanation) return Output.message(failure?.message ?? t().loading)
  const { run, path } = latest.request
  const { at, formula } = explanation
  const words = inWords(at ?? '', run) ?? at ?? ''
  const headline = t().headline(words, digits(numberOf(explanation)))
  const go = (site: string): Target<Params> => ({ params: { path: extended(path, site) } })
  const drawn = draw(explanation, run, width)
  const goAlong = (way: readonly string[]): Target<Params> => ({
    params: { path: way.reduce((path, site) => extended(path.split(';'), site), path.join(';')) },
  })
  const isFront = bench.choice.open[0] === explanationView.id
  return Output.of(run, {
    scene: drawn.scene,
    label: drawn.label,
    stale,
    above: [
      pathRow(path, run, params.path !== ''),
      // The stage says both of the front view.
      ...(isFront ? [] : [[{ kind: 'text', text: `${headline}. ${againInWords(explanation)}` } as const]]),
      [formula !== null && { kind: 'text', name: 'formula', text: formulaOf(formula) }],
      ...whatIfRows({
        explanation,
        run,
        baseline,
        choice: bench.choice,
        query: cursor.query,
        way: way.current,
        go: goAlong,
      }),
    ],
    below: [
      ...tablesOf(explanation, run, go),
      [
        {
          kind: 'button',
          label: t().markdown,
          help: t().markdownHelp,
          to: { act: () => saveMarkdown(headline, all.current ?? [explanation], run) },
        },
      ],
    ],
    published: {
      headline: { title: headline, line: againInWords(explanation) },
      tables: [
        namedTable(t().table, t().tableColumns, explanation.operands.flatMap(leavesOf), (one) => [
          one.at ?? constantName(one.name),
          numberOf(one),
        ]),
      ],
      command: explainCommand(run, at ?? ''),
      quantity: headline,
      subject: '',
    },
    hit: (x, y) => {
      const site = siteOf(drawn.operandAt(x, y))
      return site === undefined ? undefined : go(site)
    },
  })
}

/** The picture of a number on the page: its addends as bars, or its operands as boxes. */
function draw(explanation: Explanation, run: Run, width: number) {
  const addends = addendsOf(explanation)
  const at = (list: readonly Explanation[], index: number | undefined) =>
    index === undefined ? undefined : list[index]
  if (addends.length > 0)
    return {
      scene: drawAddends(rowsOf(addends, run), width),
      label: t().label,
      operandAt: (_x: number, y: number) => at(addends, rowAt(y, addends.length)),
    }
  const { operands } = explanation
  const [titles, rows] = [[equation(explanation)], rowsOf(operands, run)]
  return {
    scene: drawTree([], titles, rows, width),
    label: t().boxes,
    operandAt: (x: number, y: number) => at(operands, operandAt(x, y, titles, rows, width)),
  }
}

const equation = (explanation: Explanation) => `${explanation.at} = ${digits(numberOf(explanation))}`

/** The way here, the number in words, and what it follows from. */
export function figure({ width }: Inputs<Params>, { last: { latest }, all }: Data) {
  const explanation = latest?.value[0]
  if (!latest || !explanation) return undefined
  const { run, path } = latest.request
  const { at, formula, rest } = explanation
  const titles = [
    equation(explanation),
    inWords(at ?? '', run) ?? '',
    ...(formula === null ? [] : [plainText(formulaOf(formula))]),
    ...(rest ? [restInWords(rest, formula)] : []),
  ]
  const way = path.slice(0, -1).map((site) => {
    const step = all.current?.find((one) => one.at === site)
    return { site, value: step && numberOf(step) }
  })
  const addends = addendsOf(explanation)
  if (addends.length === 0) return drawTree(way, titles, rowsOf(explanation.operands, run), width)
  const number = drawNumber(way, titles, width)
  const bars = drawAddends(rowsOf(addends, run), width, number.height + gap)
  return { ...bars, marks: [...number.marks, ...bars.marks] }
}

const rowsOf = (operands: readonly Explanation[], run: Run) =>
  operands.map((operand) => ({ name: nameOf(operand, run), value: numberOf(operand) }))

/** Where an addend leads: to itself, or to the first number of a term. */
const siteOf = (addend: Explanation | undefined): string | undefined =>
  (addend ? leavesOf(addend) : []).map(({ at }) => at ?? '').find((at) => placeOf(at) !== undefined)

function saveMarkdown(title: string, explanations: readonly Explanation[], run: Run): void {
  const steps = explanations.map((explanation) => ({ explanation, words: inWords(explanation.at ?? '', run) ?? '' }))
  save(new Blob([markdown(title, steps)], { type: 'text/markdown' }), 'ropescope-explanation.md')
}

function pathRow(path: readonly string[], run: Run, isWalk: boolean): PanelRow<Params> {
  const buttons = path.map((site, index) => ({
    label: site,
    help: inWords(site, run) ?? '',
    pressed: index === path.length - 1,
    to: { params: { path: path.slice(0, index + 1).join(';') } },
  }))
  return [
    { kind: 'buttons', label: t().path, buttons },
    isWalk && { kind: 'button', label: t().best, to: { params: { path: '' } } },
  ]
}

const formulaOf = (formula: string): Sentence =>
  formula === intervention ? [t().formula(constantName(intervention))] : [code(t().formula(formula))]

/** The value of the formula beside that of the run. */
function againInWords({ formula, recomputed, value }: Explanation): string {
  if (formula === null || recomputed === null || value === null) return t().end
  if (formula === intervention) return t().isPut
  const difference = value - recomputed
  const digits = significant(recomputed, 12)
  return difference === 0 ? t().same(digits) : t().again(digits, difference.toExponential(1).replaceAll('-', '−'))
}
