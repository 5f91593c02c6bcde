// The score's picture: three dials, the parts of all pairs, and the curve over distances with a handle that moves the key.
import { headName, tokenName } from '../../i18n/numbers'
import type { Token } from '../../i18n/rich'
import { t as headMessages } from '../../charts/head-grid/messages.en'
import {
  angleAt,
  chooseDials,
  drawDials,
  largestDials,
  longestHand,
  planDials,
  type Dial,
  type Hands,
  type DialsPlan,
} from '../../charts/dials/dials'
import type { Box, Mark, Scene } from '../../charts/marks'
import { widthOf } from '../../charts/labels'
import {
  drawCurves,
  drawHandle,
  endsOf,
  planSweep,
  type Curve,
  type HandlePicture,
  type SweepPicture,
  type SweepPlan,
} from '../../charts/sweep/draw'
import { keyAt, scoreAt } from '../../charts/sweep/model'
import { sourceOf } from '../../engine/protocol/parts'
import { rangeOf, waterfall, type Explained, type Moved, type Waterfall } from './parts'
import { siteOfCell } from '../sites'
import { t, type Caption, type RowCaption, type ScoreFacts } from './messages.en'
import { drawWaterfall, planWaterfall, stepAt, type WaterfallPlan } from './waterfall'

interface ScoreRoom {
  width: number
  height: number
  /** The selected pair. */
  selected: number | null
  /** The score whose parts choose the dials: they stay while the key walks. */
  chooser?: Explained
}

export interface ScorePlan {
  width: number
  height: number
  dials: readonly Dial[]
  dialsPlan: DialsPlan
  waterfall: WaterfallPlan
  sweep: SweepPlan
  curves: SweepPicture
  /** The baselines of both titles. */
  titles: { waterfall: number; sweep: number }
}

const titleHeight = 22
const titleSize = 13

export function planScore(
  explained: Explained,
  { width, height, selected, chooser = explained }: ScoreRoom,
): ScorePlan {
  const { steps } = chooser.waterfall
  const partOf = (pair: number) => steps.find((step) => step.pair === pair)?.part ?? 0
  const parts = Array.from({ length: steps.length }, (_, pair) => partOf(pair))
  const dials = (explained.row ? largestDials : chooseDials)(explained.hands, parts, selected)
  const room = dials.length > 0 ? Math.min(Math.max(0.36 * height, 118), 190) : 0
  const dialsPlan = planDials({ x: 0, y: 0, width, height: room }, Math.max(dials.length, 1))
  const top = dials.length > 0 ? dialsPlan.height + 4 : 0
  const hasCurve = isCurved(explained)
  const rest = Math.max(180, height - top - (hasCurve ? 2 : 1) * titleHeight)
  const upper = !hasCurve ? Math.min(rest, 320) : Math.round(0.46 * rest)
  const above: Box = { x: 0, y: top + titleHeight, width, height: upper }
  const below: Box = { x: 0, y: above.y + upper + titleHeight, width, height: rest - upper }
  const curves = curvesOf(explained)
  const range = axisOf(explained)
  // Both have the same left and right edge.
  const left = Math.max(planWaterfall(above, steps.length, range).left, planSweep(below, curves).left)
  const waterfall = planWaterfall(above, steps.length, range, left)
  return {
    width,
    height: hasCurve ? below.y + below.height : below.y - titleHeight,
    dials,
    dialsPlan,
    waterfall,
    sweep: planSweep(below, curves, waterfall),
    curves,
    titles: { waterfall: above.y - 6, sweep: below.y - 6 },
  }
}

/** Whether there is a curve: where all pairs are frozen it is a level line, which is said in words. */
export const isCurved = ({ hands, row, path }: Explained): boolean => (row ? path.length > 0 : hands.length > 0)

/** Running sums of all places on the path are on the axis, so that it stays as it is while the key walks. */
export function axisOf({ waterfall: { steps }, hands, scale, path, row }: Explained): readonly [number, number] {
  if (row) return row.range
  const handOf = new Map(hands.map((hand) => [hand.pair, hand]))
  let [least, most] = rangeOf(steps)
  for (const distance of path) {
    let sum = 0
    for (const { pair, part } of steps) {
      const hand = handOf.get(pair)
      sum += hand ? scale * hand.query * hand.key * Math.cos(angleAt(hand, distance)) : part
      least = Math.min(least, sum)
      most = Math.max(most, sum)
    }
  }
  return [least, most]
}

