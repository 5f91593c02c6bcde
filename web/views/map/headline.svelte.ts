// The headline of a map, from sums over all its numbers: once a map, wherever the pointer is, and of a long text in slices.
import type { HeadMap, MapCell } from '../../charts/attention-map/model'
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
  /** Of a score, by positions in the text. */
  siteOf?: ((query: number, key: number) => string) | undefined
}

interface Found {
  /** In the language of the page. */
  say: (of: HeadlineSubject) => Headline
  /** Of an aggregate: the cells that it is of. */
  cells?: readonly MapCell[]
}

/** In steps. Undefined where there is nothing to say. */
export function* seekHeadline({
  kind,
  map,
  weights,
  isLinear,
  ids,
  siteOf,
}: Numbers): Generator<void, Found | undefined> {
  // Weights with a sign are no parts of a sum.
  if (!isLinear && (kind === 'value' || kind === 'output')) {
    const column = yield* largestColumn(map)
    const byWeight = weights && (yield* largestColumn(weights))
    if (column)
      return {
        say: (of) => columnHeadline({ column, byWeight }, { map, kind, of }),
        cells: map.queries.positions.map((_, query) => ({ query, key: column.key })),
      }
  }
  const share = kind === 'rotation' && map.queries.positions.length <= longestShare ? rotationShare(map) : undefined
  if (share) return { say: (of) => rotationHeadline(share, of) }
  if (kind === 'score' || kind === 'content') {
    const range = yield* scoreRange(map, isLinear ? undefined : weights)
    if (range) return { say: (of) => scoreHeadline(range, { map, kind, linear: isLinear, of, siteOf }) }
  }
  const finding = weights && (yield* seekPattern(weights, ids))
  return finding && { say: (of) => headlineOf(finding, of), cells: finding.cells }
}

export class MapHeadline {
  readonly #numbers: () => Numbers | undefined
  readonly #found: Latest<undefined, Found | undefined>

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

  /** What an aggregate in the headline is of. */
  get cells(): readonly MapCell[] | undefined {
    const { latest, stale } = this.#found
    return stale || !this.#numbers() ? undefined : latest?.value?.cells
  }

  /** Undefined where there are no numbers, or they say nothing. */
  of(subject: HeadlineSubject): Headline | undefined {
    if (!this.#numbers()) return undefined
    const { latest, stale } = this.#found
    return latest && !stale ? latest.value?.say(subject) : headlineOf(undefined, subject)
  }
}
