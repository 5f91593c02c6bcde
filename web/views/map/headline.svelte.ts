// The headline of a map, from sums over all its numbers: once a map, wherever the pointer is, and of a long text in slices.
import type { HeadMap } from '../../charts/attention-map/model'
import {
  columnHeadline,
  headlineOf,
  largestColumn,
  rotationHeadline,
  rotationShare,
  scoreHeadline,
  scoreRange,
  seekPattern,
  type HeadlineSubject,
} from '../../charts/attention-map/pattern.svelte'
import type { MapKind } from '../../engine/protocol/protocol'
import { sliced, type Latest } from '../../ui/slices.svelte'
import type { Headline } from '../../ui/table'

/** Tokens of the longest text whose rotation is summed up by distance: more take longer than a frame. */
const longestShare = 1024

interface Numbers {
  kind: MapKind
  map: HeadMap
  /** The weights of the same heads; undefined where they were not requested. */
  weights: HeadMap | undefined
  /** Whether attention is linear, whose weights are signed. */
  isLinear: boolean
  /** Of the text's tokens. */
  ids: ArrayLike<number>
}

/** In the language of the page. */
type Say = (of: HeadlineSubject) => Headline

/** In steps. Undefined where there is nothing to say. */
export function* seekHeadline({ kind, map, weights, isLinear, ids }: Numbers): Generator<void, Say | undefined> {
  // Weights with a sign are no parts of a sum.
  if (!isLinear && (kind === 'value' || kind === 'output')) {
    const column = yield* largestColumn(map)
    const byWeight = weights && (yield* largestColumn(weights))
    if (column) return (of) => columnHeadline({ column, byWeight }, { map, kind, of })
  }
  const share = kind === 'rotation' && map.queries.positions.length <= longestShare ? rotationShare(map) : undefined
  if (share) return (of) => rotationHeadline(share, of)
  if (kind === 'score' || kind === 'content') {
    const range = yield* scoreRange(map, isLinear ? undefined : weights)
    if (range) return (of) => scoreHeadline(range, { map, kind, linear: isLinear, of })
  }
  const finding = weights && (yield* seekPattern(weights, ids))
  return finding && ((of) => headlineOf(finding, of))
}

export class MapHeadline {
  readonly #numbers: () => Numbers | undefined
  readonly #found: Latest<undefined, Say | undefined>

  /** Create it while a component is created: it ends with that. */
  constructor(numbers: () => Numbers | undefined) {
    const present = $derived(numbers())
    this.#numbers = () => present
    const answer = {
      get latest() {
        return present && { request: undefined, value: present }
      },
      stale: false,
      failure: undefined,
    }
    this.#found = sliced(answer, ({ value }) => seekHeadline(value))
  }

  /** Undefined where there are no numbers, or they say nothing. */
  of(subject: HeadlineSubject): Headline | undefined {
    if (!this.#numbers()) return undefined
    const { latest, stale } = this.#found
    return latest && !stale ? latest.value?.(subject) : headlineOf(undefined, subject)
  }
}
