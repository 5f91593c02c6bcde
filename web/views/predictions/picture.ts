// What the view says of predictions: rows of bars, a headline and tables.
import { drawBars, leastPitch, type BarGroup, type BarRow } from '../../charts/bars'
import type { Scene } from '../../charts/marks'
import type { LensResult } from '../../engine/protocol/protocol'
import { percent } from '../../i18n/numbers'
import { plainText, together, token, type Piece } from '../../i18n/rich'
import { existingHeads, readChange, changed } from '../../session/change'
import { predictedPosition, predictions, verdict, type Verdict } from '../../session/predictions'
import type { Run } from '../../session/runs.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Headline } from '../output'
import { drawCurve } from './curve'
import {
  areSumsOn,
  classChanges,
  countForShare,
  cumulative,
  fillChanges,
  guess,
  isLensOn,
  labelCounts,
  lensLayers,
  remainingOf,
  settledAt,
  type LensLayer,
  type Option,
  type PlaceChange,
  type Predicted,
  type PredictionInputs,
  type PredictionsData,
} from './data'
import { t } from './messages.en'

/** All that the view shows of a run. */
export interface Contents {
  run: Run
  /** The interventions as text; empty where there are none. */
  change: string
  predicted: Predicted
  /** Whether masks are predicted, not the next token. */
  hasMasks: boolean
  /** The mask whose fills are listed. */
  position: number | undefined
  /** Bars of the run. */
  groups: readonly BarGroup[]
  /** Next tokens before and after the sampling settings. */
  next: BarGroup | undefined
  /** What the sums are of; empty where no token is predicted. */
  options: readonly Option[]
  /** The newest answer of the lens, which may be of an earlier request. */
  lens: LensAnswers | undefined
  /** Of exactly this run. */
  current: { scene: Scene; headline: Headline | undefined; tables: NamedTable[] }
}

/** Px that choosing a mask and the titles take of the height. */
const aboveFills = 64
const fewestFills = 5
/** In a file, between the bars and the sums. */
const gap = 28

export function contentsOf(inputs: PredictionInputs, data: PredictionsData): Contents | undefined {
  const { run, bench, height, cursor } = inputs
  if (!run) return undefined
  const { info, tokenizer } = run.model
  const token = (id: number) => tokenizer.display(id)
  const lensOn = isLensOn(inputs)
  // Of another text while both are loading.
  const baseline = inputs.baseline?.reading === run.reading ? inputs.baseline : undefined
  const interventions = readChange(baseline ? run.changed : '')
  const change = changed(
    { ...interventions, ablatedHeads: existingHeads(interventions.ablatedHeads, info) },
    info.num_attention_heads,
  )
  const causal = info.is_decoder || info.encoder != null
  const position = predictedPosition(run.result.rows, cursor.query)
  const fitting = Math.max(fewestFills, Math.floor((height - aboveFills) / leastPitch))

  const { generation } = bench
  const { drawn } = generation
  const hasNext = causal && generation.able
  const candidates = (hasNext ? (drawn?.candidates ?? generation.next) : []).map((candidate): Option => ({
    ...candidate,
    token: token(candidate.id),
  }))
  const isCurrent = hasNext && generation.nextRun === run.result.run
  const next = hasNext
    ? {
        title: drawn ? t().drawn : t().next,
        rows: optionRows(candidates.slice(0, change === '' ? fitting : fewestFills), drawn?.id),
      }
    : undefined

  const read = (of: typeof run.result) => predictions(of, token).filter((place) => place.position === position)
  const answers = (): Answers => {
    const { result, reading } = run
    if (info.predicts_tokens) {
      const [place] = fillChanges(read(result), read((baseline ?? run).result), hasNext ? fewestFills : fitting)
      return fillAnswers(place, { change, mask: tokenizer.maskToken ?? '', causal })
    }
    const answer = (of: typeof result) => verdict(info.architecture, info.labels, of)
    const now = answer(result)
    if (reading.pair?.part === 'encoder') return { groups: [], headline: t().noneEncoder, tables: [] }
    if (!now) return { groups: [], headline: t().hiddenStatesOnly, tables: [] }
    return verdictAnswers(now, baseline && answer(baseline.result), reading.display, change)
  }
  const { groups: all, headline, tables } = answers()
  // Next tokens are listed already; beside them the model's own appear where interventions move them.
  const groups = next && change === '' ? [] : all

  const fills = info.predicts_tokens ? (read(run.result)[0]?.fills ?? []) : []
  const options = hasNext
    ? candidates
    : fills.map(({ id, token, probability }): Option => ({ id, token, before: probability }))
  const published = hasNext && !isCurrent ? [] : options

  const { latest, current } = data.lens
  const lens = lensOn && latest ? lensOf(latest.key.run, latest.key.position, latest.value, causal) : undefined
  const currentLens = current && lens

  const bars = drawBars(
    [...(next && isCurrent ? [next] : []), ...groups, ...(currentLens ? [currentLens.group] : [])],
    400,
  )
  const curve = { x: bars.width + gap, y: 0, width: 360, height: Math.max(240, Math.min(360, bars.height)) }
  const scene =
    areSumsOn(inputs) && published.length > 0
      ? {
          width: curve.x + curve.width,
          height: Math.max(curve.height, bars.height),
          marks: [...bars.marks, ...drawCurve(published, curve)],
        }
      : bars
  const line = change === '' ? sumsLine(published) : ''
  return {
    run,
    change,
    predicted: info.predicts_tokens ? 'tokens' : all.length > 0 ? 'verdict' : 'nothing',
    hasMasks: info.predicts_tokens && !causal && tokenizer.maskToken !== undefined,
    position,
    groups,
    next,
    options,
    lens,
    current: {
      scene,
      headline: headline && { ...headline, line: together([headline.line, line]) },
      tables: [
        ...(published.length > 0 ? [optionTable(published)] : []),
        ...(published.length > 0 && change === '' ? [] : tables),
        ...(currentLens ? [currentLens.table] : []),
      ],
    },
  }
}

