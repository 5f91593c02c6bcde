// What a model answers, as rows of bars, a headline and tables: fills, a verdict, and the fills of each layer.
import type { BarGroup, BarRow } from '../../charts/bars'
import { percent } from '../../i18n/numbers'
import { number, plainText, token, type Piece } from '../../i18n/rich'
import { classChanges, guess, type ClassChange, type PlaceChange } from '../../session/guesses'
import type { Verdict } from '../../session/predictions'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Headline } from '../output'
import { labelCounts, settledAt, type LensLayer } from './data'
import { t } from './messages.en'

export interface Answers {
  groups: readonly BarGroup[]
  headline: Headline | undefined
  tables: readonly NamedTable[]
}

interface PredictionSubject {
  /** The interventions as text; empty where there are none. */
  change: string
  /** The mask token. */
  mask: string
  /** Whether the model predicts the next token, not masks. */
  causal: boolean
  /** Of the present probability of a token. */
  siteOf: (id: number) => string | undefined
}

/** @param place undefined where nothing is masked */
export function fillAnswers(place: PlaceChange | undefined, subject: PredictionSubject): Answers {
  const { causal, mask, siteOf } = subject
  if (!place) {
    const { noMask: title, noMaskLine: line } = t().headline
    return { groups: [], headline: causal ? undefined : { title, line }, tables: [] }
  }
  const { position, fills, least } = place
  const name = causal ? t().next : t().mask(mask, position)
  const rows = fills.map((fill, rank) => fillRow(fill, rank, least, subject))
  const unknown = (value: number | null) => value ?? t().tables.unknown
  const header = [t().tables.position, t().tables.token, t().tables.baseline, t().tables.now]
  const table = namedTable(
    t().tables.fills,
    header,
    fills,
    ({ token, baseline, now }) => [position, token, unknown(baseline), unknown(now)],
    ({ id, now }, column) => (column === 3 && now !== null ? siteOf(id) : undefined),
  )
  return {
    groups: [{ title: causal ? t().changedNext : name, rows }],
    headline: fillHeadline(place, subject, causal ? name : token({ text: mask, position })),
    tables: [table],
  }
}

function fillRow(
  { id, token, baseline, now }: PlaceChange['fills'][number],
  rank: number,
  least: PlaceChange['least'],
  { change, siteOf }: PredictionSubject,
): BarRow {
  const row =
    change !== ''
      ? { id, name: token, value: now, before: baseline, numbers: t().numbers(baseline, now, least) }
      : { id, name: token, value: now, numbers: [percent(now ?? 0)] }
  if (now === null) return { ...row, weight: 'faint' }
  const sites = change !== '' ? [undefined, siteOf(id)] : [siteOf(id)]
  return rank === 0 ? { ...row, sites, weight: 'strong' } : { ...row, sites }
}

function fillHeadline(
  place: PlaceChange,
  { change, causal, siteOf }: PredictionSubject,
  name: Piece,
): Headline | undefined {
  const found = guess(place)
  const { headline } = t()
  if (!found) return undefined
  const linked = (id: number, now: number) => number(percent(now), siteOf(id))
  const [present] = place.fills
  const now = linked(present?.id ?? -1, found.now)
  if (change === '') {
    const [best, ...others] = place.fills.flatMap(({ id, token, now }) =>
      now === null ? [] : [{ token, now: linked(id, now) }],
    )
    if (!best) return undefined
    const title = causal ? headline.next(best.token, best.now) : headline.is(name, best.token, best.now)
    return { title, line: headline.others(others.slice(0, 3)) }
  }
  const moved = { place: name, change }
  if (found.kind === 'turns') {
    return {
      title: headline.turns(moved, found.from, found.to),
      line: headline.changed(found.from, found.baseline, found.to, now),
    }
  }
  const others = place.fills.flatMap(({ token, baseline, now }) =>
    baseline === null || now === null || token === found.token ? [] : [{ token, baseline, now }],
  )
  const greatest = others.reduce<(typeof others)[number] | undefined>(
    (one, other) => (one && Math.abs(one.now - one.baseline) >= Math.abs(other.now - other.baseline) ? one : other),
    undefined,
  )
  return {
    title: headline.stays(moved, found.token, found.baseline, now),
    line: headline.most(greatest),
  }
}

/** More classes are in the table only. */
const mostClasses = 12

export function verdictAnswers(
  verdict: Verdict,
  baseline: Verdict | null | undefined,
  tokens: readonly string[],
  change: string,
): Answers {
  const { headline, tables } = t()
  switch (verdict.kind) {
    case 'classes': {
      const classes = classChanges(verdict, baseline)
      const moved = change !== ''
      const rows = classes.slice(0, mostClasses).map(({ label, baseline, now }, id): BarRow => {
        const row = { id, name: label, value: now }
        if (!moved) return { ...row, numbers: [percent(now)] }
        return { ...row, before: baseline, numbers: t().numbers(baseline, now, { baseline: 0, now: 0 }) }
      })
      const [best] = classes
      const titleOf = ({ label, baseline, now }: ClassChange) =>
        moved ? headline.classMoved(change, label, baseline, now) : headline.class(label, now)
      const header = [tables.label, tables.baseline, tables.now]
      const table = namedTable(tables.classes, header, classes, ({ label, baseline, now }) => [label, baseline, now])
      return {
        groups: [{ title: t().classes, rows }],
        headline: best && { title: titleOf(best), line: '' },
        tables: [table],
      }
    }
    case 'tokens': {
      const rows = verdict.tokens.map(({ position, label, probability }): BarRow => {
        const token = tokens[position] ?? ''
        return { id: position, name: token, value: probability, numbers: [label, percent(probability)] }
      })
      const header = [tables.position, tables.token, tables.label, tables.now]
      const table = namedTable(tables.tokens, header, verdict.tokens, ({ position, label, probability }) => [
        position,
        tokens[position] ?? '',
        label,
        probability,
      ])
      return {
        groups: [{ title: t().tokens, rows }],
        headline: { title: headline.labels(labelCounts(verdict), verdict.tokens.length), line: '' },
        tables: [table],
      }
    }
    case 'answer': {
      const { start, end } = verdict
      const token = (position: number) => ({ text: tokens[position] ?? '', position })
      const answer = headline.answer(token(start), token(end))
      return { groups: [{ title: plainText(answer), rows: [] }], headline: { title: answer, line: '' }, tables: [] }
    }
  }
}

export interface LensAnswers {
  group: BarGroup
  line: string
  table: NamedTable
}

/** @param place "[MASK] 7" */
export function lensAnswers(layers: readonly LensLayer[], place: string): LensAnswers {
  const last = layers.at(-1)?.[0]
  const since = settledAt(layers)
  const rows = layers.flatMap(([best, second], layer) => {
    if (!best) return []
    const weight = best.id === last?.id ? { weight: 'strong' as const } : {}
    const numbers = [short(best.token), percent(best.probability), short(second?.token ?? '')]
    return [{ id: layer, name: t().lens.layer(layer), value: best.probability, numbers, ...weight }]
  })
  const before = layers[since - 1]?.[0]
  const line = last ? t().lens.line(place, last.token, since, before?.token) : ''
  const fills = layers.flatMap((fills, layer) => fills.map((fill) => ({ layer, ...fill })))
  const table = namedTable(t().lens.table, t().lens.columns, fills, ({ layer, token, probability }) => [
    t().lens.layer(layer),
    token,
    probability,
  ])
  return { group: { title: t().lens.title(place), rows }, line, table }
}

/** Longer tokens would take the bars' room. */
const longest = 12

function short(token: string): string {
  const letters = [...token]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : token
}
