// The operands of a number as tables: single ones, and the terms of a long sum.
import { numberOf, type Explanation } from '../../engine/protocol/explanation'
import { significant } from '../../i18n/numbers'
import { code } from '../../i18n/rich'
import type { Run } from '../../session/runs.svelte'
import type { Cell, PanelItem, PanelRow, Target } from '../output'
import { leavesOf } from './markdown'
import { t } from './messages.en'
import { placeOf, split } from '../../engine/protocol/place'
import { tokenAt } from './words'

/** Where a press on a site leads. */
type Go<P> = (site: string) => Target<P>

/** Nearly all digits that an f32 has. */
export const digits = (value: number) => significant(value, 6)

/** Whether it is a term of a long sum. */
const isTerm = ({ name, at }: Explanation) => name === 'term' && at === null

/** The operands that a formula adds up: the terms of a long sum with its bias, or the parts of a sum of names. Of another formula none. */
export function addendsOf({ formula, operands }: Explanation): readonly Explanation[] {
  if (formula === null) return []
  const terms = operands.filter(isTerm)
  if (terms.length > 0) return /^Σ [^+]*( \+ \w+)?$/.test(formula) ? operands : terms
  const names = formula.split(' + ')
  return operands.length > 1 && names.every((name) => name === '…' || operands.some((one) => one.name === name))
    ? operands
    : []
}

/** A term by its first number, which is another one in each: a token by its text, any other by its index. */
export function nameOf(operand: Explanation, run: Run): string {
  const first = isTerm(operand) ? (leavesOf(operand)[0] ?? operand) : operand
  if (first.at === null) return constantName(first.name)
  const token = isTerm(operand) ? tokenAt(first.at, run) : undefined
  return token ?? `${first.name.replaceAll(' ', '_')}${split(first.at).index}`
}

/** The name and the formula of a number that an intervention puts there. */
export const intervention = 'intervention'

/** The name of a constant in the page's language. */
export const constantName = (name: string): string => (t().constants as Readonly<Record<string, string>>)[name] ?? name

/** A table of single operands, each with its own operands below it, and one of the terms of a long sum. */
export function tablesOf<P>({ formula, operands, rest }: Explanation, run: Run, go: Go<P>): PanelRow<P>[] {
  const terms = operands.filter(isTerm)
  const single = operands.filter((operand) => !isTerm(operand))
  const rows: PanelRow<P>[] = []
  if (single.length > 0)
    rows.push([
      {
        kind: 'table',
        label: t().operands,
        caption: t().operands,
        header: t().columns,
        rows: single.flatMap((one) => [
          rowOf(one, run, go),
          ...one.operands.map((operand) => rowOf(operand, run, go, '· ')),
        ]),
      },
    ])
  if (terms.length > 0) rows.push([termTable(terms, rest, run, go)])
  if (rest) rows.push([{ kind: 'text', name: 'rest', text: restInWords(rest, formula) }])
  return rows
}

/** The terms that are not listed: their sum, or of a maximum the largest of them. */
export function restInWords({ terms, value }: NonNullable<Explanation['rest']>, formula: string | null): string {
  const isMaximum = formula?.startsWith('max ') ?? false
  return isMaximum ? t().restOfMaximum(terms, digits(value)) : t().rest(terms, digits(value))
}

/** Name, value, and where it is: of the text with its token, of what has no place its formula. */
function rowOf<P>(one: Explanation, run: Run, go: Go<P>, indent = ''): Cell<P>[] {
  const { name, at, formula } = one
  const token = at?.includes('input_ids[') ? ` ${run.model.tokenizer.display(numberOf(one))}` : ''
  return [
    { kind: 'text', text: [indent, name === intervention ? constantName(name) : code(name)] },
    digits(numberOf(one)),
    at === null ? asCode(formula ?? '') : cellOf(at, at + token, go),
  ]
}

function termTable<P>(terms: readonly Explanation[], rest: Explanation['rest'], run: Run, go: Go<P>): PanelItem<P> {
  const [first] = terms
  const names = first ? leavesOf(first).map(({ name, at }) => asCode(`${name}: ${split(at ?? '').name}`)) : []
  const cells = (term: Explanation) =>
    leavesOf(term).flatMap((one): Cell<P>[] => [
      digits(numberOf(one)),
      one.at === null ? '' : cellOf(one.at, split(one.at).index, go),
    ])
  const tokenOf = (term: Explanation) => leavesOf(term).flatMap(({ at }) => tokenAt(at ?? '', run) ?? [])[0]
  const hasTokens = first !== undefined && tokenOf(first) !== undefined
  const caption = t().terms(terms.length, terms.length + (rest?.terms ?? 0))
  return {
    kind: 'table',
    label: caption,
    caption,
    header: [t().term, ...(hasTokens ? [t().token] : []), ...names.flatMap((name) => [name, t().index])],
    rows: terms.map((term) => [digits(numberOf(term)), ...(hasTokens ? [tokenOf(term) ?? ''] : []), ...cells(term)]),
  }
}

/** A name or a formula of the engine's, which is the same in all languages. */
const asCode = (text: string) => ({ kind: 'text', text: [code(text)] }) as const

/** A place as a button where it is a site, which has an explanation. */
const cellOf = <P>(at: string, label: string, go: Go<P>): Cell<P> =>
  placeOf(at) ? { kind: 'button', label, help: t().open(at), to: go(at) } : label
