// Where an action leads: to a key of the chosen query, or to a frequency pair.
import type { Action } from '../../ui/keys'
import { walkRow } from '../../ui/walk'

interface From {
  query: number
  key: number
  pair: number
  /** A query sees no key ahead. */
  causal: boolean
}

const page = 8

export function moved(
  action: Action | undefined,
  { query, key, pair, causal }: From,
  length: number,
  pairs: number,
): { distance: number } | { pair: number | null } | undefined {
  if (action === 'leave') return { pair: null }
  if (action === 'up' || action === 'down') return { pair: walkRow(pair, action, pairs - 1) ?? pair }
  const to = walkRow(key, action, causal ? query : length - 1, page)
  return to === undefined ? undefined : { distance: query - to }
}
