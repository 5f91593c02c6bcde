// The values a slider can take. Sliders walk a list, so that linear, logarithmic and uneven scales are one thing.

/** min, min + step, … max. */
export function linearStops(min: number, max: number, step: number): number[] {
  return Array.from({ length: Math.floor((max - min) / step + 1e-9) + 1 }, (_, index) => min + index * step)
}

/** Powers of ten from 10^from to 10^to, `perDecade` of them a decade, rounded to three digits. */
export function decadeStops(from: number, to: number, perDecade: number): number[] {
  return linearStops(from, to, 1 / perDecade).map((exponent) => Number((10 ** exponent).toPrecision(3)))
}

/** From min to max, doubling every `perOctave` even steps: 32, 40, 48, 56, 64, 80, … */
export function octaveStops(min: number, max: number, perOctave: number): number[] {
  const stops: number[] = []
  for (let octave = min; octave < max; octave *= 2) {
    for (let part = 0; part < perOctave; part++) stops.push(octave + (octave * part) / perOctave)
  }
  return [...stops, max]
}

/** The place in `stops` (ascending) of the one nearest to `value`. */
export function nearestStop(stops: readonly number[], value: number): number {
  let nearest = 0
  stops.forEach((stop, index) => {
    if (Math.abs(stop - value) < Math.abs((stops[nearest] ?? 0) - value)) nearest = index
  })
  return nearest
}
