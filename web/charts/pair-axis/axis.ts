// Frequency pairs on an axis of their wavelengths: the fastest on the left, those that do not turn at the right end.
import { integer, wavelength as written } from '../../i18n/numbers'
import { columns, thinTicks } from '../labels'

/** 2π/θ_i in tokens; ∞ where nothing turns. */
export const wavelengthsOf = (theta: Float64Array): Float64Array =>
  theta.map((angle) => (2 * Math.PI) / Math.abs(angle))

/** All pairs, the fastest first; of equally fast ones the first. */
export function bySpeed(wavelengths: ArrayLike<number>): number[] {
  const length = (pair: number) => wavelengths[pair] ?? Infinity
  const slower = (one: number, other: number) =>
    length(one) === length(other) ? one - other : length(one) < length(other) ? -1 : 1
  return Array.from({ length: wavelengths.length }, (_, pair) => pair).sort(slower)
}

/** At most `most` pairs, evenly spread. */
export function everyNth(pairs: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(pairs / most))
  return Array.from({ length: Math.ceil(pairs / step) }, (_, index) => index * step)
}

export interface PairTick {
  /** The rank, with fractions: 0 is the middle of the fastest pair. */
  rank: number
  text: string
}

/** Ticks at 6.3, 63, 628, … tokens a turn (2π times a power of ten), and at ∞ if a pair does not turn. @param ordered the fastest first */
export function decades(ordered: ArrayLike<number>): PairTick[] {
  const finite = Array.from(ordered).filter(Number.isFinite)
  const ticks: PairTick[] = []
  const [first = NaN, last = NaN] = [finite[0], finite.at(-1)]
  const slack = 1e-6
  const power = (length: number) => Math.log10(length / (2 * Math.PI))
  for (let decade = Math.ceil(power(first) - slack); decade <= power(last) + slack; decade++) {
    const after = finite.findIndex((length) => power(length) >= decade - slack)
    if (after < 0) continue
    const [low, high] = [power(finite[after - 1] ?? NaN), power(finite[after] ?? NaN)]
    const share = high > low ? Math.min(1, (decade - low) / (high - low)) : 1
    const length = 2 * Math.PI * 10 ** decade
    ticks.push({ rank: after === 0 ? 0 : after - 1 + share, text: length < 10 ? written(length) : integer(length) })
  }
  if (finite.length < ordered.length)
    ticks.push({ rank: (finite.length + ordered.length - 1) / 2, text: written(Infinity) })
  return ticks
}

/** Ticks with their places in px, without overlaps. @param place of a rank */
export function placedTicks(
  ticks: readonly PairTick[],
  place: (rank: number) => number,
  character = 6.2,
): { x: number; text: string }[] {
  const placed = ticks.map(({ rank, text }) => ({ x: place(rank), text }))
  const fits = thinTicks(
    placed.map(({ x }) => x),
    placed.map(({ text }) => text),
    character,
    6,
  )
  return placed.filter((_, index) => fits[index])
}

/** The approximate width of a text. */
export const widthOf = (text: string, size: number, face: 'sans' | 'mono' = 'sans'): number =>
  columns(text) * size * (face === 'mono' ? 0.61 : 0.57)
