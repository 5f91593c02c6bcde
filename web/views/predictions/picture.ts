// What the view shows of predictions: the answers, the next tokens and their sums, for the page and for files.
import { drawBars, leastPitch, type BarGroup, type BarRow } from '../../charts/bars'
import type { Scene } from '../../charts/marks'
import { mostCandidates } from '../../engine/protocol/generation'
import type { ModelInfo } from '../../engine/protocol/protocol'
import { percent } from '../../i18n/numbers'
import { together } from '../../i18n/rich'
import { fillChanges } from '../../session/guesses'
import { existingChange, existingHeads, parseInterventions, changeInWords } from '../../session/interventions'
import type { HeldOutLoss, MeasuredChange } from '../../session/heldOutLoss.svelte'
import { mostPredictions, predictedPosition, predictions, verdict } from '../../session/predictions'
import type { Run } from '../../session/runs.svelte'
import { namedTable, type NamedTable } from '../../ui/table'
import type { Choice, HeadPlace } from '../../viewstate/choice'
import type { Headline, Target } from '../output'
import { siteOfToken } from '../sites'
import { drawCurve } from './curve'
import { fillAnswers, lensAnswers, verdictAnswers, type Answers, type LensAnswers } from './answers'
import {
  areSumsOn,
  countForShare,
  cumulative,
  isLensOn,
  lensLayers,
  massOfLeft,
  type Option,
  type Predicted,
  type PredictionInputs,
  type PredictionsData,
} from './data'
import { t } from './messages.en'

/** The answers and next tokens of a run. */
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
  /** Next tokens before and after the sampling settings. While newer ones are loading, they are stale. */
  next: (BarGroup & { stale: boolean }) | undefined
  /** What the sums are of; empty where no token is predicted. They are stale where `next` is. */
  options: readonly Option[]
  /** How many tokens the sampling settings leave, listed or not; undefined where nothing is sampled. */
  left: number | undefined
  /** The newest answer of the lens: of an earlier request it is stale. */
  lens: (LensAnswers & { stale: boolean }) | undefined
  /** Of exactly this run. */
  current: { scene: Scene; headline: Headline | undefined; tables: NamedTable[] }
}

/** Px that choosing a mask and the titles take of the height. */
const aboveFills = 64
const fewestFills = 5
/** In a file, between the bars and the sums. */
const gap = 28

export function contentsOf(inputs: PredictionInputs, data: PredictionsData): Contents | undefined {
  const { run, height, cursor } = inputs
  if (!run) return undefined
  const { info, tokenizer } = run.model
  // Of another text while both are loading.
  const baseline = inputs.baseline?.reading === run.reading ? inputs.baseline : undefined
  const change = changeText(baseline ? run.interventions : '', info)
  const fitting = Math.max(fewestFills, Math.floor((height - aboveFills) / leastPitch))
  const position = predictedPosition(run.result.rows, cursor.query)
  const place: Place = { run, baseline, position, change, causal: info.is_decoder || info.encoder != null }

  const nextTokens = place.causal ? nextTokensOf(inputs, place, change === '' ? fitting : fewestFills) : undefined
  const { groups: all, headline, tables } = answersOf(place, nextTokens ? fewestFills : fitting)
  // Next tokens are listed already; beside them the model's own appear where interventions move them.
  const groups = nextTokens && change === '' ? [] : all
  const next = nextTokens?.group
  const options = nextTokens ? nextTokens.options : fillOptions(place)
  const left = nextTokens?.left
  const published = next?.stale ? [] : options
  const siteOf = nextTokens?.siteOf ?? ((id: number) => siteOfFill(run, position, id))
  const lens = isLensOn(inputs) ? lensOf(data, place.causal) : undefined
  const currentLens = lens?.stale ? undefined : lens
  const line = change === '' ? sumsLine(published, left) : ''
  return {
    run,
    change,
    predicted: predictedKind(info, all),
    hasMasks: info.predicts_tokens && !place.causal && tokenizer.maskToken !== undefined,
    position,
    groups,
    next,
    options,
    left,
    lens,
    current: {
      scene: sceneOf(
        [...(next && !next.stale ? [next] : []), ...groups, ...(currentLens ? [currentLens.group] : [])],
        areSumsOn(inputs) ? published : [],
        left,
      ),
      headline: headline && { ...headline, line: together([headline.line, line]) },
      tables: [
        ...(published.length > 0 ? [optionTable(published, { left, unlisted: nextTokens?.unlisted, siteOf })] : []),
        ...(published.length > 0 && change === '' ? [] : tables),
        ...(currentLens ? [currentLens.table] : []),
      ],
    },
  }
}

