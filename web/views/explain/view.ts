// Where a number comes from: its formula and its operands, each of which leads on.
import { save } from '../../charts/export'
import { numberOf, type Explanation } from '../../engine/protocol/explanation'
import { significant } from '../../i18n/numbers'
import { code } from '../../i18n/rich'
import { runOf } from '../../session/reading'
import { resource } from '../../session/resource.svelte'
import type { Run } from '../../session/runs.svelte'
import { namedTable } from '../../ui/table'
import { explanationView, type Cursor } from '../../viewstate/choice'
import type { ParamsOf } from '../../viewstate/fields'
import { explainCommand } from '../command'
import type { Inputs } from '../module'
import { Output, type Cell, type PanelItem, type PanelRow, type Target } from '../output'
import { siteOfBest, siteOfCell } from '../sites'
import type { params } from '.'
import { leavesOf, markdown } from './markdown'
import { t } from './messages.en'
import { drawOperands, rowAt, type Row } from './picture'
import { placeOf, split } from './site'
import { inWords, tokenAt } from './words'

type Params = ParamsOf<typeof params>

export { t as messages }

/** Characters of a path in a link. */
const longestPath = 400

export const data = (inputs: Inputs<Params>) =>
  resource(inputs.bench.engine, 'explanations', () => {
    const { run, cursor, params } = inputs
    return run && { model: run.model, params: { ...runOf(run), sites: pathOf(params.path, cursor, run) }, run }
  })

type Data = ReturnType<typeof data>

/** The numbers that the visitor has walked through; without any, the best prediction, or else the weight of the selected cell. */
export function pathOf(path: string, cursor: Cursor, run: Run): readonly string[] {
  const sites = path.split(';').filter((site) => site !== '')
  return sites.length > 0 ? sites : [siteOfBest(run, cursor.query) ?? siteOfCell('attentions.N', cursor, run)]
}

/** The path with one more number; the oldest are left out of a path that is too long for a link. */
export function extended(path: readonly string[], site: string): string {
  const sites = [...path.filter((other) => other !== site), site]
  while (sites.length > 1 && sites.join(';').length > longestPath) sites.shift()
  return sites.join(';')
}

export function output({ bench, width }: Inputs<Params>, { latest, stale, failure }: Data): Output<Params> {
  if (failure)
    return Output.ofNoRun({ message: failure.message, published: { headline: { title: t().none, line: '' } } })
  if (!latest) return Output.message(t().loading)
  const { request, value: explanations } = latest
  const { run } = request
  const path = request.params.sites
  const explanation = explanations.at(-1)
  if (!explanation) return Output.empty()
  const { at, formula, operands } = explanation
  const words = inWords(at ?? '', run) ?? at ?? ''
  const headline = t().headline(words, digits(numberOf(explanation)))
  const go = (site: string): Target<Params> => ({ params: { path: extended(path, site) } })
  const rows = rowsOf(operands, run)
  const steps = explanations.map((explanation) => ({ explanation, words: inWords(explanation.at ?? '', run) ?? '' }))
  return Output.of(run, {
    scene: drawOperands(rows, width),
    label: t().label,
    stale,
    above: [
      pathRow(path, steps),
      // The stage has the headline of the front view.
      ...(bench.choice.open[0] === explanationView.id ? [] : [[{ kind: 'text', text: headline } as const]]),
      [{ kind: 'text', name: 'formula', text: formula === null ? t().end : [code(t().formula(formula))] }],
    ],
    below: [
      ...operandRows(explanation, run, go),
      [
        {
          kind: 'button',
          label: t().markdown,
          help: t().markdownHelp,
          to: { act: () => save(new Blob([markdown(headline, steps)], { type: 'text/markdown' }), 'explanation.md') },
        },
      ],
    ],
    published: {
      headline: { title: headline, line: againInWords(explanation) },
      tables: [
        namedTable(t().table, t().tableColumns, operands.flatMap(leavesOf), (one) => [
          one.at ?? constantName(one.name),
          numberOf(one),
        ]),
      ],
      command: explainCommand(run, at ?? ''),
      quantity: headline,
    },
    hit: (_, y) => {
      const row = rowAt(y, rows.length)
      const site = row === undefined ? undefined : siteOf(operands[row])
      return site === undefined ? undefined : go(site)
    },
  })
}

/** Nearly all digits that an f32 has. */
const digits = (value: number) => significant(value, 6)

/** The bars, below what they explain. */
export function figure({ width }: Inputs<Params>, { latest }: Data) {
  const explanation = latest?.value.at(-1)
  if (!latest || !explanation) return undefined
  const { at, formula, operands } = explanation
  const words = inWords(at ?? '', latest.request.run) ?? ''
  const titles = [
    `${at} = ${digits(numberOf(explanation))}`,
    words,
    ...(formula === null ? [] : [t().formula(formula)]),
  ]
  return drawOperands(rowsOf(operands, latest.request.run), width, titles)
}

