// What the view shows of a model's predictions: rows of bars, a headline and tables.
import { predictions } from '../../i18n/en/views/predictions'
import type { BarGroup, BarRow } from '../../charts/bars'
import { percent } from '../../i18n/format'
import type { Candidate } from '../../engine/protocol/generation'
import type { Verdict } from '../../session/predictions'
import type { Headline } from '../sheet.svelte'
import type { NamedTable } from '../../ui/table'
import { classChanges, guess, labelCounts, mostMoved, type PlaceChange } from './model'

const said = predictions

export interface Told {
  groups: readonly BarGroup[]
  headline: Headline | undefined
  tables: readonly NamedTable[]
}

export interface Telling {
  /** What is changed, in words; empty: nothing. */
  change: string
  /** As the model's tokenizer writes it. */
  mask: string
  /** Whether the model guesses the next token, not masks. */
  causal: boolean
}

export function tellFills(places: readonly PlaceChange[], telling: Telling): Told {
  const { change, mask, causal } = telling
  const name = ({ position }: PlaceChange) => (causal ? said.next : said.mask(mask, position))
  const groups = places.map((place) => ({
    title: causal ? said.changedNext : name(place),
    rows: place.fills.map((fill, rank) => fillRow(fill, rank, place.least, change !== '')),
  }))
  const listed = places.flatMap((place) => place.fills.map((fill) => ({ position: place.position, ...fill })))
  const unknown = (value: number | null) => value ?? said.tables.unknown
  const table = {
    header: [said.tables.position, said.tables.token, said.tables.whole, said.tables.now],
    length: listed.length,
    row: (index: number) => {
      const fill = listed[index]
      return fill ? [fill.position, fill.token, unknown(fill.whole), unknown(fill.now)] : []
    },
  }
  return { groups, headline: fillHeadline(places, telling, name), tables: [{ name: said.tables.fills, table }] }
}

function fillRow(
  { id, token, whole, now }: PlaceChange['fills'][number],
  rank: number,
  least: PlaceChange['least'],
  changed: boolean,
): BarRow {
  const weight = now === null ? { weight: 'faint' as const } : rank === 0 ? { weight: 'strong' as const } : {}
  if (!changed) return { id, name: token, value: now, numbers: [percent(now ?? 0)], ...weight }
  const numbers = said.numbers(whole, now, least)
  return {
    id,
    name: token,
    value: now,
    before: whole,
    numbers,
    ...weight,
  }
}

function fillHeadline(
  places: readonly PlaceChange[],
  { change, causal }: Telling,
  name: (place: PlaceChange) => string,
): Headline | undefined {
  const most = change === '' ? places[0] : mostMoved(places)
  const found = most && guess(most)
  const { headline } = said
  if (!most || !found) return causal ? undefined : { title: headline.noMask, line: headline.noMaskLine }
  if (change === '') {
    const [best, ...others] = most.fills.flatMap(({ token, now }) => (now === null ? [] : [{ token, now }]))
    if (!best) return undefined
    const title = causal ? headline.next(best.token, best.now) : headline.is(name(most), best.token, best.now)
    return { title, line: headline.others(others.slice(0, 3)) }
  }
  const moved = { place: name(most), change }
  if (found.kind === 'turns') {
    return {
      title: headline.turns(moved, found.from, found.to),
      line: headline.turned(found.from, found.whole, found.to, found.now),
    }
  }
  const others = most.fills.flatMap(({ token, whole, now }) =>
    whole === null || now === null || token === found.token ? [] : [{ token, whole, now }],
  )
  const greatest = others.reduce<(typeof others)[number] | undefined>(
    (one, other) => (one && Math.abs(one.now - one.whole) >= Math.abs(other.now - other.whole) ? one : other),
    undefined,
  )
  return {
    title: headline.stays(moved, found.token, found.whole, found.now),
    line: headline.most(greatest, places.length),
  }
}

/** What may come next, before and after the sampling settings; `taken`: the token that was drawn of these. */
export function tellCandidates(
  candidates: readonly Candidate[],
  token: (id: number) => string,
  taken: number | undefined,
): { rows: BarRow[]; table: NamedTable } {
  const rows = candidates.map(({ id, before, after }) => {
    const weight = after === 0 ? { weight: 'faint' as const } : id === taken ? { weight: 'strong' as const } : {}
    const numbers = [percent(before), percent(after)]
    return {
      id,
      name: token(id),
      value: after,
      before,
      numbers,
      ...weight,
    }
  })
  const table = {
    header: [said.tables.token, said.tables.before, said.tables.after],
    length: candidates.length,
    row: (index: number) => {
      const one = candidates[index]
      return one ? [token(one.id), one.before, one.after] : []
    },
  }
  return { rows, table: { name: said.tables.candidates, table } }
}

/** More classes than this are in the table only. */
const mostClasses = 12

export function tellVerdict(
  verdict: Verdict,
  whole: Verdict | null | undefined,
  tokens: readonly string[],
  change: string,
): Told {
  const { headline, tables } = said
  switch (verdict.kind) {
    case 'classes': {
      const classes = classChanges(verdict, whole)
      const moved = change !== ''
      const rows = classes.slice(0, mostClasses).map(({ label, whole, now }, id): BarRow => {
        const row = { id, name: label, value: now }
        if (!moved) return { ...row, numbers: [percent(now)] }
        return { ...row, before: whole, numbers: said.numbers(whole, now, { whole: 0, now: 0 }) }
      })
      const [best] = classes
      const title = !best
        ? ''
        : moved
          ? headline.classMoved(change, best.label, best.whole, best.now)
          : headline.class(best.label, best.now)
      const table = {
        header: [tables.label, tables.whole, tables.now],
        length: classes.length,
        row: (index: number) => {
          const one = classes[index]
          return one ? [one.label, one.whole, one.now] : []
        },
      }
      return {
        groups: [{ title: said.classes, rows }],
        headline: best && { title, line: '' },
        tables: [{ name: tables.classes, table }],
      }
    }
    case 'tokens': {
      const rows = verdict.tokens.map(({ position, label, probability }): BarRow => {
        const token = tokens[position] ?? ''
        return { id: position, name: token, value: probability, numbers: [label, percent(probability)] }
      })
      const table = {
        header: [tables.position, tables.token, tables.label, tables.now],
        length: verdict.tokens.length,
        row: (index: number) => {
          const one = verdict.tokens[index]
          return one ? [one.position, tokens[one.position] ?? '', one.label, one.probability] : []
        },
      }
      return {
        groups: [{ title: said.tokens, rows }],
        headline: { title: headline.labels(labelCounts(verdict), verdict.tokens.length), line: '' },
        tables: [{ name: tables.tokens, table }],
      }
    }
    case 'answer': {
      const { start, end } = verdict
      const answer = headline.answer(tokens[start] ?? '', start, tokens[end] ?? '', end)
      return { groups: [{ title: answer, rows: [] }], headline: { title: answer, line: '' }, tables: [] }
    }
  }
}
