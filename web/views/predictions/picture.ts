// What the view says of predictions: rows of bars, a headline and tables.
import { drawBars, leastPitch, type BarGroup, type BarRow } from '../../charts/bars'
import { columns } from '../../charts/labels'
import type { Scene } from '../../charts/marks'
import type { Candidate } from '../../engine/protocol/generation'
import type { LensResult } from '../../engine/protocol/protocol'
import { percent } from '../../i18n/format'
import { t as changeMessages } from '../../session/changes.en'
import { existingHeads, readChange } from '../../session/change'
import { predictions, verdict, type Verdict } from '../../session/predictions'
import { fillsRead, type Run } from '../../session/runs.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Headline } from '../output'
import {
  classChanges,
  fillChanges,
  guess,
  isLensOn,
  labelCounts,
  lensLayers,
  mostMoved,
  settledAt,
  type LensLayer,
  type PlaceChange,
  type PredictionInputs,
  type PredictionsData,
} from './data'
import { t } from './messages.en'

/** All that the view shows of a run. */
export interface Contents {
  run: Run
  /** The interventions as text; empty where there are none. */
  change: string
  /** Whether masks are predicted, not the next token. */
  hasMasks: boolean
  isWide: boolean
  /** Bars of the run. */
  groups: readonly BarGroup[]
  /** Bars of next tokens before and after sampling settings. */
  candidates: { rows: BarRow[]; table: NamedTable } | undefined
  /** The newest answer of the lens, which may be of an earlier request. */
  lens: LensAnswers | undefined
  /** Of exactly this run. */
  current: { scene: Scene; headline: Headline | undefined; tables: NamedTable[] }
}

/** Px that tokens, the title and fills of the baseline take of the height. */
export const aboveFills = 190
const fewestFills = 5
/** From this width on the switches stand beside the bars. */
const wide = 620

export function contentsOf(inputs: PredictionInputs, data: PredictionsData): Contents | undefined {
  const { run, bench, width, height } = inputs
  if (!run) return undefined
  const { info, tokenizer } = run.model
  const token = (id: number) => tokenizer.display(id)
  const lensOn = isLensOn(inputs)
  const isWide = width >= wide
  // Of another text while both are loading.
  const baseline = inputs.baseline?.reading === run.reading ? inputs.baseline : undefined
  const interventions = readChange(baseline ? run.changed : '')
  const change = changeMessages().of(
    { ...interventions, ablatedHeads: existingHeads(interventions.ablatedHeads, info) },
    info.num_attention_heads,
  )
  const causal = info.is_decoder || info.encoder != null

  /** Of one place as many fills as fit beside the switches; of several, above the switches or with the lens, five. */
  const mostFills = (places: number) => {
    const room = Math.floor((height - aboveFills) / leastPitch)
    return isWide && places === 1 && !lensOn ? Math.max(fewestFills, Math.min(fillsRead, room)) : fewestFills
  }
  const answers = (): Answers => {
    const { result, reading } = run
    if (info.predicts_tokens) {
      const read = (of: typeof result) => predictions(of, token)
      const places = fillChanges(read(result), read((baseline ?? run).result), mostFills(result.rows.length))
      return fillAnswers(places, { change, mask: tokenizer.maskToken ?? '', causal })
    }
    const read = (of: typeof result) => verdict(info.architecture, info.labels, of)
    const now = read(result)
    if (!now) return { groups: [], headline: t().hiddenStatesOnly, tables: [] }
    return verdictAnswers(now, baseline && read(baseline.result), reading.display, change)
  }
  const { groups: all, headline, tables } = answers()

  const { generation } = bench
  const drawn = generation.drawn
  // As many as fit into the room of a view.
  const listed = (drawn?.candidates ?? generation.next).slice(0, change === '' ? 8 : 5)
  const candidates = causal && generation.able ? candidateAnswers(listed, token, drawn?.id) : undefined
  const nextTokens = generation.nextRun === run.result.run ? candidates : undefined
  // Beside candidates the model's own next tokens appear only where interventions move them.
  const groups = candidates && change === '' ? [] : all

  const { latest, current } = data.lens
  const lens = lensOn && latest ? lensOf(latest.key.run, latest.key.position, latest.value, causal) : undefined
  const currentLens = current && lens

  const scene = drawBars(
    [
      ...(nextTokens ? [{ title: t().candidates, rows: nextTokens.rows }] : []),
      ...groups,
      ...(currentLens ? [currentLens.group] : []),
    ],
    Math.max(260, Math.min(width, 480)),
  )
  return {
    run,
    change,
    hasMasks: info.predicts_tokens && !causal && tokenizer.maskToken !== undefined,
    isWide,
    groups,
    candidates,
    lens,
    current: {
      scene,
      headline: headline && currentLens ? { ...headline, line: currentLens.line } : headline,
      tables: [...(nextTokens ? [nextTokens.table] : []), ...tables, ...(currentLens ? [currentLens.table] : [])],
    },
  }
}

function lensOf({ model: { tokenizer } }: Run, position: number, lens: LensResult, causal: boolean): LensAnswers {
  const layers = lensLayers(lens, (id) => tokenizer.display(id))
  return lensAnswers(layers, causal ? t().next : t().mask(tokenizer.maskToken ?? '', position))
}