/** What is predicted: the position of a run's text, with the run without interventions. */
interface Place extends Pick<Contents, 'run' | 'position' | 'change'> {
  baseline: Run | undefined
  /** Whether the next token is predicted, not masks. */
  causal: boolean
}

/** The interventions as text; empty where there are none. */
function changeText(key: string, info: ModelInfo): string {
  return changeInWords(existingChange(parseInterventions(key), info), info.num_attention_heads)
}

function predictedKind({ predicts_tokens }: ModelInfo, groups: readonly BarGroup[]): Predicted {
  if (predicts_tokens) return 'tokens'
  return groups.length > 0 ? 'verdict' : 'nothing'
}

/** The next tokens, as all options and as `most` rows; undefined where the model cannot write here. */
function nextTokensOf({ bench: { generation } }: PredictionInputs, { run, position }: Place, most: number) {
  if (!generation.able) return undefined
  const { drawn } = generation
  const stale = generation.isNextStale || generation.nextRun !== run.id
  // A token that is drawn was predicted by an earlier run.
  const siteOf = (id: number) => (drawn || stale ? undefined : siteOfFill(run, position, id))
  const next = drawn ?? generation.next
  const candidates = (next?.candidates ?? []).map((candidate): Option => ({
    ...candidate,
    token: run.model.tokenizer.display(candidate.id),
  }))
  // A sampled token that is not among the likeliest comes behind them.
  const options = candidates.slice(0, mostCandidates)
  const group = {
    title: drawn ? t().drawn : t().next,
    rows: optionRows(firstWith(drawn?.id, candidates, most), drawn?.id, siteOf),
    stale,
  }
  return { siteOf, options, unlisted: candidates[mostCandidates], left: next?.left, group }
}

/** The first `most` options; in place of the last one the option of this id, if it is not among them. */
export function firstWith(id: number | undefined, options: readonly Option[], most: number): Option[] {
  const first = options.slice(0, most)
  const other = options.slice(most).find((option) => option.id === id)
  return other ? [...first.slice(0, -1), other] : first
}

/** The probability of a token at a position. */
const siteOfFill = (run: Run, position: number | undefined, id: number) =>
  position === undefined ? undefined : siteOfToken('probabilities', position, id, run)

/** The fills of the position in a run. */
function fillsAt({ result, model }: Run, position: number | undefined) {
  const read = predictions(result, (id) => model.tokenizer.display(id))
  return read.filter((place) => place.position === position)
}

const fillOptions = ({ run, position }: Place): Option[] =>
  run.model.info.predicts_tokens
    ? (fillsAt(run, position)[0]?.fills ?? []).map(({ id, token, probability }) => ({ id, token, before: probability }))
    : []

/** @param most fills */
function answersOf({ run, baseline, position, change, causal }: Place, most: number): Answers {
  const { info, tokenizer } = run.model
  if (info.predicts_tokens) {
    const [place] = fillChanges(fillsAt(run, position), fillsAt(baseline ?? run, position), most)
    const siteOf = (id: number) => siteOfFill(run, place?.position, id)
    return fillAnswers(place, { change, mask: tokenizer.maskToken ?? '', causal, siteOf })
  }
  const verdictOf = ({ result }: Run) => verdict(info.architecture, info.labels, result)
  const now = verdictOf(run)
  if (run.reading.pair?.part === 'encoder') return { groups: [], headline: t().noneEncoder, tables: [] }
  if (!now) return { groups: [], headline: t().hiddenStatesOnly, tables: [] }
  return verdictAnswers(now, baseline && verdictOf(baseline), run.reading.display, change)
}

