// One dial per frequency pair and the map of angles, as numbers.
import { integer } from '../../i18n/numbers'
import { devicePixelRatio } from 'svelte/reactivity/window'
import { widthOf } from '../../charts/labels'
import { angleEntry, ramp } from '../../charts/colour'
import { everyNth, wavelengthsOf } from '../../charts/labels'
import { Ruler, RulerTheta, type RulerRows } from '../../session/ruler.svelte'

import { cyclic, diverging, sequential } from '../../styles/colours'
import type { Inputs } from '../../views/module'
import type { MapMode, SpeedsParams } from '.'

const turn = 2 * Math.PI

export type SpeedsInputs = Inputs<SpeedsParams>
export type SpeedsData = ReturnType<typeof speedsData>

export function speedsData(inputs: SpeedsInputs) {
  const ruler = new Ruler(inputs.bench)
  const theta = new RulerTheta(inputs.bench, ruler)
  // It takes milliseconds, and moving positions leaves it as it is.
  const map = $derived(angleMapOf(inputs, { ruler, theta }))
  return {
    ruler,
    theta,
    get map() {
      return map
    },
  }
}

/** In the colours and for the width of the inputs; undefined until θ is computed. */
export const angleMapOf = (inputs: SpeedsInputs, { ruler, theta }: Pick<SpeedsData, 'ruler' | 'theta'>) =>
  theta.current && angleMap(theta.current, ruler.context, inputs, devicePixelRatio.current ?? 1)

export interface AngleMap {
  isLog: boolean
  /** The last position. */
  last: number
  mode: MapMode
  pixels: Pixels
  /** All colours, one row. */
  colours: Pixels
}

interface Pixels {
  columns: number
  rows: number
  pixels: Uint8ClampedArray<ArrayBuffer>
}

/** The last position on the logarithmic axis. */
const lastOnLog = 100_000
/** Turns of the full colour. */
export const mostTurns = lastOnLog / turn
const mostColumns = 2048

function angleMap(
  theta: Float64Array,
  context: number,
  { params, width, scheme }: Pick<SpeedsInputs, 'params' | 'width' | 'scheme'>,
  pixelRatio: number,
): AngleMap {
  const isLog = params.axis === 'log'
  const last = isLog ? lastOnLog : Math.max(64, 2 * context)
  const columns = Math.max(1, Math.min(mostColumns, Math.floor(mapSpan(width).width * pixelRatio)))
  const tables = {
    cyclic: ramp(cyclic[scheme]),
    diverging: ramp(diverging[scheme]),
    sequential: ramp(sequential[scheme]),
  }
  const pixels = paintMap(theta, edges(columns, isLog, last), params.map, tables)
  return {
    isLog,
    last,
    mode: params.map,
    pixels: { columns, rows: theta.length, pixels },
    colours: coloursOf(params.map, tables),
  }
}

type Tables = Readonly<Record<'cyclic' | 'diverging' | 'sequential', Uint8Array>>

const tableFor = (mode: MapMode, tables: Tables): Uint8Array =>
  mode === 'angle' ? tables.cyclic : mode === 'turns' ? tables.sequential : tables.diverging

function coloursOf(mode: MapMode, tables: Tables): Pixels {
  const table = tableFor(mode, tables)
  const columns = table.length / 3
  const pixels = new Uint8ClampedArray(4 * columns).fill(255)
  for (let column = 0; column < columns; column++) pixels.set(table.subarray(3 * column, 3 * column + 3), 4 * column)
  return { columns, rows: 1, pixels }
}

/** Where the map lies in a picture of this width, in px. */
export function mapSpan(width: number): { left: number; width: number } {
  const left = Math.ceil(widthOf(integer(lastOnLog), 10.5)) + 4
  return { left, width: width - left - 2 }
}

/** What the picture is of, besides its hands and the map's pixels. */
export interface Speeds {
  theta: Float64Array
  wavelengths: Float64Array
  /** The selected pair. */
  pair: number | null
  context: number
  m: number
  n: number
}

/** Undefined until θ is computed. */
export function speedsOf(
  { bench }: SpeedsInputs,
  { ruler, theta }: Pick<SpeedsData, 'ruler' | 'theta'>,
): Speeds | undefined {
  const { current } = theta
  if (!current) return undefined
  const { context, m, n } = ruler
  const pair = bench.choice.pair !== null && bench.choice.pair < current.length ? bench.choice.pair : null
  return { theta: current, wavelengths: wavelengthsOf(current), pair, context, m, n }
}

/** As many dials as fit into a figure of this width, in px. */
export const mostDials = (width: number): number => (width < 480 ? 16 : 32)