/** Where the key walks. */
export interface Walking {
  /** The distance, between tokens too. */
  position: number
  moved: Moved | undefined
}

interface ScoreMarks {
  selected: number | null
  /** The pair and the distance under the pointer. */
  pointed: { pair?: number | undefined; distance?: number | undefined }
  walking: Walking | undefined
}

/** The parts where the key is. */
export const summedAt = ({ waterfall: own, wavelengths }: Explained, walking: Walking | undefined): Waterfall =>
  walking?.moved ? waterfall(walking.moved.parts, wavelengths) : own

/** Whether the key can walk: a causal model has no key ahead of its query. */
export const canMove = ({ hands, path }: Explained): boolean => hands.length > 0 && path.length > 0

export function drawScore(explained: Explained, plan: ScorePlan, marks: ScoreMarks): Scene {
  const { run, query, key, hands, check, row } = explained
  const { selected, pointed, walking } = marks
  const own = query - key
  const position = walking?.position ?? own
  const summed = summedAt(explained, walking)
  const tokens = run.reading.display
  return {
    width: plan.width,
    height: plan.height,
    marks: [
      ...drawDials(plan.dialsPlan, {
        dials: plan.dials,
        longest: longestHand(row ? handsOfDials(row.hands, plan.dials) : hands),
        distance: position,
        partOf: (pair) => summed.steps.find((step) => step.pair === pair)?.part ?? 0,
        names: { query: tokens[query] ?? '', key: tokens[key] ?? '' },
      }),
      ...title(plan, plan.titles.waterfall, t().partsTitle(summed.steps.length)),
      ...legend(plan, lineOf(summed, pointed.pair ?? selected), hands.length > 0 && !row),
      ...drawWaterfall(plan.waterfall, summed, {
        selected,
        pointed: pointed.pair ?? null,
        named: plan.dials.map(({ pair }) => pair),
        check: walking && Math.round(position) !== own ? undefined : check,
      }),
      ...(isCurved(explained) ? drawCurve(explained, plan, marks) : []),
    ],
  }
}

/** Of the pairs that have a dial: the others may be far longer. */
const handsOfDials = (hands: readonly Hands[], dials: readonly Dial[]): Hands[] =>
  hands.filter(({ pair }) => dials.some((dial) => dial.pair === pair))

/** The curve over distances with its title and its handle. */
function drawCurve(explained: Explained, plan: ScorePlan, { pointed, walking }: ScoreMarks): Mark[] {
  const { query, key, pair, pairSweep, sweep, path, row } = explained
  const own = query - key
  const position = walking?.position ?? own
  const ghost = walking ? undefined : pointed.distance
  const curves: SweepPicture = {
    ...plan.curves,
    ...(walking && !row ? { peak: undefined, span: [Math.max(path[0] ?? position, position), position] as const } : {}),
    marker: { distance: position, label: walking ? t().score(scoreAt(sweep, position)) : plan.curves.marker.label },
    pointed: ghost === undefined ? undefined : { distance: ghost, label: ghostOf(explained, ghost) },
  }
  const ceiling = ceilingOf(explained)
  const dashed = pairSweep ? [t().dashed(pair)] : []
  const notes = ceiling ? [[...dashed, t().dotted(ceiling.times)].join(' · '), t().dotted(ceiling.times)] : dashed
  return [
    ...title(plan, plan.titles.sweep, row ? t().row.title(path.length === row.keys) : t().sweepTitle, notes),
    ...drawCurves(plan.sweep, curves),
    ...(canMove(explained) ? drawHandle(plan.sweep, handleOf(explained, plan, walking)) : []),
  ]
}

/** Below the handle are the distances, or the tokens whose keys they are. */
function handleOf(explained: Explained, { curves }: ScorePlan, walking: Walking | undefined): HandlePicture {
  const { run, query, key, path, row } = explained
  const distance = walking?.position ?? query - key
  const nameAt = (distance: number) => run.reading.display[query - distance]?.trim() ?? ''
  const { short, shortAhead } = headMessages().distances
  return {
    distance,
    label: row ? nameAt(distance) : short(Math.round(distance)),
    ends: endsOf(curves),
    ahead: isOfSource(explained) ? undefined : shortAhead,
    nameAt: row && nameAt,
    path: walking && path,
  }
}

