// The values a slider can take. Sliders walk a list, so that linear, logarithmic and uneven scales are one thing.

/** min, min + step, … max. */
export function linearStops(min: number, max: number, step: number): number[] {
  return Array.from({ length: Math.floor((max - min) / step + 1e-9) + 1 }, (_, index) => min + index * step)
}

/** The place in `stops` (ascending) of the one nearest to `value`. */
export function nearestStop(stops: readonly number[], value: number): number {
  let nearest = 0
  stops.forEach((stop, index) => {
    if (Math.abs(stop - value) < Math.abs((stops[nearest] ?? 0) - value)) nearest = index
  })
  return nearest
}
