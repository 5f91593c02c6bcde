// What the map view shows: its numbers as a map, and what they say of the heads.
import { MapState, type Numbers } from '../../charts/attention-map/mapState.svelte'
import { t } from '../../charts/attention-map/messages.en'
import { subjectOf, headsOf, kindOf, pickedOf, type MapHeads, tableOf } from '../../charts/attention-map/model'
import { sourceOf } from '../../engine/protocol/parts'
import type { Failure, MapKind } from '../../engine/protocol/protocol'
import type { Tap } from '../../engine/protocol/site'
import { attentionOf } from '../../session/interventions'
import { specialPositions } from '../../session/reading'
import type { Inputs } from '../module'
import { runCommand } from '../command'
import type { Published } from '../output'
import { partsOfMap, siteOfCell, type TensorOfCells } from '../sites'
import type { MapParams } from '.'
import { MapHeadline } from './headline.svelte'
import { newest, resource, type Resource } from '../../session/resource.svelte'
import type { Run } from '../../session/runs.svelte'
import { samePlace, type HeadPlace, type QueryAndKey } from '../../viewstate/choice'

/** The taps that hold a map's numbers, by its kind. */
const taps = {
  weight: ['attentions'],
  value: ['attentions', 'value'],
  output: ['attentions', 'value'],
  score: ['query_rotated', 'key_rotated'],
  content: ['query', 'key'],
  rotation: ['query', 'key', 'query_rotated', 'key_rotated'],
} as const satisfies Record<MapKind, readonly Tap[]>

/** The tensors whose numbers a map of one head shows. */
const tensorOf: Partial<Record<MapKind, TensorOfCells>> = { weight: 'attentions.N', score: 'layer.N.score' }

/** What the view's component draws. */
export interface MapDrawing {
  map: MapState
  /** The heads of the mean over some; undefined for any other map. */
  picked: readonly HeadPlace[] | undefined
  /** The selected head, unless it is one of these. */
  addable: HeadPlace | undefined
}

export class MapData {
  readonly #inputs: Inputs<MapParams>
  readonly #map: MapNumbers
  readonly #headline: MapHeadline
  readonly state: MapState

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
      get walkKey() {
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
        return inputs.height
      },
    }
    this.state = new MapState(() => inputsOfMap)
    this.#headline = new MapHeadline(() => {
      const { head, state } = this
      if (!head) return undefined
      const { map, weights, kind, isLinear } = state
      return { map, weights, kind, isLinear, ids: head.run.reading.ids, siteOf: this.siteOf }
    })
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
      siteOf: this.siteOf,
    }
  })

  /** Of one head's weights and scores. A mean has no site, nor have weights that sum to 1 again without special tokens. */
  readonly siteOf: ((query: number, key: number) => string) | undefined = $derived.by(() => {
    const { head } = this
    const tensor = head && head.mean === 'head' ? tensorOf[head.kind] : undefined
    if (!head || !tensor || (this.hidden && tensor === 'attentions.N')) return undefined
    return (query, key) => siteOfCell(tensor, { layer: head.layer, head: head.head, query, key }, head.run)
  })

  /** @param selected the selected head */
  drawing({ run }: HeadNumbers, selected: HeadPlace): MapDrawing {
    const { mean, picked: places } = this.#inputs.params
    const picked = mean === 'some' ? pickedOf(places, run.model.info) : undefined
    return {
      map: this.state,
      picked,
      addable: picked?.some((place) => samePlace(place, selected)) ? undefined : selected,
    }
  }

  /** The largest weights of the cells that the headline is about. */
  readonly #parts = $derived.by(() => {
    const { head, state } = this
    const cells = this.#headline.cells
    if (head?.mean !== 'head' || !head.weights || !cells) return undefined
    const { run, values, weights } = head
    const { length } = run.head
    const inText = cells.map(({ query, key }) => ({ query: state.queryAt(query), key: state.keyAt(key) }))
    const numberOf = (_: number, { query, key }: QueryAndKey) => Math.abs(values[query * length + key] ?? 0)
    return partsOfMap({ ...head, attention: weights, length }, inText, run, numberOf)
  })

  get published(): Published {
    const { head, state } = this
    if (!head) return {}
    const of = { ...head, withoutSpecial: this.hidden !== undefined }
    return {
      headline: this.#headline.of(of),
      tables: [
        { name: t().table(head, state.kind, of.withoutSpecial), table: tableOf(state.map, t().corner, this.siteOf) },
      ],
      parts: this.#parts,
      subject: subjectOf(head),
      heads: head.mean === 'head' ? undefined : t().heading(head),
      kind: state.kind === 'weight' ? undefined : state.kind,
      quantity: t().quantity(head, state.kind, of.withoutSpecial),
      command: runCommand(head.run, taps[head.kind]),
    }
  }
}

interface HeadNumbers extends MapHeads {
  run: Run
  kind: MapKind
  /** (length, length) */
  values: Float32Array
  /** The attention weights of the same heads; undefined where they were not requested. */
  weights: Float32Array | undefined
}

interface MapRequest {
  params: { run: number; kind: MapKind; heads: readonly HeadPlace[] }
  run: Run
  subject: MapHeads
}

export class MapNumbers {
  readonly #inputs: Pick<Inputs<MapParams>, 'bench' | 'run' | 'params'>
  readonly #maps: Resource<'map', MapRequest>

  constructor(inputs: Pick<Inputs<MapParams>, 'bench' | 'run' | 'params'>) {
    this.#inputs = inputs
    this.#maps = resource(inputs.bench.engine, 'map', () => this.#request)
  }

  /** The selected head's own weights. */
  readonly #own: HeadNumbers | undefined = $derived.by(() => {
    const { run } = this.#inputs
    if (!run) return undefined
    const { layer, head, attention } = run.head
    return { run, layer, head, mean: 'head', count: 1, kind: 'weight', values: attention, weights: attention }
  })

  /** What the engine is asked for; undefined where the head's own weights are enough. */
  readonly #request: MapRequest | undefined = $derived.by(() => {
    const { run, params } = this.#inputs
    if (!run) return undefined
    const { layer, head } = run.head
    const heads = headsOf(params, { layer, head }, run.model.info)
    const kind = kindOf(params, run.model.info)
    if (kind === 'weight' && params.mean === 'head') return undefined
    const subject = { mean: params.mean, layer, head, count: heads.length }
    return { params: { run: run.id, kind, heads }, run, subject }
  })

  readonly #newest = newest((): HeadNumbers | undefined => {
    const [request, own] = [this.#request, this.#own]
    if (!request || this.#maps.failure) return own
    const { current } = this.#maps
    if (!own || !current) return undefined
    const { subject, run } = request
    const { kind } = request.params
    const weights = subject.mean === 'head' ? own.values : kind === 'weight' ? current.numbers : undefined
    return { ...subject, run, kind, values: current.numbers, weights }
  })

  /** The numbers on show, which stay while newer ones are loading. */
  get head(): HeadNumbers | undefined {
    return this.#inputs.run && (this.#newest.value ?? this.#own)
  }

  get stale(): boolean {
    return this.#maps.status === 'loading'
  }

  /** Why the head's own weights are on show instead. */
  get failure(): Failure | undefined {
    return this.#request && this.#maps.failure
  }
}
