// Where a key press leads: to a key of the chosen query, or to a frequency pair.

interface From {
  query: number
  key: number
  pair: number
  /** A query sees no key ahead. */
  causal: boolean
}

const page = 8

export function moved(
  press: string,
  { query, key, pair, causal }: From,
  length: number,
  pairs: number,
): { distance: number } | { pair: number | null } | undefined {
  const last = causal ? query : length - 1
  const to = (key: number) => ({ distance: query - Math.min(Math.max(key, 0), last) })
  switch (press) {
    case 'ArrowLeft':
      return to(key - 1)
    case 'ArrowRight':
      return to(key + 1)
    case 'PageUp':
      return to(key - page)
    case 'PageDown':
      return to(key + page)
    case 'Home':
      return to(0)
    case 'End':
      return to(last)
    case 'ArrowUp':
      return { pair: Math.max(pair - 1, 0) }
    case 'ArrowDown':
      return { pair: Math.min(pair + 1, pairs - 1) }
    case 'Escape':
      return { pair: null }
    default:
      return undefined
  }
}
