// What the map view shows: its numbers as a map, and what they say of the heads.
import {
  headlineOf,
  columnHeadline,
  largestColumn,
  type HeadlineSubject,
  PatternSearch,
} from '../../charts/attention-map/pattern.svelte'
import { rotationHeadline, rotationShare } from '../../charts/attention-map/rotationShare'
import { MapState, type Numbers } from '../../charts/attention-map/mapState.svelte'
import { t } from '../../charts/attention-map/messages.en'
import { subjectOf } from '../../charts/attention-map/subject'
import { tableOf } from '../../charts/attention-map/model'
import { sourceOf } from '../../engine/protocol/parts'
import type { Failure, MapKind } from '../../engine/protocol/protocol'
import type { Tap } from '../../engine/protocol/site'
import { attentionOf } from '../../session/change'
import { specialPositions } from '../../session/reading'
import type { Inputs } from '../body'
import { runCommand } from '../command'
import type { Headline, Published } from '../output'
import type { MapParams } from '.'
import { MapNumbers, type HeadNumbers } from './mapNumbers.svelte'

/** Tokens of the longest text whose rotation is summed up by distance: more take longer than a frame. */
const longestShare = 1024

/** The taps that hold a map's numbers, by its kind. */
const taps = {
  weight: ['attentions'],
  value: ['attentions', 'value'],
  output: ['attentions', 'value'],
  score: ['query_rotated', 'key_rotated'],
  content: ['query', 'key'],
  rotation: ['query', 'key', 'query_rotated', 'key_rotated'],
} as const satisfies Record<MapKind, readonly Tap[]>

export class MapData {
  readonly #inputs: Inputs<MapParams>
  readonly #map: MapNumbers
  readonly #search: PatternSearch
  readonly state: MapState
  /** The height of the controls above the map, in CSS px. */
  controls = $state(0)

  constructor(inputs: Inputs<MapParams>) {
    this.#inputs = inputs
    this.#map = new MapNumbers(inputs)
    const data = this
    // One getter each: a new height does not recompute what follows from the numbers alone.
    const inputsOfMap = {
      get numbers() {
        return data.numbers
      },
      get cursor() {
        return inputs.cursor
      },
      get walkedKey() {
        const { distance } = inputs.bench.walk
        return distance === undefined ? undefined : inputs.cursor.query - distance
      },
      get hidden() {
        return data.hidden
      },
      get scale() {
        return inputs.params.scale
      },
      get palette() {
        return inputs.palette
      },
      get scheme() {
        return inputs.scheme
      },
      get width() {
        return inputs.width
      },
      get height() {
        return inputs.height - data.controls
      },
    }
    this.state = new MapState(() => inputsOfMap)
    this.#search = new PatternSearch(
      () => (this.head ? this.state.weights : undefined),
      () => this.head?.run.reading.ids ?? [],
    )
  }

  /** The numbers on show, which stay while newer ones are loading. */
  get head(): HeadNumbers | undefined {
    return this.#map.head
  }

  /** Whether other numbers are loading. */
  get stale(): boolean {
    return this.#map.stale
  }

  /** Why the head's own weights are on show instead. */
  get failure(): Failure | undefined {
    return this.#map.failure
  }

  /** Positions of special tokens, where the map leaves them out. */
  readonly hidden: ReadonlySet<number> | undefined = $derived.by(() =>
    this.head && this.#inputs.params.special === 'hide' ? specialPositions(this.head.run) : undefined,
  )

  readonly numbers: Numbers | undefined = $derived.by(() => {
    const { head } = this
    if (!head) return undefined
    const { kind, values, weights, run } = head
    return {
      subject: head,
      kind,
      values,
      weights,
      names: run.reading.display,
      causal: run.model.info.is_decoder,
      source: sourceOf(run.reading.pair),
      linear: attentionOf(run) !== 'softmax',
    }
  })

  get published(): Published {
    const { head, state } = this
    if (!head) return {}
    const of = { ...head, withoutSpecial: this.hidden !== undefined }
    return {
      headline: this.#headlineOf(of),
      tables: [{ name: t().table(head, state.kind, of.withoutSpecial), table: tableOf(state.map, t().corner) }],
      subject: subjectOf(head),
      kind: state.kind === 'weight' ? undefined : state.kind,
      quantity: t().quantity(head, state.kind, of.withoutSpecial),
      command: runCommand(head.run, taps[head.kind]),
    }
  }

  #headlineOf(of: HeadlineSubject): Headline | undefined {
    const { map, weights, kind } = this.state
    const column = kind === 'value' || kind === 'output' ? largestColumn(map) : undefined
    if (column) return columnHeadline({ column, byWeight: weights && largestColumn(weights) }, { map, kind, of })
    const share = kind === 'rotation' && map.queries.positions.length <= longestShare ? rotationShare(map) : undefined
    if (share) return rotationHeadline(share, of)
    const { isRunning, finding } = this.#search
    return isRunning || finding ? headlineOf(finding, of) : undefined
  }
}