/** Where an operand leads: to itself, or to the first number of a term. */
function siteOf(operand: Explanation | undefined): string | undefined {
  return (operand ? leavesOf(operand) : []).map(({ at }) => at ?? '').find((at) => placeOf(at) !== undefined)
}

const rowsOf = (operands: readonly Explanation[], run: Run): Row[] =>
  operands.map((operand) => ({ name: nameOf(operand, run), value: numberOf(operand) }))

/** Whether it is a term of a long sum. */
const isTerm = ({ name, at }: Explanation) => name === 'term' && at === null

/** The name of a constant in the page's language. */
const constantName = (name: string): string => (t().constants as Readonly<Record<string, string>>)[name] ?? name

/** A term by its first number, which is another one in each: a token by its text, any other by its index. */
function nameOf(operand: Explanation, run: Run): string {
  const first = isTerm(operand) ? (leavesOf(operand)[0] ?? operand) : operand
  if (first.at === null) return constantName(first.name)
  const token = isTerm(operand) ? tokenAt(first.at, run) : undefined
  return token ?? `${first.name.replaceAll(' ', '_')}${split(first.at).index}`
}

function pathRow(path: readonly string[], steps: readonly { words: string }[]): PanelRow<Params> {
  const buttons = path.map((site, index) => ({
    label: site,
    help: steps[index]?.words ?? '',
    pressed: index === path.length - 1,
    to: { params: { path: path.slice(0, index + 1).join(';') } },
  }))
  return [{ kind: 'buttons', label: t().path, buttons }, path.length > 1 && startButton]
}

const startButton: PanelItem<Params> = {
  kind: 'button',
  get label() {
    return t().start
  },
  to: { params: { path: '' } },
}

/** The value of the formula beside that of the run. */
function againInWords({ formula, recomputed, value }: Explanation): string {
  if (formula === null || recomputed === null || value === null) return t().end
  const difference = (value - recomputed).toExponential(1).replace('-', '−')
  return t().again(significant(recomputed, 12), difference)
}

/** A table of single operands, each with its own operands below it, and one of the terms of a long sum. */
function operandRows(
  { operands, rest }: Explanation,
  run: Run,
  go: (site: string) => Target<Params>,
): PanelRow<Params>[] {
  const terms = operands.filter(isTerm)
  const single = operands.filter((operand) => !isTerm(operand))
  const rows: PanelRow<Params>[] = []
  if (single.length > 0)
    rows.push([
      {
        kind: 'table',
        label: t().operands,
        caption: t().operands,
        header: t().columns,
        rows: single.flatMap((one) => [
          rowOf(one, run, go),
          ...one.operands.map((below) => rowOf(below, run, go, '· ')),
        ]),
      },
    ])
  if (terms.length > 0) rows.push([termTable(terms, rest, go)])
  if (rest) rows.push([{ kind: 'text', name: 'rest', text: t().rest(rest.terms, digits(rest.value)) }])
  return rows
}

/** Name, value, and where it is: of the text with its token, of what has no place its formula. */
function rowOf(one: Explanation, run: Run, go: (site: string) => Target<Params>, indent = ''): Cell<Params>[] {
  const { name, at, formula } = one
  const token = at?.includes('input_ids[') ? ` ${run.model.tokenizer.display(numberOf(one))}` : ''
  return [
    { kind: 'text', text: [indent, code(name)] },
    digits(numberOf(one)),
    at === null ? asCode(formula ?? '') : cellOf(at, at + token, go),
  ]
}

function termTable(
  terms: readonly Explanation[],
  rest: Explanation['rest'],
  go: (site: string) => Target<Params>,
): PanelItem<Params> {
  const [first] = terms
  const names = first ? leavesOf(first).map(({ name, at }) => asCode(`${name} ${split(at ?? '').name}`)) : []
  const cells = (term: Explanation) =>
    leavesOf(term).flatMap((one): Cell<Params>[] => [
      digits(numberOf(one)),
      one.at === null ? '' : cellOf(one.at, split(one.at).index, go),
    ])
  return {
    kind: 'table',
    label: t().terms(terms.length, terms.length + (rest?.terms ?? 0)),
    caption: t().terms(terms.length, terms.length + (rest?.terms ?? 0)),
    header: [t().term, ...names.flatMap((name) => [name, t().index])],
    rows: terms.map((term) => [digits(numberOf(term)), ...cells(term)]),
  }
}

/** A name or a formula of the engine's, which is the same in all languages. */
const asCode = (text: string) => ({ kind: 'text', text: [code(text)] }) as const

/** A place as a button where it is a site, which has an explanation. */
const cellOf = (at: string, label: string, go: (site: string) => Target<Params>): Cell<Params> =>
  placeOf(at) ? { kind: 'button', label, help: t().open(at), to: go(at) } : label
