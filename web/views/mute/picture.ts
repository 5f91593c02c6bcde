// Where parts, maps, curve, fills and losses stand, in CSS px, and all of them as marks.
import { weightEntry } from '../../charts/colour'
import { thinLabels, widthOf } from '../../charts/labels'
import { paintCells, weightAt } from '../../charts/matrix'
import { asCursor, ellipsis, type Box, type Mark, type Text } from '../../charts/marks'
import type { SweepPicture } from '../../charts/sweep/draw'
import { percent, tokenName, weight as weightText } from '../../i18n/numbers'
import { plainText, type Sentence } from '../../i18n/rich'
import { t as headMessages } from '../../charts/head-grid/messages.en'
import type { Run } from '../../session/runs.svelte'
import {
  fillsOf,
  lossChartOf,
  mutedPairs,
  type Compared,
  type Fills,
  type MuteControls,
  type MuteData,
  type MuteInputs,
  type PairParts,
} from './data'
import { t } from './messages.en'
import { drawLoss, drawParts, planParts, type PartsPlan } from './parts'

/** Everything that is drawn. */
export interface Picture {
  compared: Compared
  fills: Fills | undefined
  layout: MuteLayout
  parts: PartsPlan
  curves: SweepPicture
  /** Everything but the curves, which are a slider on the page. */
  marks: readonly Mark[]
}

export function pictureOf(inputs: MuteInputs, data: MuteData): Picture | undefined {
  const { compared } = data
  if (!compared) return undefined
  const { width, cursor, palette } = inputs
  const { baseline, run, query, key, pairs, score } = compared
  const fills = fillsOf(baseline, run, fillsIn(inputs))
  const chart = lossChartOf(inputs, data)
  const layout = layOut(width, Math.max(240, inputs.height), fills?.fills.length ?? 0, chart !== undefined)
  const parts = planParts(layout.parts, pairs)
  const { mapA, mapB, labels, sweep } = layout
  const map = { tokens: run.reading.display, query, key, palette }
  const title: Mark = {
    kind: 'text',
    x: sweep.x,
    y: sweep.y + 12,
    text: widthOf(t().sweepTitle, 14) < sweep.width ? t().sweepTitle : t().sweepShort,
    size: 12.5,
    face: 'serif',
    bold: true,
    tone: 'ink',
    room: sweep.width,
  }
  const isChanged = run.interventions !== ''
  const marks = [
    ...drawParts(parts, { pairs, score, muted: mutedPairs(inputs), selected: cursor.pair }),
    ...drawMap(mapA, { ...map, head: baseline.head, title: t().mapA, strong: false, labels }),
    ...drawMap(mapB, { ...map, head: run.head, title: t().mapB(isChanged), strong: true, labels: 0 }),
    title,
    ...(layout.loss && chart ? drawLoss(layout.loss, parts, chart) : []),
    ...(fills && layout.fills ? drawFills(layout.fills, fills, t().guess(placeOf(fills, run))) : []),
  ]
  return { compared, fills, layout, parts, curves: curvesOf(compared), marks }
}

/** What the view's component draws. */
export interface MuteDrawing {
  controls: MuteControls
  height: number
  marks: readonly Mark[]
  /** CSS px of the sentence above the parts. */
  room: number
  /** About this pair, by default the selected one. */
  lineOf: (pair: number | undefined) => Sentence
  switches: readonly { pairs: readonly number[]; label: string; box: Box }[]
  maps: { a: Box; b: Box; length: number; query: number; key: number; label: string }
  /** The selected cell in words. */
  cell: string
  sweep: { box: Box; picture: SweepPicture; valueText: string; read: (distance: number) => string }
}

/** The curve below its title. */
export const curveBox = ({ sweep }: MuteLayout): Box => ({ ...sweep, y: sweep.y + 16, height: sweep.height - 16 })

/** The name of the predicted position. */
export const placeOf = ({ position }: Fills, { model, reading }: Run): string =>
  model.info.is_decoder ? t().following : tokenName(reading.display[position] ?? '', position)