export interface Hand {
  pair: number
  wavelength: number
  /** In radians, counterclockwise from the right; its length as a share of the longest, 1 where only positions are compared. */
  query: { angle: number; length: number }
  key: { angle: number; length: number }
  /** The angle that it turns through within the context, in radians, at most a turn. */
  reach: number
}

/**
 * @param rows of a head: its hands point where its pairs do
 * @param most dials, evenly chosen where there are more pairs
 */
export function handsOf(
  { theta, m, n, context }: Pick<Speeds, 'theta' | 'm' | 'n' | 'context'>,
  rows: RulerRows | undefined,
  most: number,
): Hand[] {
  const norms = rows && [rows.query, rows.key].map((row) => Math.max(1e-12, ...pairNorms(row)))
  return everyNth(theta.length, most).map((pair) => {
    const speed = theta[pair] ?? 0
    const hand = (position: number, row: Float32Array | undefined, longest: number | undefined) => {
      if (!row || longest === undefined) return { angle: position * speed, length: 1 }
      const [x, y] = [row[2 * pair] ?? 0, row[2 * pair + 1] ?? 0]
      return { angle: Math.atan2(y, x), length: Math.hypot(x, y) / longest }
    }
    return {
      pair,
      wavelength: turn / speed,
      query: hand(m, rows?.query, norms?.[0]),
      key: hand(n, rows?.key, norms?.[1]),
      reach: Math.min(turn, context * speed),
    }
  })
}

function pairNorms(row: Float32Array): number[] {
  return Array.from({ length: row.length >> 1 }, (_, pair) => Math.hypot(row[2 * pair] ?? 0, row[2 * pair + 1] ?? 0))
}

/** Pairs that do not complete a turn within the context. */
export const openPairs = (theta: Float64Array, context: number): number =>
  theta.filter((speed) => context * speed < turn).length

/** Positions at the left edge of each pixel and behind the last. */
export function edges(pixels: number, log: boolean, last: number): Float64Array {
  return Float64Array.from({ length: pixels + 1 }, (_, at) => (log ? last ** (at / pixels) : (last * at) / pixels))
}

/** Positions that are sampled in a pixel. */
const samples = 12
/** A pixel that covers more turns than this has the mean colour of a turn. */
const blurredTurns = 2.5

/**
 * RGBA (pairs, pixels): the mean colour of the positions under each pixel.
 *
 * @param tables `cyclic` for angles, `diverging` for cos and sin, `sequential` for the number of turns
 */
export function paintMap(
  theta: Float64Array,
  at: Float64Array,
  mode: MapMode,
  tables: Tables,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = at.length - 1
  const image = new Uint8ClampedArray(theta.length * pixels * 4)
  const most = Math.log1p(mostTurns)
  const entry = (angle: number): number => {
    if (mode === 'angle') return angleEntry(((angle % turn) + turn) % turn)
    if (mode === 'turns') return Math.min(255, Math.round((255 * Math.log1p(angle / turn)) / most))
    return Math.round(127.5 * (1 + (mode === 'cos' ? Math.cos(angle) : Math.sin(angle))))
  }
  const table = tableFor(mode, tables)
  const mean = [0, 1, 2].map((channel) => meanOf(table, channel, mode))
  for (let pair = 0; pair < theta.length; pair++) {
    const speed = theta[pair] ?? 0
    for (let pixel = 0; pixel < pixels; pixel++) {
      const [from, to] = [at[pixel] ?? 0, at[pixel + 1] ?? 0]
      const angle = (to - from) * speed
      const blurred = mode !== 'turns' && angle > blurredTurns * turn
      const count = blurred || angle < 0.1 ? 1 : samples
      const sum = blurred ? [...mean] : [0, 0, 0]
      for (let sample = 0; !blurred && sample < count; sample++) {
        const colour = 3 * entry((from + ((sample + 0.5) * (to - from)) / count) * speed)
        for (let channel = 0; channel < 3; channel++)
          sum[channel] = (sum[channel] ?? 0) + (table[colour + channel] ?? 0)
      }
      const into = 4 * (pair * pixels + pixel)
      for (let channel = 0; channel < 3; channel++) image[into + channel] = (sum[channel] ?? 0) / count
      image[into + 3] = 255
    }
  }
  return image
}

/** The mean of a channel over a turn. */
function meanOf(table: Uint8Array, channel: number, mode: MapMode): number {
  const values = Array.from({ length: 256 }, (_, at) => {
    const entry = mode === 'angle' ? at : Math.round(127.5 * (1 + Math.cos(((at + 0.5) / 256) * turn)))
    return table[3 * entry + channel] ?? 0
  })
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
