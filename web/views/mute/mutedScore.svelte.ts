// The chosen score before and after muting, with all that is asked of the engine about it.
import { Asked } from '../../session/asked.svelte'
import type { Bench } from '../../session/bench.svelte'
import type { Shown } from '../../session/runs.svelte'
import { explainOf, reachFor, type Swept } from '../../charts/sweep/model'
import { comparable, pairParts, type PairParts } from './model'

/** All of it belongs to one query, key and head of the same text. */
export interface Compared {
  whole: Shown
  shown: Shown
  query: number
  key: number
  pairs: readonly PairParts[]
  score: readonly [before: number, after: number]
  curves: readonly [before: Swept, after: Swept]
}

export class MutedScore {
  /** While answers are on their way it stays as it was. */
  compared: Compared | undefined = $state.raw()

  constructor(bench: Bench) {
    const place = $derived.by(() => {
      const { shown, whole, seen } = bench
      const { query, key } = seen
      if (!shown || !whole || !comparable(whole, shown)) return undefined
      const reach = reachFor(query - key)
      const [before, after] = [whole, shown].map((of) => explainOf(of, { query, key }, reach))
      return before && after ? { whole, shown, query, key, reach, before, after } : undefined
    })
    const before = new Asked(bench.engine, 'explain', () => place?.before)
    const after = new Asked(bench.engine, 'explain', () => place?.after)
    $effect(() => {
      const [a, b] = [before.value, after.value]
      if (!place || !a || !b || before.of !== place.before.name || after.of !== place.after.name) return
      const { whole, shown, query, key, reach } = place
      this.compared = {
        whole,
        shown,
        query,
        key,
        pairs: pairParts(whole, shown, a, b),
        score: [a.score, b.score],
        curves: [
          { values: a.sweep, reach },
          { values: b.sweep, reach },
        ],
      }
    })
  }
}