/** The title, or the parts of the hovered pair; shorter if the width demands it. */
export function lineOf({ run, query, key }: Compared, pair: PairParts | undefined, room: number): Sentence {
  const token = (position: number) => ({ text: run.reading.display[position] ?? '', position })
  const sentence = (short: boolean) =>
    pair
      ? t().read(pair.pair, pair.wavelength, pair.before, pair.after, short)
      : t().partsTitle(token(query), token(key), short)
  return widthOf(plainText(sentence(false)), 13) <= room ? sentence(false) : sentence(true)
}

/** A thin, B bold. */
function curvesOf({ run, query, key, score, curves: [before, after] }: Compared): SweepPicture {
  const isChanged = run.interventions !== ''
  const distance = query - key
  const name = run.reading.display[key] ?? ''
  return {
    curves: [
      { scores: after, tone: 'ink', weight: 1.8 },
      ...(isChanged ? [{ scores: before, tone: 'edge', weight: 1 } as const] : []),
    ],
    reach: after.reach,
    causal: run.model.info.is_decoder,
    marker: { distance, label: t().marker(name, distance, score[1], isChanged) },
    rings: isChanged ? [before] : [],
    notes: isChanged ? [t().sweepNote] : [],
    ends: headMessages().distances,
  }
}

export interface MuteLayout {
  /** The chart of parts and the switches below it. */
  parts: Box
  mapA: Box
  mapB: Box
  /** The width of token labels left of A. */
  labels: number
  /** Including its title. */
  sweep: Box
  fills: Box | undefined
  /** The chart of losses, below the switches. */
  loss: Box | undefined
  height: number
}

/** Wider or higher, bars say no more: the maps get the width. */
const mostParts = { width: 620, height: 440 }
/** From this width on maps and curve are right of the parts. */
const wide = 640
/** Below this width there is one column. */
const narrow = 400
const rowHeight = 18
const fillsTitle = 22
/** Where the parts leave no more room, and where they do. */
const [fewFills, mostFills] = [4, 12]
/** The minimum heights of the chart of losses and of the parts. */
const leastLoss = 136
const leastParts = 176
const between = 12
const mapTitle = 18
/** Space below a map for the key's token. */
const mapFoot = 16

/** How many fills there are: as many as the parts leave room for. */
function fillsIn({ width, height }: { width: number; height: number }): number {
  if (width < wide) return fewFills
  const rows = Math.floor((height - mostParts.height - between - fillsTitle) / rowHeight)
  return Math.min(Math.max(rows, fewFills), mostFills)
}

/** @param fills their number; losses: whether there is a chart of them */
export function layOut(width: number, height: number, fills: number, losses = false): MuteLayout {
  const fillsHeight = fills > 0 ? fillsTitle + rowHeight * fills : 0
  if (width >= wide) return twoColumns(width, height, fillsHeight, losses)
  if (width >= narrow && height < 600) return twoRows(width, height, losses)
  return oneColumn(width, height, fillsHeight, losses)
}

/** The chart of losses below the parts, equally wide. */
const lossUnder = ({ x, y, width, height }: Box, high: number): Box => ({
  x,
  y: y + height + between,
  width,
  height: high,
})

