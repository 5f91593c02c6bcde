// Texts of 1, 2 and 4 times the model's length: what is changed for them, what is measured, and how it is drawn.
import { factors } from '../../../training/results/longrope.json'
import type { ContextExtensionName } from '../../engine/protocol/mathematics'
import type { Loss, ModelInfo } from '../../engine/protocol/protocol'
import type { Result } from '../../engine/protocol/requests'
import { weightEntry } from '../../charts/colour'
import { score } from '../../i18n/format'
import { chart } from '../../charts/chart'
import type { Mark, Scene } from '../../charts/marks'
import type { RunChange } from '../../session/change'
import type { HeldOut } from '../../session/heldOut'
import { meanOf, type Steps } from '../../session/losses'
import type { ReadWords } from '../../i18n/en/read'

type Said = ReadWords['figures']['longer']

/** The file with rows of the longest text; training/held_out.py writes it. */
export const longName = 'held-out-long.json'

/** Times the model's length. */
export const lengths = [1, 2, 4] as const
export type Times = (typeof lengths)[number]
const most = 4

/** Ways to read them without training, with their names in the link; training/measure_lengths.py has the same. */
export const wayIds = [
  'plain',
  'interpolation',
  'dynamic',
  'yarn',
  'yarnCode',
  'llama',
  'longrope',
  'partial',
  'proportional',
  'clamp',
  'logn',
  'both',
] as const
export type WayId = (typeof wayIds)[number]
export const usualWays: readonly string[] = ['plain', 'clamp', 'logn']

/** In their order; what is no way is left out. */
export const waysOf = (named: readonly string[]): WayId[] => wayIds.filter((id) => named.includes(id))

/** What a way changes in the model; θ of `stretch` are yet to be asked for. */
export interface LongChange {
  /** rope_parameters as config.json has them. */
  scaling?: object
  /** A way of the figure before: what it makes of each pair. */
  stretch?: { way: ContextExtensionName; factor: number }
  /** The part of the pairs that turns, the fastest. */
  turning?: number
  reach?: number
  logN?: number
}

/** The base of every RoFormer. */
const base = 10_000

/** At its own length no frequency changes, but where only a part of them turns. */
export function changeOf(
  way: WayId,
  times: Times,
  { max_position_embeddings: context }: Pick<ModelInfo, 'max_position_embeddings'>,
): LongChange {
  const longer = (change: LongChange): LongChange => (times === 1 ? {} : change)
  const original = { original_max_position_embeddings: context }
  const clamp = { reach: Math.floor(context / 4) }
  const grown = longer({ logN: context })
  switch (way) {
    case 'plain':
      return {}
    case 'interpolation':
      return longer({ scaling: { rope_type: 'linear', factor: times } })
    case 'dynamic':
      return longer({ scaling: { rope_type: 'dynamic', factor: 1 } })
    case 'yarn':
      return longer({ stretch: { way: 'yarn', factor: times } })
    case 'yarnCode':
      return longer({ scaling: { rope_type: 'yarn', factor: times, ...original } })
    case 'llama':
      return longer({
        scaling: { rope_type: 'llama3', factor: times, low_freq_factor: 1, high_freq_factor: 4, ...original },
      })
    case 'longrope':
      return longer({
        scaling: { rope_type: 'longrope', factor: times, short_factor: factors, long_factor: factors, ...original },
      })
    case 'partial':
      return { stretch: { way: 'partial', factor: 1 }, turning: 1 / 4 }
    case 'proportional':
      return { turning: 1 / 4 }
    case 'clamp':
      return clamp
    case 'logn':
      return grown
    case 'both':
      return { ...clamp, ...grown }
  }
}

/** What is asked of the engine for a stretched rope: as it was trained, and this way. */
export const stretchAsks = (
  { way, factor }: NonNullable<LongChange['stretch']>,
  { max_position_embeddings: context, head_size: headSize }: Pick<ModelInfo, 'max_position_embeddings' | 'head_size'>,
) => ({ ways: ['trained', way] as const, headSize, base, context, factor, distances: 2 })

