// The selected score without interventions and with them.
import type { Bench } from '../../session/bench.svelte'
import { newest, resource } from '../../session/resource.svelte'
import type { Shown } from '../../session/runs.svelte'
import { explainRequest, reachFor, type Swept } from '../../charts/sweep/model'
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
  readonly #compared: { readonly value: Compared | undefined }

  constructor(bench: Bench) {
    const place = $derived.by(() => {
      const { shown, whole, seen } = bench
      const { query, key } = seen
      if (!shown || !whole || !comparable(whole, shown)) return undefined
      return { whole, shown, query, key, reach: reachFor(query - key) }
    })
    const before = resource(bench.engine, 'explain', () => place && explainRequest(place.whole, place, place.reach))
    const after = resource(bench.engine, 'explain', () => place && explainRequest(place.shown, place, place.reach))
    this.#compared = newest(() => {
      const [a, b] = [before.current, after.current]
      if (!place || !a || !b) return undefined
      const { whole, shown, query, key, reach } = place
      return {
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

  /** While answers are loading it stays as it was. */
  get compared(): Compared | undefined {
    return this.#compared.value
  }
}