/** Parts, losses and fills on the left, maps and curve on the right. Losses replace fills: the headline names the best fill. */
function twoColumns(width: number, height: number, fills: number, losses: boolean): MuteLayout {
  const gap = 28
  const left = Math.min(Math.round((width - gap) * 0.53), mostParts.width)
  const right = width - left - gap
  const labels = right >= 340 ? 60 : 0
  const side = Math.max(80, Math.min((right - labels - 12) / 2, height * 0.54 - mapTitle - mapFoot))
  const x = left + gap + labels
  const top = mapTitle + side + mapFoot + 8
  const guess = losses && height < leastParts + leastLoss + fills + 2 * between ? 0 : fills
  const room = height - guess - (guess > 0 ? between : 0)
  const high = Math.max(leastParts, Math.min(mostParts.height, losses ? Math.round((room - between) * 0.55) : room))
  const parts = { x: 0, y: 0, width: left, height: high }
  const loss = losses ? lossUnder(parts, Math.max(leastLoss, room - high - between)) : undefined
  const end = loss ? loss.y + loss.height : high
  return {
    parts,
    mapA: { x, y: mapTitle, width: side, height: side },
    mapB: { x: x + side + 12, y: mapTitle, width: side, height: side },
    labels,
    sweep: { x: left + gap, y: top, width: right, height: Math.max(130, height - top) },
    fills: guess > 0 ? { x: 0, y: end + between, width: left, height: guess } : undefined,
    loss,
    height: Math.max(height, top + 130, end, guess > 0 ? end + between + guess : 0),
  }
}

/** Parts above, small maps and the curve below. The headline names the best fill. */
function twoRows(width: number, height: number, losses: boolean): MuteLayout {
  const parts = { x: 0, y: 0, width, height: Math.max(150, Math.round(height * 0.54)) }
  const rest = Math.max(140, height - parts.height - 8)
  const loss = losses ? lossUnder(parts, leastLoss) : undefined
  const top = (loss ? loss.y + loss.height : parts.height) + 8
  const side = Math.min((width * 0.48) / 2, rest - mapTitle - mapFoot)
  const y = top + mapTitle
  return {
    parts,
    mapA: { x: 0, y, width: side, height: side },
    mapB: { x: side + 8, y, width: side, height: side },
    labels: 0,
    sweep: { x: 2 * side + 24, y: top, width: width - 2 * side - 24, height: rest },
    fills: undefined,
    loss,
    height: top + rest,
  }
}

function oneColumn(width: number, height: number, guess: number, losses: boolean): MuteLayout {
  const parts = { x: 0, y: 0, width, height: Math.max(220, Math.round(height * 0.36)) }
  const loss = losses ? lossUnder(parts, leastLoss) : undefined
  const side = (width - 10) / 2
  const maps = (loss ? loss.y + loss.height : parts.height) + between + mapTitle
  const sweep = maps + side + mapFoot + 10
  const high = 190
  const fills = sweep + high + between
  return {
    parts,
    mapA: { x: 0, y: maps, width: side, height: side },
    mapB: { x: side + 10, y: maps, width: side, height: side },
    labels: 0,
    sweep: { x: 0, y: sweep, width, height: high },
    fills: guess > 0 ? { x: 0, y: fills, width, height: guess } : undefined,
    loss,
    height: fills + guess,
  }
}

const size = 10.5

interface MapMarks {
  head: Run['head']
  tokens: readonly string[]
  query: number
  key: number
  title: string
  strong: boolean
  /** The width of token labels on the left; 0 for none. */
  labels: number
  /** 256 × 3 sRGB bytes; undefined until the engine has computed it. */
  palette: Uint8Array | undefined
}

