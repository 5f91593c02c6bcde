// One score as a sum over frequency pairs: bars from fast to slow, and the running sum that ends at the score.
import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { plain, signed, wavelength } from '../../elements/format'
import { columns, thinTicks } from '../../elements/labels'
import type { Tick } from '../../elements/lineChart'

/** A pair's bar, in px. */
export interface Bar {
  pair: number
  part: number
  x: number
  width: number
  y: number
  height: number
}

export interface BarsLayout {
  left: number
  right: number
  top: number
  bottom: number
  /** Where 0 lies. */
  zero: number
  y: ScaleLinear<number, number>
  /** From one pair to the next. */
  pitch: number
  bars: Bar[]
  /** SVG path of the running sum: a step up or down at each pair. */
  running: string
  yTicks: Tick[]
  /** Wavelengths under the pairs that have room for one. */
  xTicks: Tick[]
}

const character = 6.4

/** `parts` and `running` (pairs), in the order fast to slow. */
export function layOutBars(
  width: number,
  height: number,
  parts: ArrayLike<number>,
  running: ArrayLike<number>,
  wavelengths: ArrayLike<number>,
): BarsLayout {
  const pairs = parts.length
  const top = 34
  const bottom = height - 36
  const values = [0, ...Array.from(parts), ...Array.from(running)].filter(Number.isFinite)
  const least = Math.min(...values)
  const greatest = Math.max(...values)
  const y = scaleLinear(least === greatest ? [-1, 1] : [least, greatest], [bottom, top]).nice(8)
  const yTicks = y
    .ticks(Math.max(2, Math.floor((bottom - top) / 36)))
    .map((value) => ({ place: y(value), text: plain(value) }))
  const left = Math.ceil(Math.max(...yTicks.map((tick) => columns(tick.text) * character), 0)) + 8
  const right = Math.max(width - 2, left + 1)
  const pitch = (right - left) / Math.max(pairs, 1)
  const zero = y(0)
  const bars = Array.from(parts, (part, pair) => {
    const free = Math.min(pitch * 0.22, 6)
    return {
      pair,
      part,
      x: left + pair * pitch + free / 2,
      width: pitch - free,
      y: Math.min(y(part), zero),
      height: Math.abs(y(part) - zero),
    }
  })
  const steps = Array.from(running, (sum, pair) => `H${left + (pair + 0.5) * pitch}V${y(sum)}`).join('')
  const texts = Array.from(wavelengths, wavelength).slice(0, pairs)
  // The slowest pair's wavelength is the longest text: it moves in rather than being cut off.
  const places = texts.map((text, pair) =>
    Math.min(left + (pair + 0.5) * pitch, width - (columns(text) * character) / 2),
  )
  const fits = thinTicks(places, texts, character, 7)
  return {
    left,
    right,
    top,
    bottom,
    zero,
    y,
    pitch,
    bars,
    running: pairs > 0 ? `M${left} ${zero}${steps}H${right}` : '',
    yTicks,
    xTicks: texts.map((text, pair) => ({ place: places[pair] ?? 0, text })).filter((_, pair) => fits[pair]),
  }
}

/** The pair whose bar is under x px; null: none. */
export function pairAt(x: number, { left, right, pitch }: BarsLayout): number | null {
  return x < left || x >= right ? null : Math.floor((x - left) / pitch)
}

/** Which pair moves the score most, in a sentence. */
export function mainPart(parts: ArrayLike<number>, score: number): string {
  let main = 0
  for (let pair = 0; pair < parts.length; pair++) {
    if (Math.abs(parts[pair] ?? 0) > Math.abs(parts[main] ?? 0)) main = pair
  }
  const part = parts[main] ?? 0
  if (Math.abs(part) < 0.005) return 'No pair adds anything.'
  const which =
    main === 0 ? 'Pair 0, the fastest,' : main === parts.length - 1 ? `Pair ${main}, the slowest,` : `Pair ${main}`
  return `${which} does most: ${signed(part)} of ${signed(score)}.`
}