export interface Answers {
  groups: readonly BarGroup[]
  headline: Headline | undefined
  tables: readonly NamedTable[]
}

export interface Subject {
  /** The interventions as text; empty where there are none. */
  change: string
  /** The mask token. */
  mask: string
  /** Whether the model predicts the next token, not masks. */
  causal: boolean
}

export function fillAnswers(places: readonly PlaceChange[], subject: Subject): Answers {
  const { change, mask, causal } = subject
  const name = ({ position }: PlaceChange) => (causal ? t().next : t().mask(mask, position))
  const groups = places.map((place) => ({
    title: causal ? t().changedNext : name(place),
    rows: place.fills.map((fill, rank) => fillRow(fill, rank, place.least, change !== '')),
  }))
  const listed = places.flatMap((place) => place.fills.map((fill) => ({ position: place.position, ...fill })))
  const unknown = (value: number | null) => value ?? t().tables.unknown
  const header = [t().tables.position, t().tables.token, t().tables.baseline, t().tables.now]
  const table = namedTable(t().tables.fills, header, listed, ({ position, token, baseline, now }) => [
    position,
    token,
    unknown(baseline),
    unknown(now),
  ])
  return { groups, headline: fillHeadline(places, subject, name), tables: [table] }
}

function fillRow(
  { id, token, baseline, now }: PlaceChange['fills'][number],
  rank: number,
  least: PlaceChange['least'],
  changed: boolean,
): BarRow {
  const weight = now === null ? { weight: 'faint' as const } : rank === 0 ? { weight: 'strong' as const } : {}
  if (!changed) return { id, name: token, value: now, numbers: [percent(now ?? 0)], ...weight }
  const numbers = t().numbers(baseline, now, least)
  return {
    id,
    name: token,
    value: now,
    before: baseline,
    numbers,
    ...weight,
  }
}

function fillHeadline(
  places: readonly PlaceChange[],
  { change, causal }: Subject,
  name: (place: PlaceChange) => string,
): Headline | undefined {
  const most = change === '' ? places[0] : mostMoved(places)
  const found = most && guess(most)
  const { headline } = t()
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
      line: headline.changed(found.from, found.baseline, found.to, found.now),
    }
  }
  const others = most.fills.flatMap(({ token, baseline, now }) =>
    baseline === null || now === null || token === found.token ? [] : [{ token, baseline, now }],
  )
  const greatest = others.reduce<(typeof others)[number] | undefined>(
    (one, other) => (one && Math.abs(one.now - one.baseline) >= Math.abs(other.now - other.baseline) ? one : other),
    undefined,
  )
  return {
    title: headline.stays(moved, found.token, found.baseline, found.now),
    line: headline.most(greatest, places.length),
  }
}

/** The most probable next tokens, before and after the sampling settings. @param drawn the token that was drawn of these */
export function candidateAnswers(
  candidates: readonly Candidate[],
  token: (id: number) => string,
  drawn: number | undefined,
): { rows: BarRow[]; table: NamedTable } {
  const rows = candidates.map(({ id, before, after }) => {
    const weight = after === 0 ? { weight: 'faint' as const } : id === drawn ? { weight: 'strong' as const } : {}
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
  const { tables } = t()
  const header = [tables.token, tables.before, tables.after]
  const table = namedTable(tables.candidates, header, candidates, ({ id, before, after }) => [token(id), before, after])
  return { rows, table }
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
      const title = !best
        ? ''
        : moved
          ? headline.classMoved(change, best.label, best.baseline, best.now)
          : headline.class(best.label, best.now)
      const header = [tables.label, tables.baseline, tables.now]
      const table = namedTable(tables.classes, header, classes, ({ label, baseline, now }) => [label, baseline, now])
      return {
        groups: [{ title: t().classes, rows }],
        headline: best && { title, line: '' },
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
      const answer = headline.answer(tokens[start] ?? '', start, tokens[end] ?? '', end)
      return { groups: [{ title: answer, rows: [] }], headline: { title: answer, line: '' }, tables: [] }
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

/** Px of a monospace character at 12 px, of padding and border, and of a digit of the position. */
const character = 7.3
const padding = 12
const digit = 6
/** Px between two tokens. */
export const gap = 4

/** The approximate width of a token in the row, in px. */
export function tokenWidth(token: string, position: number, longest = 130): number {
  const written = Math.min(columns(token) * character, longest)
  return Math.max(24, written + padding + String(position).length * digit + 2)
}

/** The first and one past the last position of those around `around` that fit into `lines` lines of `width` px. */
export function visibleRange(
  tokens: readonly string[],
  around: number,
  width: number,
  lines: number,
): [number, number] {
  const room = (from: number, to: number) => {
    let [line, used] = [1, 0]
    for (let position = from; position < to; position++) {
      const wide = tokenWidth(tokens[position] ?? '', position) + gap
      if (used > 0 && used + wide > width + gap) {
        line++
        used = 0
      }
      used += wide
    }
    return line
  }
  const centre = Math.max(0, Math.min(around, tokens.length - 1))
  let [from, to] = [centre, Math.min(centre + 1, tokens.length)]
  for (;;) {
    const later = to < tokens.length && room(from, to + 1) <= lines
    if (later) to++
    const earlier = from > 0 && room(from - 1, to) <= lines
    if (earlier) from--
    if (!later && !earlier) return [from, to]
  }
}