/** Whether the keys are of a source, from which the query has no distance. */
export const isOfSource = ({ run }: Explained): boolean => sourceOf(run.reading.pair) !== undefined

/** A title, and at its right the first of these notes that fits. */
function title({ width }: ScorePlan, y: number, text: string, notes: readonly string[] = []): Mark[] {
  const note = notes.find((note) => titleEnd(text) + widthOf(note, 10.5) <= width)
  const look = { size: titleSize, face: 'serif', bold: true, tone: 'ink' } as const
  return [
    { kind: 'text', x: 0, y, text, ...look, room: width },
    ...(note === undefined ? [] : [{ kind: 'text', x: width, y, text: note, size: 10.5, anchor: 'end' } as const]),
  ]
}

const titleEnd = (text: string) => Math.ceil(widthOf(text, titleSize) * 1.06) + 14

/** What the colours mean, or the pair that is read. */
function legend({ width, titles, waterfall }: ScorePlan, line: string | undefined, rotates: boolean): Mark[] {
  const start = titleEnd(t().partsTitle(Math.round((waterfall.right - waterfall.left) / waterfall.pitch)))
  const y = titles.waterfall
  const size = 11
  if (line !== undefined) return [{ kind: 'text', x: start, y, text: line, size, tone: 'ink', room: width - start }]
  const { order, adds, takes } = t().legend
  const words = [
    ...(rotates ? ([{ text: order, tone: 'quiet', bold: false }] as const) : []),
    { text: adds, tone: 'positive', bold: true },
    { text: takes, tone: 'negative', bold: true },
  ] as const
  let x = start
  return words.flatMap(({ text, tone, bold }): Mark[] => {
    const at = x
    x += widthOf(text, size) * (bold ? 1.08 : 1) + 10
    return x - 10 > width ? [] : [{ kind: 'text', x: at, y, text, size, tone, bold }]
  })
}

function lineOf({ steps }: Waterfall, pair: number | null): string | undefined {
  const step = steps.find((step) => step.pair === pair)
  return step && t().pairValue(step.pair, step.wavelength, step.part, step.to)
}

function ghostOf(explained: Explained, distance: number): string {
  const { run, query, sweep, row } = explained
  const at = keyAt(query, distance, run.head.length, run.model.info.is_decoder)
  const token = at === undefined ? undefined : tokenName(run.reading.display[at] ?? '', at)
  const score = scoreAt(sweep, distance)
  return row ? t().row.marker(token ?? '', placeAt(explained, distance), score) : t().ghost(token, distance, score)
}

/** Where a key is: its distance, or undefined in a source. */
const placeAt = (explained: Explained, distance: number): number | undefined =>
  isOfSource(explained) ? undefined : distance

/** The pair at a place of the picture: of a dial or of a bar. */
export function pairAt({ dials, dialsPlan, waterfall: plan }: ScorePlan, explained: Explained, x: number, y: number) {
  const dial = dialsPlan.at(x, y)
  if (dial !== undefined && dials[dial]) return dials[dial].pair
  return y >= plan.top - 12 && y <= plan.bottom + 16 ? stepAt(x, plan, explained.waterfall)?.pair : undefined
}

/** Scores that differ by less are equal in two digits. */
const flat = 0.01
/** Smaller differences on the curve are not visible, as a share of its height. */
const invisible = 0.02

export function factsOf(explained: Explained): ScoreFacts {
  const { run, query, key, score, weight, check, sweep, waterfall, hands, peak, span, row } = explained
  const fastest = row ? undefined : hands[0]
  const distance = query - key
  return {
    query: tokenAt(run, query),
    key: tokenAt(run, key),
    head: headName(run.head),
    score,
    weight,
    sites: sitesOf(explained),
    distance,
    peak: span < flat ? 'flat' : peak,
    near: peak.score - scoreAt(sweep, distance) < invisible * span,
    pairs: waterfall.steps.length,
    row: row && { keys: row.keys, best: tokenAt(run, query - peak.distance) },
    isMasked: check.state === 'masked',
    main: waterfall.main,
    fastest: fastest && { pair: fastest.pair, angle: angle(angleAt(fastest, distance)) },
  }
}