/** The change of a run. `stretched`: the answer to `stretchAsks`. */
export function changeOfRun(
  { scaling, stretch, turning, ...others }: LongChange,
  model: Pick<ModelInfo, 'max_position_embeddings' | 'head_size' | 'num_hidden_layers'>,
  stretched: Result<'stretched'> | undefined,
): RunChange {
  const pairs = model.head_size / 2
  const still = Array.from({ length: pairs }, (_, pair) => pair).filter((pair) => pair >= pairs * (turning ?? 1))
  const [before, after] = stretched ?? []
  // A rope by any θ is one whose pairs are divided by factors.
  const divided = Array.from({ length: pairs }, (_, pair) => {
    const slower = (before?.theta[pair] ?? NaN) / (after?.theta[pair] ?? NaN)
    return Number.isFinite(slower) ? slower : 1
  })
  const rope = stretch
    ? {
        rope_type: 'longrope',
        short_factor: divided,
        long_factor: divided,
        attention_factor: after?.theta[pairs] ?? 1,
        original_max_position_embeddings: model.max_position_embeddings,
      }
    : scaling
  return {
    muted: Array.from({ length: still.length > 0 ? model.num_hidden_layers : 0 }, (_, layer) => ({
      layer,
      head: null,
      pairs: still,
      fate: 'stop' as const,
    })),
    off: [],
    ...others,
    ...(rope === undefined ? {} : { ropeScaling: JSON.stringify(rope) }),
  }
}

/** Equal changes at the same length are the same measurement. */
export const keyOf = (change: LongChange, times: Times) => `${times} ${JSON.stringify(change)}`

/** How long readings of each kind took: their number and milliseconds, by `kindOf`. */
export type Spent = ReadonlyMap<string, { readings: number; milliseconds: number }>

/** Readings of a kind take about as long as each other: by their length, and more where distances have a limit. */
export const kindOf = (times: Times, { reach }: LongChange) => `${times} ${reach === undefined ? '' : 'limited'}`

export const alsoSpent = (spent: Spent, kind: string, milliseconds: number): Spent => {
  const before = spent.get(kind) ?? { readings: 0, milliseconds: 0 }
  const sum = { readings: before.readings + 1, milliseconds: before.milliseconds + milliseconds }
  return new Map(spent).set(kind, sum)
}

/** Seconds that readings of these kinds will take; of a kind that none was of yet, as the longest that is known. undefined: none is known. */
export function secondsFor(kinds: readonly string[], spent: Spent): number | undefined {
  if (spent.size === 0) return undefined
  const each = ({ readings, milliseconds }: { readings: number; milliseconds: number }) => milliseconds / readings
  const longest = Math.max(...Array.from(spent.values(), each))
  const sum = kinds.reduce((sum, kind) => {
    const known = spent.get(kind)
    return sum + (known ? each(known) : longest)
  }, 0)
  return sum / 1000
}

/** A row cut into texts of so many times the length: all of the same length, one after the other. */
export function textsOf(
  held: HeldOut,
  row: number,
  times: Times,
): { ids: Uint32Array; labels: Int32Array; batch: number } {
  const batch = most / times
  const [from, to] = [row * held.length, (row + 1) * held.length]
  const [first = 0, last = 0] = [held.ids[from], held.ids[to - 1]]
  const each = Math.floor((held.length - 2) / batch)
  const ids = new Uint32Array(batch * (each + 2))
  const labels = new Int32Array(ids.length).fill(-1)
  for (let text = 0; text < batch; text++) {
    const start = from + 1 + text * each
    const into = text * (each + 2)
    ids[into] = first
    ids.set(held.ids.subarray(start, start + each), into + 1)
    ids[into + each + 1] = last
    labels.set(held.labels.subarray(start, start + each), into + 1)
  }
  return { ids, labels, batch }
}

/** A map made small: the strongest weight under each of its cells, (side, side), and what queries give their strongest key on average. */
export interface SmallMap {
  length: number
  side: number
  cells: Float32Array
  strongest: number
}

/** Of (length, length) weights. */
export function shrunk(weights: Float32Array, length: number, largest = 128): SmallMap {
  const side = Math.min(largest, length)
  const cells = new Float32Array(side * side)
  let sum = 0
  for (let query = 0; query < length; query++) {
    const row = Math.floor((query * side) / length) * side
    let strongest = 0
    for (let key = 0; key < length; key++) {
      const weight = weights[query * length + key] ?? 0
      if (weight > strongest) strongest = weight
      const at = row + Math.floor((key * side) / length)
      if (weight > (cells[at] ?? 0)) cells[at] = weight
    }
    sum += strongest
  }
  return { length, side, cells, strongest: sum / Math.max(length, 1) }
}

