// Numbers and indices that stay within a range.

/** The number from `least` to `most` that is nearest to this one. */
export const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

/** The index of `count` entries that is nearest to this one; 0 where there are none. */
export const clampIndex = (index: number, count: number): number => clamp(index, 0, count - 1)
