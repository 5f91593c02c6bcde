// Dials and the map of angles, as numbers: which hands are drawn, where they point, and the map's pixels.
import { angleEntry } from '../../charts/colour'
import type { RuledRows } from '../../session/ruled.svelte'

const turn = 2 * Math.PI

/** As many dials as can be told apart in a figure of this width, in px. */
export const mostDials = (width: number): number => (width < 480 ? 16 : 32)

/** The map goes so far where its axis is of ratios. */
export const farthest = 100_000

export interface Hand {
  pair: number
  wavelength: number
  /** In radians, counterclockwise from the right, and how long it is of the longest: 1 where it stands for a position alone. */
  query: { angle: number; length: number }
  key: { angle: number; length: number }
  /** How far it turns within the context, in radians; a full turn at most. */
  reach: number
}

export interface Turning {
  theta: Float64Array
  m: number
  n: number
  context: number
  /** The rows of a head: its hands point where its pairs do. */
  rows: RuledRows | undefined
  /** As many pairs have a dial. */
  most: number
}

/** The pairs that have a dial: all, or evenly some. */
export function shownPairs(pairs: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(pairs / most))
  return Array.from({ length: Math.ceil(pairs / step) }, (_, index) => index * step)
}

export function handsOf({ theta, m, n, context, rows, most }: Turning): Hand[] {
  const norms = rows && [rows.query, rows.key].map((row) => Math.max(1e-12, ...pairNorms(row)))
  return shownPairs(theta.length, most).map((pair) => {
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

/** How many pairs never complete a turn within the context. */
export const openPairs = (theta: Float64Array, context: number): number =>
  theta.filter((speed) => context * speed < turn).length

export type MapMode = 'angle' | 'cos' | 'sin' | 'turns'

/** Positions at the left edge of each pixel and behind the last. */
export function edges(pixels: number, log: boolean, last: number): Float64Array {
  return Float64Array.from({ length: pixels + 1 }, (_, at) => (log ? last ** (at / pixels) : (last * at) / pixels))
}

/** So many positions of a pixel are looked at; where it covers more turns than this all colours are in it. */
const samples = 12
const blurredTurns = 2.5

/**
 * RGBA (pairs, pixels): the mean colour of the positions under each pixel, so that what turns too often goes flat. `cyclic` is read by angles,
 * `diverging` by cos and sin, `sequential` by turns made.
 */
export function paintMap(
  theta: Float64Array,
  at: Float64Array,
  mode: MapMode,
  tables: Readonly<Record<'cyclic' | 'diverging' | 'sequential', Uint8Array>>,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = at.length - 1
  const image = new Uint8ClampedArray(theta.length * pixels * 4)
  const most = Math.log1p(farthest / turn)
  const entry = (angle: number): number => {
    if (mode === 'angle') return angleEntry(((angle % turn) + turn) % turn)
    if (mode === 'turns') return Math.min(255, Math.round((255 * Math.log1p(angle / turn)) / most))
    return Math.round(127.5 * (1 + (mode === 'cos' ? Math.cos(angle) : Math.sin(angle))))
  }
  const table = mode === 'angle' ? tables.cyclic : mode === 'turns' ? tables.sequential : tables.diverging
  const mean = [0, 1, 2].map((channel) => meanOf(table, channel, mode))
  for (let pair = 0; pair < theta.length; pair++) {
    const speed = theta[pair] ?? 0
    for (let pixel = 0; pixel < pixels; pixel++) {
      const [from, to] = [at[pixel] ?? 0, at[pixel + 1] ?? 0]
      const turned = (to - from) * speed
      // A stretch that is hardly turned through needs one look.
      const blurred = mode !== 'turns' && turned > blurredTurns * turn
      const count = blurred || turned < 0.1 ? 1 : samples
      const sum = blurred ? [...mean] : [0, 0, 0]
      for (let look = 0; !blurred && look < count; look++) {
        const colour = 3 * entry((from + ((look + 0.5) * (to - from)) / count) * speed)
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

/** The mean of a channel over a whole turn. */
function meanOf(table: Uint8Array, channel: number, mode: MapMode): number {
  const looks = Array.from({ length: 256 }, (_, at) => {
    const entry = mode === 'angle' ? at : Math.round(127.5 * (1 + Math.cos(((at + 0.5) / 256) * turn)))
    return table[3 * entry + channel] ?? 0
  })
  return looks.reduce((sum, value) => sum + value, 0) / looks.length
}
