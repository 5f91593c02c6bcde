// The weights that add most to a statistic of a head.
import { sourceOf } from '../../engine/protocol/parts'
import { longestForAllHeads } from '../../engine/protocol/byDistance'
import type { StatisticId } from '../../session/headStatistics.svelte'
import { specialPositions } from '../../session/reading'
import type { Run } from '../../session/runs.svelte'
import type { QueryAndKey } from '../../viewstate/choice'
import { partsOfMap, type Part } from '../sites'

/** Of the selected head. Undefined for what is no sum of numbers of weights, and for a text that is too long. */
export function partsOfStatistic(id: StatisticId, run: Run): Part[] | undefined {
  const share = shareOf(id, run)
  return share && run.head.length <= longestForAllHeads ? partsOfMap(run.head, cellsOf(run), run, share) : undefined
}

/** The cells that statistics of a text are over. */
export function cellsOf(run: Run): QueryAndKey[] {
  const { length } = run.head
  const special = specialPositions(run)
  const source = sourceOf(run.reading.pair)
  // Special tokens ask for nothing.
  const queries = Array.from({ length }, (_, at) => at).filter((at) => at >= (source ?? 0) && !special.has(at))
  const keys = Array.from({ length: source ?? length }, (_, at) => at)
  return queries.flatMap((query) => keys.map((key) => ({ query, key })))
}

/** What a weight adds to a statistic of a text, before the mean over its queries. Of `largest` each row adds its largest weight alone. */
export function shareOf(id: StatisticId, run: Run): ((weight: number, cell: QueryAndKey) => number) | undefined {
  const { ids, pair } = run.reading
  const special = specialPositions(run)
  const cross = sourceOf(pair) !== undefined
  const where = (counts: (cell: QueryAndKey) => boolean) => (weight: number, cell: QueryAndKey) =>
    counts(cell) ? weight : 0
  const repeats = (query: number, key: number) => ids[query] === ids[key] && !special.has(key)
  switch (id) {
    case 'entropy':
      return (weight) => (weight > 0 ? -weight * Math.log2(weight) : 0)
    case 'distance':
      return (weight, { query, key }) => weight * Math.abs(query - key)
    case 'largest':
      return (weight) => weight
    case 'previous':
      return where(({ query, key }) => key === query - 1)
    case 'next':
      return where(({ query, key }) => key === query + 1)
    case 'same':
      return where(({ query, key }) => key === query)
    case 'first':
      return where(({ key }) => key === 0)
    case 'special':
      return where(({ key }) => special.has(key))
    case 'repeated':
      return where(({ query, key }) => repeats(query, key) && (cross || key !== query))
    case 'induction':
      return where(({ query, key }) => key > 0 && repeats(query, key - 1) && (cross || key <= query))
    default:
      return undefined
  }
}