/** How many hold half of the probability, and what the sampling settings leave. */
export function sumsLine(options: readonly Option[]): string {
  if (options.length === 0) return ''
  const { half, remaining } = t().headline
  const left = remainingOf(options)
  const mass = cumulative(options, ({ before }) => before).at(-1) ?? 0
  const first = half(countForShare(options, 0.5), options.length, mass)
  return left ? `${first} ${remaining(left.count, left.mass)}` : first
}

export function optionRows(options: readonly Option[], sampled: number | undefined): BarRow[] {
  return options.map(({ id, token, before, after = before }): BarRow => {
    const weight = after === 0 ? { weight: 'faint' as const } : id === sampled ? { weight: 'strong' as const } : {}
    return { id, name: token, value: after, before, numbers: [percent(before), percent(after)], ...weight }
  })
}

export function optionTable(options: readonly Option[]): NamedTable {
  const sums = cumulative(options, ({ before }) => before)
  const { tables } = t()
  const isSampled = remainingOf(options) !== undefined
  const header = [tables.rank, tables.token, tables.id, tables.now, tables.sum, ...(isSampled ? [tables.after] : [])]
  return namedTable(tables.candidates, header, options, ({ token, id, before, after = 0 }, index) => {
    const row = [index + 1, token, id, before, sums[index] ?? 0]
    return isSampled ? [...row, after] : row
  })
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

export interface PredictionSubject {
  /** The interventions as text; empty where there are none. */
  change: string
  /** The mask token. */
  mask: string
  /** Whether the model predicts the next token, not masks. */
  causal: boolean
}

/** @param place undefined where nothing is masked */
export function fillAnswers(place: PlaceChange | undefined, subject: PredictionSubject): Answers {
  const { change, causal, mask } = subject
  if (!place) {
    const { noMask: title, noMaskLine: line } = t().headline
    return { groups: [], headline: causal ? undefined : { title, line }, tables: [] }
  }
  const { position, fills, least } = place
  const name = causal ? t().next : t().mask(mask, position)
  const rows = fills.map((fill, rank) => fillRow(fill, rank, least, change !== ''))
  const unknown = (value: number | null) => value ?? t().tables.unknown
  const header = [t().tables.position, t().tables.token, t().tables.baseline, t().tables.now]
  const table = namedTable(t().tables.fills, header, fills, ({ token, baseline, now }) => [
    position,
    token,
    unknown(baseline),
    unknown(now),
  ])
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

function fillHeadline(place: PlaceChange, { change, causal }: PredictionSubject, name: Piece): Headline | undefined {
  const found = guess(place)
  const { headline } = t()
  if (!found) return undefined
  if (change === '') {
    const [best, ...others] = place.fills.flatMap(({ token, now }) => (now === null ? [] : [{ token, now }]))
    if (!best) return undefined
    const title = causal ? headline.next(best.token, best.now) : headline.is(name, best.token, best.now)
    return { title, line: headline.others(others.slice(0, 3)) }
  }
  const moved = { place: name, change }
  if (found.kind === 'turns') {
    return {
      title: headline.turns(moved, found.from, found.to),
      line: headline.changed(found.from, found.baseline, found.to, found.now),
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
    title: headline.stays(moved, found.token, found.baseline, found.now),
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
