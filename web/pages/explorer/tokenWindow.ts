// The tokens of a long text that the bar shows: a window over all positions.

/** Texts of up to so many tokens have no window. */
export const longestFull = 160

export interface TokenWindow {
  first: number
  /** Exclusive. */
  end: number
}

/** The window around a token. */
export function windowAround(token: number, length: number): TokenWindow {
  if (length <= longestFull) return { first: 0, end: length }
  const first = Math.min(Math.max(0, token - longestFull / 2), length - longestFull)
  return { first, end: first + longestFull }
}

/** About how many rows the tokens of a text take on a phone, before a tokenizer is there: the bar has no more than five. */
export function rowsToCome(text: string, width: number): number {
  /** CSS px of a character, with the edges of its token; and the characters of [CLS], [SEP] and a guess. */
  const [character, added] = [8.2, 25]
  const room = Math.max(1, width - 28)
  return Math.min(5, Math.ceil(((text.length + added) * character) / room))
}
