// Scales from numbers to a colour table, with the ticks of the colour bar.

export const weightScales = ['root', 'linear', 'log'] as const
export type WeightScale = (typeof weightScales)[number]

export interface ColourScale {
  /** Where a number lies between the ends of the bar, 0 … 1. */
  place(value: number): number
  /** Ticks of the bar, ascending. */
  ticks: readonly number[]
}

const within = (place: number) => Math.min(Math.max(place, 0), 1)

/** The least weight that a logarithmic scale shows. */
export const leastLog = 1e-4
const decades = -Math.log10(leastLog)

/** From 0 to `most`: 1 for weights. */
export function weightScale(scale: WeightScale, most = 1): ColourScale {
  const of = (parts: readonly number[]) => parts.map((part) => Number((part * most).toPrecision(6)))
  switch (scale) {
    case 'root':
      return { place: (value) => Math.sqrt(within(value / most)), ticks: of([0, 0.05, 0.25, 0.5, 1]) }
    case 'linear':
      return { place: (value) => within(value / most), ticks: of([0, 0.25, 0.5, 0.75, 1]) }
    case 'log':
      return {
        place: (value) => within(1 + Math.log10(Math.max(value / most, leastLog)) / decades),
        ticks: of([leastLog, 0.001, 0.01, 0.1, 1]),
      }
  }
}

/** From −most to most, with 0 in the middle. */
export function signedScale(most: number): ColourScale {
  return { place: (value) => within((value / most + 1) / 2), ticks: [-most, -most / 2, 0, most / 2, most] }
}

/** The smallest of 1, 1.5, 2, 3, 4, 5, 6, 8, 10, … × a power of ten that is at least `value`: its half is short to write, too. */
export function roundReach(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1
  const decade = 10 ** Math.floor(Math.log10(value))
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8].find((step) => step * decade >= value * (1 - 1e-9)) ?? 10
  return step * decade
}