/** Bars, and beside them the sums of these options; where there are none, bars alone. */
function sceneOf(groups: readonly BarGroup[], options: readonly Option[], left: number | undefined): Scene {
  const bars = drawBars(groups, 400)
  if (options.length === 0) return bars
  const curve = { x: bars.width + gap, y: 0, width: 360, height: Math.max(240, Math.min(360, bars.height)) }
  return {
    width: curve.x + curve.width,
    height: Math.max(curve.height, bars.height),
    marks: [...bars.marks, ...drawCurve(options, left, curve)],
  }
}

/** What the view's component draws. */
export interface PredictionsDrawing {
  /** A button for each mask, where there are several. */
  masks: readonly { position: number; name: string; pressed: boolean }[]
  /** Whether there are more masks. */
  hasMoreMasks: boolean
  next: Contents['next']
  /** Why there are no next tokens. */
  noNext: string | undefined
  /** Writes a token at the end of the text. */
  write: (id: number) => Target
  canWrite: (id: number) => boolean
  groups: readonly BarGroup[]
  /** Names above the columns of a group's numbers. */
  columnsOf: (group: BarGroup) => readonly string[]
  /** Writes a fill in place of the mask; undefined where nothing is masked. */
  fillIn: ((id: number) => Target) | undefined
  canFill: boolean
  /** Whether a mask is missing. */
  hasNoMask: boolean
  isPending: boolean
  /** Undefined where no token is predicted. */
  more: PredictionsMore | undefined
  /** Undefined where nothing rotates. */
  switches: HeadSwitchesDrawing | undefined
  loss: HeldOutLoss
  /** The present interventions, for the loss, and in words. */
  lossChange: MeasuredChange | undefined
  change: string
}

/** The layers and the sums. */
interface PredictionsMore {
  /** Whether it is open, and the newest answer or why there is none. */
  lens: { isOpen: boolean; answers: Contents['lens']; message: string; toggle: Target }
  sums: { isOpen: boolean; options: readonly Option[]; left: number | undefined; stale: boolean; toggle: Target }
}

export interface HeadSwitchesDrawing {
  model: ModelInfo
  ablated: readonly HeadPlace[]
  by: Choice['headReplacement']
  selected: HeadPlace
}

export function drawingOf(inputs: PredictionInputs, data: PredictionsData, contents: Contents): PredictionsDrawing {
  const { bench, cursor } = inputs
  const { generation, choice } = bench
  const { run, hasMasks, position, groups, next, change } = contents
  const { info, tokenizer } = run.model
  const masks = hasMasks ? Array.from(run.result.rows) : []
  const toggle = (name: 'lens' | 'sums', isOpen: boolean) => ({
    isOpen,
    toggle: { params: { [name]: isOpen ? 'off' : 'on' } },
  })
  return {
    masks:
      masks.length > 1
        ? masks.map((at) => ({
            position: at,
            name: t().mask(tokenizer.maskToken ?? '', at),
            pressed: at === position,
          }))
        : [],
    hasMoreMasks: masks.length === mostPredictions,
    next,
    noNext: next?.rows.length === 0 ? noNextText(run) : undefined,
    write: (id) => ({ act: () => generation.take(id) }),
    canWrite: (id) => generation.canTake && generation.writable(id),
    groups,
    columnsOf: ({ rows }) => (change === '' || rows[0]?.before === undefined ? [] : t().columns),
    fillIn: hasMasks && position !== undefined ? (id) => ({ act: () => fillIn(inputs, position, id) }) : undefined,
    canFill: bench.current,
    hasNoMask: hasMasks && groups.length === 0,
    isPending: bench.pending,
    more:
      info.predicts_tokens && run.result.rows.length > 0
        ? {
            lens: {
              ...toggle('lens', isLensOn(inputs)),
              answers: contents.lens,
              message: data.lens.failure?.message ?? t().lens.loading,
            },
            sums: {
              ...toggle('sums', areSumsOn(inputs)),
              options: contents.options,
              left: contents.left,
              stale: next?.stale === true,
            },
          }
        : undefined,
    switches: info.adds_positions
      ? undefined
      : {
          model: info,
          ablated: existingHeads(choice.ablatedHeads, info),
          by: choice.headReplacement,
          selected: { layer: cursor.layer, head: cursor.head },
        },
    loss: data.loss,
    lossChange: data.change,
    change,
  }
}

