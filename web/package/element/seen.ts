// Where the element's cursor is before a visitor moves it.
import type { Numbers } from '../../charts/attention-map/mapState.svelte'
import { headMap, rowOf, type Place } from '../../charts/attention-map/model'
import { greatest } from '../../charts/attention-map/row'

/** The cell that is wanted; where none is, the second token and what it looks at most. */
export function firstSeen(
  { values, names, causal }: Pick<Numbers, 'values' | 'names' | 'causal'>,
  wanted: Partial<Place>,
): Place {
  const within = (at: number) => Math.min(at, names.length - 1)
  const query = within(wanted.query ?? 1)
  const [most] = greatest(rowOf(headMap({ values, names, causal }), query), 1)
  return { query, key: within(wanted.key ?? most?.key ?? 0) }
}