export interface Shown {
  ways: readonly WayId[]
  way: WayId
  context: number
  /** Losses row by row, and the chosen head's map in the first text of each length. */
  losses: (way: WayId, times: Times) => Steps
  map: (times: Times) => SmallMap | undefined
}

/** The mean over the rows that all that is shown was measured on; undefined where there is none. */
export function comparedLosses({ ways, losses }: Shown): {
  rows: number
  of: (way: WayId, times: Times) => Loss | undefined
} {
  const rows = Math.min(...ways.flatMap((way) => lengths.map((times) => losses(way, times).length)))
  // Before all have their first row, each shows what it has.
  return { rows, of: (way, times) => meanOf(losses(way, times), Math.max(rows, 1)) }
}

const dashes = [
  undefined,
  '6 3',
  '2 3',
  '8 3 2 3',
  '1 4',
  '10 4',
  '4 2 1 2',
  '12 3 2 3',
  '3 6',
  '6 2 2 2 2 2',
  '14 4',
  '5 5',
]

/** Losses by length, and below them a head's map at each length. */
export function drawLonger(
  shown: Shown,
  { width, height }: { width: number; height: number },
  palette: Uint8Array,
  said: Said,
): Scene {
  const { ways, context } = shown
  const gap = 14
  /** The chart keeps at least so much. */
  const least = 190
  const side = Math.max(60, Math.min((width - 2 * gap) / 3, height - 36 - least))
  const below = side + 36
  const { of } = comparedLosses(shown)
  const values = ways.flatMap((way) => lengths.map((times) => of(way, times)?.mean ?? NaN)).filter(Number.isFinite)
  const [lowest, greatest] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [3, 4]
  const slack = Math.max(0.02, (greatest - lowest) * 0.15)
  const name = (way: WayId) => {
    const end = of(way, most)
    return end ? `${said.ways[way]} ${score(end.mean)}` : said.ways[way]
  }
  const plan = chart(
    { x: 0, y: 0, width, height: height - below },
    {
      from: 1,
      to: most,
      name: said.across,
      log: true,
      ticks: lengths,
      written: (times) => said.times(times, context * times),
    },
    { from: lowest - slack, to: greatest + slack, name: said.up },
    ways.map((way) => {
      const dash = dashes[wayIds.indexOf(way)]
      return {
        points: lengths.map((times) => [times, of(way, times)?.mean ?? NaN] as const),
        weight: way === 'plain' ? 2.4 : 1.6,
        label: name(way),
        ...(dash === undefined ? {} : { dash }),
      }
    }),
  )
  const marks: Mark[] = [...plan.marks]
  if (values.length === 0) {
    const middle = (plan.left + plan.right) / 2
    marks.push({
      kind: 'text',
      x: middle,
      y: (plan.top + plan.bottom) / 2,
      text: said.nothing,
      anchor: 'middle',
      room: width,
    })
  }
  for (const way of ways) {
    for (const times of lengths) {
      const loss = of(way, times)
      if (loss)
        marks.push({
          kind: 'circle',
          x: plan.x(times),
          y: plan.y(loss.mean),
          r: 3,
          fill: 'card',
          stroke: 'ink',
          weight: 1.4,
        })
    }
  }
  lengths.forEach((times, index) => {
    const x = index * (side + gap)
    const y = height - below + 32
    const map = shown.map(times)
    const text = map ? said.map(map.length, map.strongest) : said.times(times, context * times)
    marks.push({ kind: 'text', x, y: y - 6, text, size: 10.5, room: side })
    if (map) {
      const pixels = paint(map, palette)
      marks.push({ kind: 'raster', x, y, width: side, height: side, columns: map.side, rows: map.side, pixels })
    }
    marks.push({ kind: 'rect', x, y, width: side, height: side, stroke: 'rule' })
  })
  return { width, height, marks }
}

function paint({ cells }: SmallMap, palette: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(4 * cells.length)
  cells.forEach((weight, at) => {
    const colour = 3 * weightEntry(weight)
    for (let channel = 0; channel < 3; channel++) image[4 * at + channel] = palette[colour + channel] ?? 0
    image[4 * at + 3] = 255
  })
  return image
}
