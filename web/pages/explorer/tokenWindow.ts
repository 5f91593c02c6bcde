// Which tokens of a long text stand in the bar: a window of words over a ruler of all positions.

/** A text of up to so many tokens stands there whole. */
export const longestFull = 160

export interface TokenWindow {
  first: number
  /** One behind the last. */
  end: number
}

/** The window around a token; the one before stays where that token is well within it. */
export function windowAround(token: number, length: number, before?: TokenWindow): TokenWindow {
  if (length <= longestFull) return { first: 0, end: length }
  const margin = 8
  const inside = before && token >= before.first + margin && token < before.end - margin && before.end <= length
  if (inside) return before
  const first = Math.min(Math.max(0, token - longestFull / 2), length - longestFull)
  return { first, end: first + longestFull }
}