const noNextText = ({ reading }: Run): string =>
  reading.pair?.part === 'encoder' ? t().noneEncoder.line : t().noneCausal

/** A token that is only a part of a character writes nothing by itself. */
function fillIn({ bench, run }: PredictionInputs, position: number, id: number): void {
  const text = run?.model.tokenizer.stream(true).push(id) ?? ''
  if (text !== '') bench.fillIn(position, text)
}

/** How many hold half of the probability, and what the sampling settings leave. */
export function sumsLine(options: readonly Option[], left?: number): string {
  if (options.length === 0) return ''
  const { half, remaining } = t().headline
  const mass = cumulative(options, ({ before }) => before).at(-1) ?? 0
  const first = half(countForShare(options, 0.5), options.length, mass)
  if (left === undefined) return first
  return `${first} ${remaining(left, massOfLeft(options, left), left > options.length)}`
}

/** @param siteOf of the probability before the settings */
export function optionRows(
  options: readonly Option[],
  sampled: number | undefined,
  siteOf: (id: number) => string | undefined = () => undefined,
): BarRow[] {
  return options.map(({ id, token, before, after = before }): BarRow => {
    const numbers = [percent(before), percent(after)]
    const site = siteOf(id)
    const row: BarRow = { id, name: token, value: after, before, numbers, sites: site === undefined ? site : [site] }
    if (after === 0) return { ...row, weight: 'faint' }
    return id === sampled ? { ...row, weight: 'strong' } : row
  })
}

interface OptionsOf {
  /** How many the sampling settings leave; undefined where nothing is sampled. */
  left?: number | undefined
  /** The sampled token, if it is none of the options: its rank is not known. */
  unlisted?: Option | undefined
  /** Of the probability of a token. */
  siteOf?: ((id: number) => string | undefined) | undefined
}

export function optionTable(options: readonly Option[], { left, unlisted, siteOf }: OptionsOf = {}): NamedTable {
  const sums = cumulative(options, ({ before }) => before)
  const { tables } = t()
  const isSampled = left !== undefined
  const header = [tables.rank, tables.token, tables.id, tables.now, tables.sum, ...(isSampled ? [tables.after] : [])]
  const rows = unlisted ? [...options, unlisted] : options
  return namedTable(
    tables.candidates,
    header,
    rows,
    ({ token, id, before, after = 0 }, index) => {
      const row =
        index < options.length ? [index + 1, token, id, before, sums[index] ?? 0] : ['', token, id, before, '']
      return isSampled ? [...row, after] : row
    },
    ({ id }, column) => (column === 3 ? siteOf?.(id) : undefined),
  )
}

/** The newest answer of the lens, which is stale where it is of an earlier request. */
function lensOf({ lens: { latest, current } }: PredictionsData, causal: boolean): Contents['lens'] {
  if (!latest) return undefined
  const { run, position } = latest.request
  const { tokenizer } = run.model
  const layers = lensLayers(latest.value, (id) => tokenizer.display(id))
  const place = causal ? t().next : t().mask(tokenizer.maskToken ?? '', position)
  return { ...lensAnswers(layers, place), stale: current === undefined }
}