/** The sites of the score and of its weight. */
function sitesOf({ run, query, key }: Explained): ScoreFacts['sites'] {
  const { layer, head } = run.head
  const cell = { layer, head, query, key }
  return { score: siteOfCell('layer.N.score', cell, run), weight: siteOfCell('attentions.N', cell, run) }
}

const tokenAt = ({ reading }: Explained['run'], position: number): Token => ({
  text: reading.display[position] ?? '',
  position,
})

/** The angle between two hands, 0 … π. */
const angle = (angle: number) => Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle)))

/** What a walk shows where the key stands now; undefined while its parts are on their way. */
export function captionOf(
  { run, query, key, score, sweep, waterfall, hands }: Explained,
  walk: Walking,
): Caption | undefined {
  const [fastest] = hands
  const distance = Math.round(walk.position)
  const partIn = (parts: ArrayLike<number> | undefined) => (fastest && parts ? (parts[fastest.pair] ?? 0) : undefined)
  const own = waterfall.steps.find(({ pair }) => pair === fastest?.pair)?.part
  const isOwn = distance === query - key
  const part = isOwn ? own : walk.moved?.distance === distance ? partIn(walk.moved.parts) : undefined
  if (!fastest || part === undefined || own === undefined) return undefined
  const at = keyAt(query, distance, run.head.length, run.model.info.is_decoder)
  return {
    key: tokenAt(run, key),
    at: at === undefined ? undefined : tokenAt(run, at),
    distance,
    isOwn,
    pair: fastest.pair,
    angle: angle(angleAt(fastest, distance)),
    part,
    own,
    score: isOwn ? score : scoreAt(sweep, distance),
  }
}

/** What a walk shows of the token whose key is in place of the selected one. */
export function rowCaptionOf(own: Explained, present: Explained): RowCaption {
  const { run, query, key, score } = present
  return {
    key: tokenAt(run, own.key),
    at: tokenAt(run, key),
    distance: placeAt(present, query - key),
    isOwn: key === own.key,
    score,
    own: own.score,
    main: present.waterfall.main,
  }
}

/** The paper's bound at a distance, usually the key's own, and how many times as high as the highest score its highest point is. */
export function ceilingOf(
  { bound, sweep, query, key }: Explained,
  distance = query - key,
): { here: number; times: number } | undefined {
  const highest = sweep.values.reduce((highest, score) => Math.max(highest, Math.abs(score)), 0)
  if (!bound || highest === 0) return undefined
  return { here: scoreAt(bound, distance), times: scoreAt(bound, 0) / highest }
}

/** The curve of all pairs, that of one pair alone, and the shape of the bound: as high as it is, it would flatten the others. */
export function curvesOf(explained: Explained): SweepPicture {
  const { run, query, key, score, sweep, pairSweep, bound, peak, span, path, row } = explained
  const { is_decoder: causal } = run.model.info
  const distance = query - key
  const token = run.reading.display[key] ?? ''
  const curves: Curve[] = [{ scores: sweep, tone: 'ink', weight: 1.7 }]
  if (pairSweep) curves.push({ scores: pairSweep, tone: 'edge', weight: 1, dash: '3 2' })
  const ceiling = ceilingOf(explained)
  if (bound && ceiling) {
    const scores = { ...bound, values: bound.values.map((value) => value / ceiling.times) }
    curves.push({ scores, tone: 'quiet', weight: 1.1, dash: '1 3' })
  }
  return {
    curves,
    reach: sweep.reach,
    causal,
    marker: {
      distance,
      label: row ? t().row.marker(token, placeAt(explained, distance), score) : t().marker(token, distance, score),
    },
    peak:
      span < flat || peak.distance === distance || (row && !path.includes(peak.distance)) ? undefined : peak.distance,
    notes: [],
    stems: row && path,
    tokens: row
      ? []
      : Array.from({ length: run.head.length }, (_, position) => query - position).filter(
          (distance) => !(causal && distance < 0) && Math.abs(distance) <= sweep.reach,
        ),
    ends: headMessages().distances,
  }
}
