// The maps and fills, everything as one scene, and what the component draws.
import { weightEntry } from '../../charts/colour'
import { thinLabels, widthOf } from '../../charts/labels'
import { paintCells, weightAt } from '../../charts/matrix'
import { asCursor, type Box, type Mark, type Scene } from '../../charts/marks'
import { drawSweep, planSweep, type SweepPicture } from '../../charts/sweep/draw'
import { scoreAt } from '../../charts/sweep/model'
import { percent, tokenName, weight as weightText } from '../../i18n/numbers'
import { plainText, type Sentence } from '../../i18n/rich'
import { t as headMessages } from '../../charts/head-grid/messages.en'
import type { Run } from '../../session/runs.svelte'
import {
  controlsOf,
  fillsOf,
  lossChartOf,
  mutedPairs,
  wavelengthsIn,
  weightsOf,
  type Compared,
  type Fills,
  type MuteControls,
  type MuteData,
  type MuteInputs,
  type PairParts,
} from './data'
import { t } from './messages.en'
import { fillsIn, layOut, type MuteLayout } from './layout'
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
  const isChanged = run.changed !== ''
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

export function drawingOf(
  inputs: MuteInputs,
  data: MuteData,
  { compared, layout, parts, curves, marks }: Picture,
): MuteDrawing {
  const { baseline, run, query, key, pairs, score } = compared
  const wavelengths = wavelengthsIn(inputs)
  const token = (position: number) => tokenName(run.reading.display[position] ?? '', position)
  const cell = t().mapValue(token(query), token(key), ...weightsOf(baseline, run, query, key))
  return {
    controls: controlsOf(inputs, data, run.model.info),
    height: layout.height,
    marks,
    room: parts.room,
    lineOf(pointed = inputs.cursor.pair ?? undefined) {
      const read = pairs.find(({ pair }) => pair === pointed)
      return lineOf(compared, read, parts.room)
    },
    switches: parts.switches.map(({ pairs, box }) => ({
      pairs,
      label: t().switchLabel(pairs, wavelengths[pairs[0] ?? 0] ?? Infinity),
      box,
    })),
    maps: { a: layout.mapA, b: layout.mapB, length: run.head.length, query, key, label: `${t().mapLabel}. ${cell}` },
    cell,
    sweep: {
      box: curveBox(layout),
      picture: curves,
      valueText: t().sweepValue(token(key), query - key, ...score),
      read: (distance) =>
        t().ghost(distance, scoreAt(compared.curves[0], distance), scoreAt(compared.curves[1], distance)),
    },
  }
}

/** The curve below its title. */
const curveBox = ({ sweep }: MuteLayout): Box => ({ ...sweep, y: sweep.y + 16, height: sweep.height - 16 })

export function anchorsOf({ layout: { parts, mapA, mapB, sweep, fills } }: Picture) {
  return { parts, baseline: mapA, muted: mapB, curve: sweep, ...(fills && { guess: fills }) }
}

/** The scene of a saved picture, with title and curves. */
export function savedScene({ compared, layout, parts, curves, marks }: Picture, width: number): Scene {
  const title = plainText(lineOf(compared, undefined, parts.room))
  return {
    width,
    height: layout.height,
    marks: [
      ...marks,
      { kind: 'text', x: 0, y: 13, text: title, size: 13, tone: 'ink' },
      ...drawSweep(planSweep(curveBox(layout), curves), curves),
    ],
  }
}

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
  const isChanged = run.changed !== ''
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
  return [
    ...(palette ? [paintCells({ values: head.attention, length, table: palette, entry: weightEntry }, pane)] : []),
    { kind: 'rect', x, y, width, height, stroke: 'rule' },
    ...asCursor([
      { kind: 'rect', x: column, y, width: pitch, height, stroke: 'key', weight: 1.3 },
      { kind: 'rect', x, y: row, width, height: pitch, stroke: 'query', weight: 1.3 },
      { kind: 'rect', x: column, y: row, width: pitch, height: pitch, stroke: 'ink', weight: 2 },
    ]),
    {
      kind: 'text',
      x,
      y: y - 6,
      text: title,
      size: 12,
      face: 'serif',
      bold: true,
      tone: 'ink',
      room: 0.8 * (width - widthOf(weight, 12, 'mono') - 6),
    },
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