export function drawMap(box: Box, { head, tokens, query, key, title, strong, labels, palette }: MapMarks): Mark[] {
  const { length } = head
  const pitch = box.width / length
  const [row, column] = [box.y + query * pitch, box.x + key * pitch]
  const weight = weightText(weightAt(head, query, key))
  const { x, y, width, height } = box
  const pane = { ...box, height: width, from: { query: 0, key: 0 }, queries: length, keys: length }
  const low = y + height + 12
  const token = tokens[key] ?? ''
  const half = Math.min(widthOf(token, size, 'mono'), width) / 2
  const under = Math.min(Math.max(column + pitch / 2, x + half), x + width - half)
  const name: Text = {
    kind: 'text',
    x,
    y: y - 6,
    text: title,
    size: 12,
    face: 'serif',
    bold: true,
    tone: 'ink',
    room: 0.8 * (width - widthOf(weight, 12, 'mono') - 6),
  }
  return [
    ...(palette ? [paintCells({ values: head.attention, length, table: palette, entry: weightEntry }, pane)] : []),
    { kind: 'rect', x, y, width, height, stroke: 'rule' },
    ...asCursor([
      { kind: 'rect', x: column, y, width: pitch, height, stroke: 'key', weight: 1.3 },
      { kind: 'rect', x, y: row, width, height: pitch, stroke: 'query', weight: 1.3 },
      { kind: 'rect', x: column, y: row, width: pitch, height: pitch, stroke: 'ink', weight: 2 },
    ]),
    // The letter alone rather than a part of the title.
    ellipsis(name) === title ? name : { ...name, text: title.charAt(0) },
    {
      kind: 'text',
      x: x + width,
      y: y - 6,
      text: weight,
      size: 12,
      face: 'mono',
      bold: strong,
      tone: 'ink',
      anchor: 'end',
    },
    { kind: 'text', x: under, y: low, text: token, size, face: 'mono', tone: 'key', anchor: 'middle', room: width },
    ...rowLabels(box, tokens, query, labels),
  ]
}

function rowLabels({ x, y, height }: Box, tokens: readonly string[], query: number, labels: number): Mark[] {
  if (labels === 0) return []
  const pitch = height / Math.max(tokens.length, 1)
  return thinLabels(tokens.length, pitch, 13, [query]).map((index): Mark => {
    const isQuery = index === query
    const place = { x: x - 5, y: y + (index + 0.5) * pitch + 3.5 }
    const text = tokens[index] ?? ''
    const tone = isQuery ? 'query' : 'quiet'
    return { kind: 'text', ...place, text, size, face: 'mono', tone, bold: isQuery, anchor: 'end', room: labels - 5 }
  })
}

/** A longer bar says no more. */
const longestBar = 360

/** For each token A's bar above B's, with their numbers. */
export function drawFills(box: Box, { fills, least }: Fills, title: string): Mark[] {
  const [a, b] = [box.x + box.width - 58, box.x + box.width]
  const names = Math.min(96, box.width * 0.26)
  const from = box.x + names + 8
  const room = Math.min(Math.max(20, a - 52 - from), longestBar)
  const most = Math.max(0.01, ...fills.flatMap(({ before, after }) => [before ?? 0, after ?? 0]))
  const chance = (value: number | undefined, less: number) => (value === undefined ? t().below(less) : percent(value))
  return [
    { kind: 'text', x: box.x, y: box.y + 12, text: title, size: 11, room: a - 52 - box.x },
    // Which bar is whose.
    { kind: 'rect', x: a - 22, y: box.y + 6, width: 10, height: 5, fill: 'edge' },
    { kind: 'rect', x: b - 22, y: box.y + 6, width: 10, height: 5, fill: 'ink' },
    { kind: 'text', x: a, y: box.y + 12, text: t().a, size: 11, face: 'mono', anchor: 'end' },
    {
      kind: 'text',
      x: b,
      y: box.y + 12,
      text: t().b,
      size: 11,
      face: 'mono',
      bold: true,
      tone: 'ink',
      anchor: 'end',
    },
    ...fills.flatMap(({ token, before, after }, index): Mark[] => {
      const y = box.y + 22 + index * 18
      const bar = (value = 0) => (room * value) / most
      return [
        { kind: 'text', x: box.x, y: y + 10, text: token, size: 11.5, face: 'mono', tone: 'ink', room: names },
        { kind: 'rect', x: from, y: y + 1, width: bar(before), height: 5, fill: 'edge' },
        { kind: 'rect', x: from, y: y + 7, width: bar(after), height: 5, fill: 'ink' },
        { kind: 'text', x: a, y: y + 10, text: chance(before, least[0]), size: 11, face: 'mono', anchor: 'end' },
        {
          kind: 'text',
          x: b,
          y: y + 10,
          text: chance(after, least[1]),
          size: 11,
          face: 'mono',
          tone: 'ink',
          anchor: 'end',
        },
      ]
    }),
  ]
}
