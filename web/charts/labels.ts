// Labels that thin out instead of shrinking or overlapping, and the width of a text.
import { integer, wavelength as wavelengthText } from '../i18n/numbers'

const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60]/u
const noWidth = /^[\p{M}\p{Cf}\p{Cc}]$/u

/** Approximate monospace columns of a text: two for CJK and emoji, none for combining marks. */
export function columns(text: string): number {
  let total = 0
  for (const character of text) if (!noWidth.test(character)) total += wide.test(character) ? 2 : 1
  return total
}

/** The approximate width of a character, as a part of its size. */
export const characterWidth = { mono: 0.61, sans: 0.57, serif: 0.52 }

/** The approximate width of a text, in px. */
export const widthOf = (text: string, size: number, face: keyof typeof characterWidth = 'sans'): number =>
  columns(text) * size * characterWidth[face]

/** The smallest of 1, 2, 5, 10, 20, 50, … that is at least `value`. */
export function roundStep(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    for (const step of [1, 2, 5]) if (step * decade >= value) return step * decade
  }
}

/**
 * Which of `count` labels, one every `pitch` px, are drawn if each needs `room` px: every n-th from 0, and always the `pinned` ones, which
 * displace neighbours that they touch (of two pinned ones that touch the first stays).
 */
export function thinLabels(count: number, pitch: number, room: number, pinned: readonly number[] = []): number[] {
  if (count <= 0 || !(pitch > 0)) return []
  const touches = (a: number, b: number) => Math.abs(a - b) * pitch < room - 1e-6
  const ticks: number[] = []
  for (const index of pinned) {
    if (index >= 0 && index < count && !ticks.some((other) => touches(index, other))) ticks.push(index)
  }
  const step = roundStep(room / pitch)
  const fixed = [...ticks]
  for (let index = 0; index < count; index += step) {
    if (!fixed.some((other) => touches(index, other))) ticks.push(index)
  }
  return ticks.sort((a, b) => a - b)
}

/** Whether each tick is drawn, so that texts centred on their places are `space` px apart; the first one always is. */
export function thinTicks(places: readonly number[], widths: readonly number[], space: number): boolean[] {
  let end = -Infinity
  return places.map((place, index) => {
    const half = (widths[index] ?? 0) / 2
    if (place - half < end + space) return false
    end = place + half
    return true
  })
}

/** 2π/θ_i in tokens; ∞ where nothing turns. */
export const wavelengthsOf = (theta: Float64Array): Float64Array =>
  theta.map((angle) => (2 * Math.PI) / Math.abs(angle))

/** All pairs, the fastest first; of equally fast ones the first. */
export function bySpeed(wavelengths: ArrayLike<number>): number[] {
  const length = (pair: number) => wavelengths[pair] ?? Infinity
  const slower = (one: number, other: number) => {
    if (length(one) === length(other)) return one - other
    return length(one) < length(other) ? -1 : 1
  }
  return Array.from({ length: wavelengths.length }, (_, pair) => pair).sort(slower)
}

/** At most `most` pairs, evenly spread. */
export function everyNth(pairs: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(pairs / most))
  return Array.from({ length: Math.ceil(pairs / step) }, (_, index) => index * step)
}

interface PairTick {
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
    ticks.push({
      rank: after === 0 ? 0 : after - 1 + share,
      text: length < 10 ? wavelengthText(length) : integer(length),
    })
  }
  if (finite.length < ordered.length)
    ticks.push({ rank: (finite.length + ordered.length - 1) / 2, text: wavelengthText(Infinity) })
  return ticks
}

/** Ticks with their places in px, without overlaps. @param xOf the place of a rank */
export function placeTicks(ticks: readonly PairTick[], xOf: (rank: number) => number): { x: number; text: string }[] {
  const texts = ticks.map(({ rank, text }) => ({ x: xOf(rank), text }))
  const fits = thinTicks(
    texts.map(({ x }) => x),
    texts.map(({ text }) => widthOf(text, 10.5, 'mono')),
    6,
  )
  return texts.filter((_, index) => fits[index])
}
