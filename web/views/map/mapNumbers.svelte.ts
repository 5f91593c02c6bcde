// The numbers of the map: a head's weights come with it, all else is asked of the engine.
import { headsOf, kindOf, type Subject } from '../../charts/attention-map/subject'
import type { Failure, MapKind } from '../../engine/protocol/protocol'
import { newest, resource, type Resource } from '../../session/resource.svelte'
import type { Run } from '../../session/runs.svelte'
import type { HeadPlace } from '../../viewstate/choice'
import type { Inputs } from '../body'
import type { MapParams } from '.'

export interface HeadNumbers extends Subject {
  run: Run
  kind: MapKind
  /** (length, length) */
  values: Float32Array
  /** The weights that `values` are computed of; undefined where they were not requested. */
  weights: Float32Array | undefined
}

interface MapRequest {
  params: { run: number; kind: MapKind; heads: readonly HeadPlace[] }
  run: Run
  subject: Subject
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
    return { params: { run: run.result.run, kind, heads }, run, subject }
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
